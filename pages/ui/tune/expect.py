"""In Inspect: say what the question should have brought back."""

from __future__ import annotations

import streamlit as st

from core.tuning.expectations import NOTHING, WHOLE_TABLE
from pages.ui.state import tune


def draw(doc_id: str, question: str, selected: str | None, table_id: str | None) -> None:
    """Put the question into the set of the document, with what it expects."""
    if not question:
        return
    known = tune.expectation(doc_id, question)
    said = "Expect …" if known is None else f"Expects {_short(known) or 'anything'}"
    with st.popover(said, icon=":material/flag:"):
        st.caption(
            "What this question should bring back. It goes into the document's question set, "
            "which Tune uses to choose the threshold."
        )
        rows = [part for part in (known or "").split("; ") if ":" in part and " " not in part]
        if selected and selected in rows:
            less = "; ".join(row for row in rows if row != selected)
            _button(f"No longer row {selected}", "less", doc_id, question, less)
        elif selected:
            more = "; ".join([*rows, selected])
            _button(f"Row {selected}" + (", too" if rows else ""), "row", doc_id, question, more)
        else:
            st.caption("Select a row to expect it.")
        if table_id:
            whole = f"{WHOLE_TABLE} {table_id}"
            _button(f"The whole table {table_id}", "table", doc_id, question, whole)
        _button("Nothing: the document does not know", "nothing", doc_id, question, NOTHING)


def _button(label: str, name: str, doc_id: str, question: str, what: str) -> None:
    st.button(
        label,
        key=f"expect.{name}",
        on_click=tune.expect,
        args=(doc_id, question, what),
        width="stretch",
    )


def _short(text: str) -> str:
    line = text.replace("\n", "; ")
    return line if len(line) <= 40 else f"{line[:39]}…"
