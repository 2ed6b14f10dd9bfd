"""The tab Headers: how a table's labels came about, and the header set by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from core import Retrieval, Table
from core.library import Request
from core.view.headers import header_columns, header_verdict, override_effect
from pages.ui import cached, state
from pages.ui.header_view import header_view

_HELP = (
    "How many lines at the top of the table hold its labels. “Key-value” reads a list of keys in "
    "the first column, without a header."
)


def draw(
    source: tuple[Request, bool],
    table: Table,
    automatic: cached.Reading,
    header_rows: Mapping[str, int | str],
    retrieval: Retrieval | None,
    *,
    ask: Callable[[], Retrieval | None],
    encoding: str,
) -> None:
    """What decided, the control, what it changes, and each column's way to its label.

    Args:
        source: the document as it is read, and strictness of the reading.
        table: the table as it is read now.
        automatic: the reading without anything set by hand.
        header_rows: what is set by hand, for all tables.
        retrieval: the answer as it is now.
        ask: gives the answer of the automatic reading.
        encoding: vocabulary for token counts.
    """
    by_itself = next(other for other in automatic.tables if other.table_id == table.table_id)
    header_view({"verdict": header_verdict(by_itself, table)}, key="inspect.verdict")
    _control(by_itself, set_by_hand=table.table_id in header_rows)
    if table.table_id not in header_rows:
        header_view({"fold": header_columns(table)}, key="inspect.fold")
        return
    tokens = [
        cached.tokens_of_rows(*source, rows, table.table_id, encoding)
        for rows in ((), tuple(header_rows.items()))
    ]
    before = ask()
    effect = override_effect(
        by_itself,
        table,
        tokens=(tokens[0], tokens[1]),
        retrievals=(before, retrieval) if before and retrieval else None,
    )
    header_view({"effect": effect, "fold": header_columns(table, by_itself)}, key="inspect.fold")


def _control(by_itself: Table, *, set_by_hand: bool) -> None:
    table_id = by_itself.table_id
    # Short, so that all stand in one line; the verdict above says what Auto finds.
    names = {state.AUTO: "Auto", state.BY_KEYS: "Key-value"}
    state.prepare_header(table_id)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control(
            "Header lines",
            state.HEADER_CHOICES,
            format_func=lambda value: names.get(value, value),
            required=True,
            wrap=True,
            key=state.header_key(table_id),
            on_change=state.choose_header,
            args=(table_id,),
            help=_HELP,
        )
        if set_by_hand:
            st.button(
                "Reset",
                key="headers.reset",
                type="tertiary",
                icon=":material/undo:",
                on_click=state.choose_header,
                args=(table_id, state.AUTO),
            )
