"""Paragraphs with what a question hits marked in them; a click turns to their page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent

_mount = st.components.v2.component(
    "rowlens_paragraph_list",
    html="<section class='paragraphs'></section>",
    css=(_HERE / "paragraph_list.css").read_text(encoding="utf-8"),
    js=(_HERE / "paragraph_list.js").read_text(encoding="utf-8"),
)


def paragraph_list(
    paragraphs: Sequence[dict[str, Any]],
    *,
    key: str,
    on_turn: Callable[[int], object],
    headline: str = "",
) -> None:
    """Show paragraphs to turn to.

    Args:
        paragraphs: from `core.view.paragraphs.paragraphs_to_list`. Their text is shown as text
            only.
        key: unique key of this component.
        on_turn: called before the next run with the page of the paragraph that was clicked.
        headline: makes each a card that stands out, under this title.
    """
    pages = {paragraph["page"] for paragraph in paragraphs}

    def turn() -> None:
        page_num = st.session_state[key].turn
        if isinstance(page_num, int) and page_num in pages:
            on_turn(page_num)

    _mount(
        data={"paragraphs": list(paragraphs), "headline": headline},
        key=key,
        height="content",
        on_turn_change=turn,
    )
