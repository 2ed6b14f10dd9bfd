"""The pair of tables that is shown, and its differences row by row."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.compare import Comparison, TableDiff
from core.compare.summary import Names, table_sentences
from core.view.compare_rows import diff_table as diff_data
from core.view.compare_rows import first_page, pair_names, unpaired_sentence
from pages.ui import messages, state
from pages.ui.compare.diff_table import diff_table
from pages.ui.compare.verdict import verdict
from pages.ui.state import compare

_PAIR, _CHANGES = "compare.pair", "compare.changes"


def choose(
    comparison: Comparison,
    places: Mapping[str, str],
    captions: Mapping[str, str],
) -> TableDiff | None:
    """Let a pair be chosen; None where no tables belong together."""
    names = pair_names(comparison, places, captions)
    chosen = compare.pair(list(names))
    if chosen is None:
        return None

    def change() -> None:
        pair_id = str(compare.widget(_PAIR))
        compare.choose_pair(pair_id)
        diff = comparison.by_id(pair_id)
        state.set_page(first_page(diff) if diff else None)

    compare.prepare(_PAIR, chosen)
    compare.prepare(_CHANGES, compare.only_changes())
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.selectbox(
            "Tables",
            list(names),
            key=_PAIR,
            format_func=lambda pair_id: names.get(pair_id, pair_id),
            on_change=change,
            label_visibility="collapsed",
        )
        st.toggle(
            "Only differences",
            key=_CHANGES,
            on_change=lambda: compare.choose_changes(bool(compare.widget(_CHANGES))),
        )
    return comparison.by_id(chosen)


def draw(
    comparison: Comparison,
    diff: TableDiff | None,
    names: Names,
    place: str,
    matched: Mapping[str, set[str]],
) -> None:
    """What differs in the pair: in sentences, then row by row."""
    alone = unpaired_sentence(comparison, names)
    if diff is None:
        messages.failed("No tables belong together", alone or "Neither side finds a table.")
        return
    if len(comparison.tables) > 1 or alone:  # with one pair the summary has said it
        sentences = table_sentences(diff, place, names)
        verdict(" ".join(sentences), key="compare.pair_summary", large=False)
    diff_table(
        diff_data(diff, names, only_changes=compare.only_changes(), matched=matched),
        key="compare.diff",
        on_turn=state.set_page,
    )
    if alone:
        st.text(alone)
