"""Rowlens: see which rows of a document's tables a question brings back, and why."""

from pathlib import Path

import streamlit as st

from pages.ui import frame

ASSETS = Path(__file__).parent / "assets"

st.set_page_config(page_title="Rowlens", page_icon=str(ASSETS / "icon.svg"), layout="wide")
st.logo(str(ASSETS / "logo.svg"), size="large")
frame.run()
