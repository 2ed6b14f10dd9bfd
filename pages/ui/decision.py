"""The decision panel: what was returned, why, and what it saves."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from core import Index, Retrieval
from core.view.decision import break_even, decision_card_data
from core.view.figures import baseline_alt, baseline_bars
from core.view.paragraphs import paragraphs_to_list
from pages.ui import asking, messages, state
from pages.ui.decision_card import decision_card
from pages.ui.paragraph_list import paragraph_list

_FAILED = {
    asking.MEANING: "Answered by words alone: meaning could not be asked",
    asking.SHAPE: "Shape by the rules: the model could not be asked",
}

_BREAK_EVEN = (
    "From so many matched rows on, serialized rows cost as many tokens as the whole table as "
    "Markdown: each row repeats the labels, the table says them once."
)


def draw(
    retrieval: Retrieval | None,
    index: Index,
    *,
    has_tables: bool,
    has_text: bool,
    recognise: Callable[[], None] | None,
) -> None:
    """The panel, or the one sentence that fits when there is nothing to decide.

    `recognise` switches OCR on, where that can be done.
    """
    if not has_text:
        messages.scan(recognise)
        if not has_tables:
            return  # without any text the rest is plain
    if not has_tables:
        messages.no_tables()
    if retrieval is None:
        messages.ask_something()
        return
    _failures(retrieval.question)
    alone = False
    paragraphs = paragraphs_to_list(retrieval, index.line_df, index.paragraph_lines)
    if retrieval.paragraphs_better:
        first, *paragraphs = paragraphs
        paragraph_list(
            [first],
            headline=f"A paragraph answers better (page {first['page']})",
            key="inspect.paragraph",
            on_turn=state.set_page,
        )
    if not retrieval.found:
        messages.nothing_matched(retrieval.notes)
    elif retrieval.decisions:
        with st.container(border=True):
            decision_card(decision_card_data(retrieval), key="inspect.decision")
            _slider()
            _savings(retrieval)
    elif retrieval.paragraphs_better:
        messages.no_row(len(retrieval.context_lines))
    else:
        messages.paragraphs(len(retrieval.context_lines))
        alone = True
    if paragraphs:
        more = "More paragraphs" if retrieval.paragraphs_better else "Paragraphs"
        _paragraphs(paragraphs, f"{more} ({len(paragraphs)})", alone=alone)


def _failures(question: str) -> None:
    """Models that could not be used for the question."""
    for what, problem in asking.failures(question).items():
        messages.without_model(
            _FAILED[what], problem, key=f"again.{what}", again=partial(state.forget_failure, what)
        )


def _paragraphs(paragraphs: list[dict[str, Any]], title: str, *, alone: bool) -> None:
    """Paragraphs that are worth a look, in sight where they alone are the answer."""
    with st.expander(title, icon=":material/article:", expanded=alone):
        paragraph_list(paragraphs, key="inspect.paragraphs.list", on_turn=state.set_page)


def _slider() -> None:
    st.slider(
        "Widening threshold",
        0.0,
        1.0,
        step=0.01,
        key=state.THRESHOLD,
        format="widen from %.2f",
        label_visibility="collapsed",
    )


def _savings(retrieval: Retrieval) -> None:
    unit = str(state.get(state.UNIT) or "tokens")
    st.plotly_chart(
        baseline_bars(retrieval.tokens, unit),
        key="inspect.bars",
        config={"displayModeBar": False, "staticPlot": True},
        alt=baseline_alt(retrieval.tokens, unit),
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.segmented_control(
            "Count in",
            state.UNITS,
            default="tokens",
            required=True,
            key=state.UNIT,
            label_visibility="collapsed",
            bind="query-params",
        )
        st.caption(break_even(retrieval), help=_BREAK_EVEN, width="content")
