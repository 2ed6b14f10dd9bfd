"""The threshold and everything that follows from it; dragging it draws this part alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.tuning import QuestionSet, Recommendation, Sweep
from core.view import figures_tune as figures
from core.view import tune as view
from pages.ui import cached, state
from pages.ui.cached import Swept
from pages.ui.state import tune
from pages.ui.tune.verdict import verdict

_PLAIN = {"displayModeBar": False}


@dataclass(frozen=True)
class Board:
    """What the board shows."""

    questions: QuestionSet
    swept: Swept
    settings: dict[str, object]
    """Arguments of `retrieve` besides the threshold."""

    @property
    def sweep(self) -> Sweep:
        """All thresholds."""
        return self.swept.sweep


@st.fragment
def draw(board: Board) -> None:
    """Readings, slider, charts, and what changes between two thresholds."""
    chosen = cached.recommendation(board.swept, _weight())
    threshold = state.threshold()
    verdict(view.verdict_card(board.sweep, threshold, chosen), key="tune.verdict")
    _controls(board, chosen)
    state.link_threshold()
    _charts(board.sweep, threshold, chosen)
    _questions(board, threshold, chosen)
    _changes(board, threshold, chosen)


def _weight() -> float | None:
    return float(state.get(tune.WEIGHT, 0.3)) if state.get(tune.BY_WEIGHT) else None  # type: ignore[arg-type]


def _controls(board: Board, chosen: Recommendation | None) -> None:
    st.slider(
        "Widening threshold",
        0.0,
        1.0,
        step=0.01,
        key=state.THRESHOLD,
        format="widen from %.2f",
    )
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Use recommended" if chosen is None else f"Use {view.threshold_text(chosen.value)}",
            key="tune.use",
            icon=":material/check:",
            disabled=chosen is None or abs(chosen.value - state.threshold()) < 1e-9,
            on_click=state.set_threshold,
            args=(chosen.value if chosen else 0.0,),
        )
        with st.popover("Rule", icon=":material/balance:"):
            _rule()
        with st.popover("Copy as configuration", icon=":material/content_copy:"):
            st.caption("The threshold and the retrieval settings, as configuration.")
            for form, text in view.configuration(state.threshold(), board.settings).items():
                st.code(text, language=form.lower(), wrap_lines=True)


def _rule() -> None:
    st.toggle("Weigh tokens against recall", key=tune.BY_WEIGHT)
    if state.get(tune.BY_WEIGHT):
        st.slider("Weight of tokens", 0.0, 2.0, 0.3, 0.05, key=tune.WEIGHT)
        st.caption(
            "Best is the most of: share of questions that get all they expect, less the weight "
            "times tokens over the most tokens any threshold takes."
        )
    else:
        st.caption(
            "Best is the fewest tokens among the thresholds at which the most questions get all "
            "they expect."
        )


def _charts(sweep: Sweep, threshold: float, chosen: Recommendation | None) -> None:
    left, right = st.columns([11, 9], gap="medium")
    with left:
        st.markdown("**What the set gets at each threshold**")
        st.plotly_chart(
            figures.curves(sweep, threshold, chosen),
            key=tune.CURVES,
            config=_PLAIN,
            on_select=_take_step_of(tune.CURVES, 0),
            selection_mode="points",
            alt=view.curve_alt(sweep, threshold),
        )
        st.caption("Click a point to set the threshold there. The shaded stretch is recommended.")
    with right:
        st.markdown("**Where each question flips from rows to whole table**")
        st.plotly_chart(
            figures.strip(sweep, threshold, chosen),
            key=tune.STRIP,
            config=_PLAIN,
            on_select=_select_question,
            selection_mode="points",
            alt=view.strip_alt(sweep, threshold),
        )
        st.caption(
            "Right of the amber line tables come back whole, left of it by row. Click a mark for "
            "its question."
        )


def _take_step_of(key: str, place: int) -> Callable[[], None]:
    def take() -> None:
        points = tune.chosen_points(key)
        if points:
            data = points[0].get("customdata")
            value = data[place] if isinstance(data, list) else data
            if isinstance(value, int | float):
                state.set_threshold(float(value))

    return take


def _select_question() -> None:
    points = tune.chosen_points(tune.STRIP)
    data = points[0].get("customdata") if points else None
    if isinstance(data, list) and str(data[0]).isdecimal():
        tune.select(int(data[0]))


def _questions(board: Board, threshold: float, chosen: Recommendation | None) -> None:
    left, right = st.columns([11, 9], gap="medium")
    table = view.question_table(board.questions, board.swept.notes, board.sweep, threshold)
    with left:
        st.markdown("**The questions**")

        def select() -> None:
            rows = tune.chosen_rows(tune.TABLE)
            tune.select(rows[0] if rows else None)

        st.dataframe(
            table,
            key=tune.TABLE,
            on_select=select,
            selection_mode="single-row",
            hide_index=True,
            height=300,
            column_config={
                "question": st.column_config.TextColumn("Question", width="medium"),
                "expected": st.column_config.TextColumn("Expected", width="small"),
                "came_back": "Came back",
                "as_expected": "All it expects",
                "rows": "Rows",
                "tokens": "Tokens",
                "coverage": "k/n",
                "shape": "Shape",
                "note": "Not found",
            },
            column_order=[
                *("question", "as_expected", "came_back", "tokens", "coverage", "expected"),
                *("rows", "shape"),
                *(("note",) if any(board.swept.notes) else ()),
            ],
            alt="Every question with what came back at this threshold",
        )
    with right:
        _selected(table)
        st.markdown("**Tokens against what they buy**")
        st.plotly_chart(
            figures.trade_off(
                board.sweep, threshold, cached.recommendation(board.swept, _weight())
            ),
            key=tune.TRADE_OFF,
            config=_PLAIN,
            on_select=_take_step_of(tune.TRADE_OFF, 0),
            selection_mode="points",
            alt=view.trade_alt(board.sweep),
        )


def _selected(table: pd.DataFrame) -> None:
    position = tune.selected()
    if position is None or position >= len(table):
        st.caption("Click a question, or its mark, to look at it here and open it in Inspect.")
        return
    one = table.iloc[position]
    with st.container(border=True):
        st.text(one["question"])
        st.text(
            f"{one['came_back']} · {one['tokens']:,} tokens · {one['coverage'] or 'no table'}\n"
            f"expected: {one['expected'] or 'not said'} · all of it came back: {one['as_expected']}"
        )
        if one["note"]:
            st.text(one["note"])
        _open_in_inspect(str(one["question"]), "tune.open")


def _open_in_inspect(question: str, key: str) -> None:
    if st.button("Open in Inspect", key=key, icon=":material/search_insights:"):
        state.ask(question)
        st.switch_page("pages/inspector.py", query_params={state.QUESTION: question})


def _changes(board: Board, threshold: float, chosen: Recommendation | None) -> None:
    st.markdown("**Which questions change between two thresholds**")
    tune.prepare_compared(chosen.value if chosen else 0.0)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"From {view.threshold_text(threshold)}, as set, to", width="content")
        other = st.number_input(
            "Another threshold",
            0.0,
            1.0,
            step=0.05,
            key=tune.COMPARED,
            format="%.3f",
            label_visibility="collapsed",
            width=140,
        )
    changes = view.change_table(board.sweep, threshold, float(other))
    if changes.empty:
        st.caption("No question changes between them.")
        return

    def select() -> None:
        rows = tune.chosen_rows("tune.changes")
        if rows:
            tune.select(int(changes["position"].iloc[rows[0]]))

    st.dataframe(
        changes,
        key="tune.changes",
        on_select=select,
        selection_mode="single-row",
        hide_index=True,
        column_order=[str(name) for name in changes if name != "position"],
        column_config={
            "question": st.column_config.TextColumn("Question", width="large"),
            "before": "As set",
            "after": "At the other",
            "tokens_before": "Tokens as set",
            "tokens_after": "Tokens at the other",
            "as_expected_before": "All expected, as set",
            "as_expected_after": "All expected, at the other",
        },
        alt="Questions of which something else comes back",
    )
