"""What the set gets at the threshold that is set, and the threshold to take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent

_mount = st.components.v2.component(
    "rowlens_tune_verdict",
    html="<section class='verdict' aria-label='Threshold'></section>",
    css=(_HERE / "verdict.css").read_text(encoding="utf-8"),
    js=(_HERE / "verdict.js").read_text(encoding="utf-8"),
)


def verdict(data: dict[str, Any], *, key: str) -> None:
    """Draw the card from `core.view.tune.verdict_card`."""
    _mount(data=data, key=key, height="content")
