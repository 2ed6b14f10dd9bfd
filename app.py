"""Rowlens: see which rows of a document's tables a question brings back, and why."""

import streamlit as st

from pages.ui import frame

st.set_page_config(page_title="Rowlens", page_icon="assets/icon.svg", layout="wide")
st.logo("assets/logo.svg", size="large")
frame.run()
