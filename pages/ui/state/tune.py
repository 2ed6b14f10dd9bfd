"""Question sets of this session, by document, and what is chosen on the Tune page."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.tuning import QuestionSet, TuneQuestion
from core.tuning.samples import sample_questions

BY_WEIGHT = "tune.by_weight"
WEIGHT = "tune.weight"
COMPARED = "tune.compared"
STRIP, CURVES, TRADE_OFF, TABLE = "tune.strip", "tune.curves", "tune.trade_off", "tune.table"

_SETS = "tune.sets"
_NAMES = "tune.names"
_VERSION = "tune.version"
_SELECTED = "tune.selected"


def questions(doc_id: str) -> QuestionSet:
    """The question set of a document: this session's, or the sample's."""
    sets: dict[str, QuestionSet] = st.session_state.get(_SETS, {})
    return sets[doc_id] if doc_id in sets else sample_questions(doc_id)


def set_name(doc_id: str) -> str:
    """Where the set comes from."""
    names: dict[str, str] = st.session_state.get(_NAMES, {})
    return names.get(doc_id, "Sample set" if sample_questions(doc_id) else "Own set")


def set_questions(doc_id: str, given: QuestionSet, name: str) -> None:
    """Take another set; the editor begins anew with it."""
    keep_questions(doc_id, given, name)
    st.session_state[_VERSION] = st.session_state.get(_VERSION, 0) + 1
    select(None)


def keep_questions(doc_id: str, given: QuestionSet, name: str) -> None:
    """Keep what was edited, without disturbing the editor."""
    st.session_state[_SETS] = {**st.session_state.get(_SETS, {}), doc_id: given}
    st.session_state[_NAMES] = {**st.session_state.get(_NAMES, {}), doc_id: name}


def reset_questions(doc_id: str) -> None:
    """Back to the sample's set, or to none."""
    set_questions(doc_id, sample_questions(doc_id), "")
    for key in (_SETS, _NAMES):
        st.session_state[key] = {
            other: kept for other, kept in st.session_state[key].items() if other != doc_id
        }


def is_own(doc_id: str) -> bool:
    """Whether the set was loaded or edited in this session."""
    return doc_id in st.session_state.get(_SETS, {})


def editor_key(doc_id: str) -> str:
    """Key of the editor, another one for each set it begins with."""
    return f"tune.editor.{doc_id}.{st.session_state.get(_VERSION, 0)}"


def editor_base(key: str, now: QuestionSet) -> QuestionSet:
    """What the editor was begun with: what it changes is counted from there."""
    base_key = f"{key}.base"
    if key not in st.session_state or base_key not in st.session_state:
        st.session_state[base_key] = now
    base: QuestionSet = st.session_state[base_key]
    return base


def expectation(doc_id: str, question: str) -> str | None:
    """What the set expects of a question; None if it is not in it."""
    return next((one.expect for one in questions(doc_id) if one.question == question), None)


def expect(doc_id: str, question: str, what: str) -> None:
    """Put a question into the set, or change what it expects."""
    known = questions(doc_id)
    if any(one.question == question for one in known):
        changed = tuple(
            replace(one, expect=what) if one.question == question else one for one in known
        )
    else:
        changed = (*known, TuneQuestion(question, what))
    set_questions(doc_id, changed, "Own set")


def prepare_compared(threshold: float) -> None:
    """Before its field is drawn: the other threshold to compare with."""
    if COMPARED not in st.session_state:
        st.session_state[COMPARED] = threshold


def selected() -> int | None:
    """Position of the selected question."""
    position: int | None = st.session_state.get(_SELECTED)
    return position


def select(position: int | None) -> None:
    """Select a question."""
    st.session_state[_SELECTED] = position


def chosen_points(key: str) -> list[dict[str, object]]:
    """Points of a chart that were clicked."""
    event = st.session_state.get(key) or {}
    points: list[dict[str, object]] = event.get("selection", {}).get("points", [])
    return points


def chosen_rows(key: str) -> list[int]:
    """Rows of a table that were clicked."""
    event = st.session_state.get(key) or {}
    rows: list[int] = event.get("selection", {}).get("rows", [])
    return rows
