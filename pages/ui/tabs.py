"""The tabs beside the page: rows, table, headers, lines, context and notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core import Retrieval, Table
from core.library import Request
from core.view.context import context_with_citations
from core.view.document import lines_for_display
from core.view.headers import table_grid
from core.view.match import why_row
from core.view.rows import MATCHED_FIRST, MAX_ROWS, PAGE_ORDER, rows_to_list
from pages.ui import headers_tab, messages, notes_tab, state
from pages.ui.cached import Reading
from pages.ui.row_list import row_list
from pages.ui.sidebar import Choices

_LIST_HEIGHT = 560


@dataclass(frozen=True)
class Finding:
    """What the tabs show, each a part of it."""

    choices: Choices
    request: Request
    """How the document was read."""
    line_df: pd.DataFrame
    automatic: Reading
    """The document read without any header set by hand."""
    reading: Reading
    header_rows: Mapping[str, int | str]
    table: Table | None
    question: str
    retrieval: Retrieval | None
    page_num: int
    selected: str | None


def draw(finding: Finding) -> None:
    """Draw the tabs; only the open one is filled."""
    rows, grid, headers, lines, context, notes = st.tabs(
        state.TABS, key=state.TAB, on_change="rerun", bind="query-params"
    )
    reading, table, retrieval = finding.reading, finding.table, finding.retrieval
    if rows.open:
        with rows:
            _rows(reading.row_df, table, retrieval, finding.selected)
    if grid.open:
        with grid:
            _table(table)
    if headers.open:
        with headers:
            _headers(finding)
    if lines.open:
        with lines:
            _lines(finding.line_df, finding.page_num)
    if context.open:
        with context:
            _context(retrieval)
    if notes.open:
        with notes:
            _notes(reading, table)


def _rows(
    row_df: pd.DataFrame, table: Table | None, retrieval: Retrieval | None, selected: str | None
) -> None:
    if row_df.empty:
        messages.no_tables()
        return
    order = _order() if retrieval is not None and len(retrieval.matches) else PAGE_ORDER
    why = why_row(retrieval, row_df, selected)
    if table is not None and not state.all_tables():
        row_df = row_df[row_df["table_id"] == table.table_id]
    listed = rows_to_list(row_df, retrieval, order=order, selected=selected)
    pages = {row["id"]: row["page"] for row in listed}
    row_list(
        listed,
        selected=selected,
        why=why,
        hint="Choose a row to see why it is not returned." if retrieval is not None else "",
        key="inspect.rows",
        on_select=lambda row_id: state.select_row(row_id, pages.get(row_id)),
        on_turn=state.set_page,
        height=_LIST_HEIGHT,
    )
    if len(row_df) > MAX_ROWS:
        st.caption(f"{MAX_ROWS} of {len(row_df):,} rows are listed; choose a table to see others.")


def _order() -> str:
    return str(
        st.segmented_control(
            "Order",
            [MATCHED_FIRST, PAGE_ORDER],
            default=MATCHED_FIRST,
            required=True,
            key=state.ORDER,
            label_visibility="collapsed",
            bind="query-params",
        )
    )


def _table(table: Table | None) -> None:
    if table is None:
        messages.no_tables()
        return
    if table.caption:
        st.text(table.caption)
    st.dataframe(
        table_grid(table), hide_index=True, alt=f"Table {table.table_id} with folded headers"
    )


def _headers(finding: Finding) -> None:
    if finding.table is None:
        messages.no_tables()
        return
    choices = finding.choices
    headers_tab.draw(
        (finding.request, choices.strict),
        finding.table,
        finding.automatic,
        finding.header_rows,
        finding.retrieval,
        ask=lambda: choices.ask(finding.automatic.index, finding.question, state.threshold()),
        encoding=choices.encoding,
    )


def _notes(reading: Reading, table: Table | None) -> None:
    if table is None:
        messages.no_tables()
    elif state.all_tables():
        notes_tab.draw(reading.lints, reading.tables, f"the {len(reading.tables):,} tables")
    else:
        notes_tab.draw(reading.lints, [table], table.table_id)


def _lines(line_df: pd.DataFrame, page_num: int) -> None:
    everything = st.toggle("All pages", key=state.ALL_LINES)
    st.dataframe(
        lines_for_display(line_df, None if everything else page_num),
        hide_index=True,
        height=_LIST_HEIGHT,
        column_config={
            "text": st.column_config.TextColumn(width="large"),
            "confidence": st.column_config.NumberColumn(format="percent", width="small"),
        },
        alt="Lines of text as the parser wrote them",
    )


def _context(retrieval: Retrieval | None) -> None:
    if retrieval is None:
        messages.ask_something()
    elif not retrieval.found:
        messages.nothing_matched(retrieval.notes)
    else:
        st.caption("What generation would receive:")
        st.code(retrieval.context, language=None, wrap_lines=True)
        with st.expander("With citations", icon=":material/format_quote:"):
            st.code(context_with_citations(retrieval), language=None, wrap_lines=True)
