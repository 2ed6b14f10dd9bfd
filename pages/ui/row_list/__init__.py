"""The serialized rows as a list, with what a question hits marked in them, and above it why one of
them is in or out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from pages.ui.courier import CHANNEL_JS, deliver

_HERE = Path(__file__).parent

_mount = st.components.v2.component(
    "rowlens_row_list",
    html=(_HERE / "row_list.html").read_text(encoding="utf-8"),
    css="\n".join(
        (_HERE / name).read_text(encoding="utf-8") for name in ("row_list.css", "why.css")
    ),
    js="".join(
        [
            CHANNEL_JS,
            *((_HERE / name).read_text(encoding="utf-8") for name in ("why.js", "row_list.js")),
        ]
    ),
)


def row_list(
    rows: Sequence[dict[str, Any]],
    *,
    selected: str | None,
    why: dict[str, Any] | None = None,
    hint: str = "",
    key: str,
    on_select: Callable[[str], object],
    on_turn: Callable[[int], object] | None = None,
    height: int = 560,
    empty: str = "No rows.",
) -> None:
    """List rows to choose from.

    Args:
        rows: from `core.view.rows.rows_to_list`. Their text is shown as text only.
        selected: id of the selected row; the list scrolls to it when it changes.
        why: from `core.view.match.why_row`, shown above the list, at a height that stays the same.
        hint: what stands there without one; nothing at all if it is "".
        key: unique key of this component.
        on_select: called before the next run with the id of the row that was chosen, or "" when
            the selected row was chosen again or Esc pressed.
        on_turn: called before the next run with the page whose citation was clicked; without it
            citations are not clickable.
        height: most pixels to take; a short list or a low window takes less.
        empty: what to say when there are no rows.
    """
    ids = {row["id"] for row in rows}
    pages = {row["page"] for row in rows}

    def select() -> None:
        row_id = st.session_state[key].select
        if isinstance(row_id, str) and (not row_id or row_id in ids):
            on_select(row_id)

    def turn() -> None:
        page_num = st.session_state[key].turn
        if on_turn and isinstance(page_num, int) and page_num in pages:
            on_turn(page_num)

    with st.container(gap=None):
        deliver(key, "rows", list(rows))
        deliver(key, "selected", {"row": selected})
        deliver(key, "why", {"row": selected, "why": why, "hint": hint})
        _mount(
            data={"channel": key, "height": height, "empty": empty, "turns": on_turn is not None},
            key=key,
            on_select_change=select,
            on_turn_change=turn,
        )
