"""What a side found, in numbers, below the choice of how it reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from pages.ui.state import compare

_HERE = Path(__file__).parent
_CSS = (_HERE / "side_card.css").read_text(encoding="utf-8")

_mount = st.components.v2.component(
    "rowlens_side_card",
    html="<section class='card'></section>",
    css=_CSS,
    js=(_HERE / "side_card.js").read_text(encoding="utf-8"),
)
_badge = st.components.v2.component(
    "rowlens_side_badge",
    html="<span class='badge' aria-hidden='true'></span>",
    css=_CSS,
    js=(_HERE / "badge.js").read_text(encoding="utf-8"),
)


def badge(letter: str) -> None:
    """The letter of a side, as it stands on the page and in the table of differences."""
    _badge(
        data={"letter": letter}, key=f"compare.badge.{letter}", width="content", height="content"
    )


def draw(data: dict[str, Any], *, key: str, on_time: Callable[[], object]) -> None:
    """Draw the numbers.

    Args:
        data: from `core.view.compare.side_card`.
        key: unique key of this component.
        on_time: called before the next run when the time should be taken anew.
    """

    def take() -> None:
        if getattr(compare.widget(key), "time", None):
            on_time()

    _mount(data=data, key=key, height="content", on_time_change=take)
