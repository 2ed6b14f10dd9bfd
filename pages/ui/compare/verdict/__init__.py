"""The comparison in one sentence, in large type, and what it says of the tables below it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent

_mount = st.components.v2.component(
    "rowlens_verdict",
    html="<section class='verdict' aria-label='Summary'></section>",
    css=(_HERE / "verdict.css").read_text(encoding="utf-8"),
    js=(_HERE / "verdict.js").read_text(encoding="utf-8"),
)


def verdict(sentence: str, details: Sequence[str] = (), *, key: str, large: bool = True) -> None:
    """Draw a sentence and its details, as text only."""
    _mount(
        data={"sentence": sentence, "details": list(details), "large": large},
        key=key,
        height="content",
    )
