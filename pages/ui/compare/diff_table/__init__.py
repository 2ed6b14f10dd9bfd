"""The aligned rows of a pair of tables: the line of A over that of B in every cell that differs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from pages.ui.courier import CHANNEL_JS, deliver
from pages.ui.state import compare

_HERE = Path(__file__).parent

_mount = st.components.v2.component(
    "rowlens_diff_table",
    html=(_HERE / "diff_table.html").read_text(encoding="utf-8"),
    css=(_HERE / "diff_table.css").read_text(encoding="utf-8"),
    js=CHANNEL_JS + (_HERE / "diff_table.js").read_text(encoding="utf-8"),
)


def diff_table(
    table: dict[str, Any], *, key: str, on_turn: Callable[[int], object], height: int = 620
) -> None:
    """Draw a diff.

    Args:
        table: from `core.view.compare_rows.diff_table`. Its text is shown as text only.
        key: unique key of this component.
        on_turn: called before the next run with the page of the line that was chosen.
        height: most pixels to take.
    """
    pages = {line["page"] for line in table["lines"]}

    def turn() -> None:
        page_num = getattr(compare.widget(key), "turn", None)
        if isinstance(page_num, int) and page_num in pages:
            on_turn(page_num)

    with st.container(gap=None):
        deliver(key, "table", table)
        _mount(data={"channel": key, "height": height}, key=key, on_turn_change=turn)
