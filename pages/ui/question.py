"""The question box with its samples, and the choice of a table."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core import Retrieval, Table
from core.view.document import default_table
from pages.ui import state
from pages.ui.choice import choice

MAX_QUESTION = 500


def question_box(samples: Sequence[str]) -> str:
    """The question as typed, or taken from a sample; "" before there is one."""
    question = st.text_input(
        "Question",
        key=state.QUESTION,
        bind="query-params",
        max_chars=MAX_QUESTION,
        placeholder="Ask the document, e.g. “What is the cap for vehicle theft?”",
        label_visibility="collapsed",
        icon=":material/search:",
    )
    with st.container(horizontal=True, gap="small"):
        for sample in samples:
            st.button(
                sample, key=f"ask.{sample}", on_click=state.ask, args=(sample,), type="tertiary"
            )
    return (question or "").strip()[:MAX_QUESTION]


def table_to_show(
    tables: Sequence[Table], retrieval: Retrieval | None, page_num: int
) -> Table | None:
    """The table chosen by hand, else the one the answer touches, else one of the page."""
    if not tables:
        return None
    by_id = {table.table_id: table for table in tables}
    names = {table_id: f"{table_id}  {table.caption}" for table_id, table in by_id.items()}
    chosen = choice(
        "Table", state.TABLE, {state.ALL_TABLES: "All tables", **names}, show_label=False
    )
    return by_id.get(chosen) or default_table(tables, retrieval, page_num)
