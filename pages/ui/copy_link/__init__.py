"""A button that copies the link to exactly what is shown."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent

_mount = st.components.v2.component(
    "rowlens_copy_link",
    html=(_HERE / "copy_link.html").read_text(encoding="utf-8"),
    css=(_HERE / "copy_link.css").read_text(encoding="utf-8"),
    js=(_HERE / "copy_link.js").read_text(encoding="utf-8"),
)


def copy_link(name: str, *, key: str) -> None:
    """Copies the URL; `name` goes along for whoever must be asked for the document, "" if none."""
    _mount(data={"name": name}, key=key)
