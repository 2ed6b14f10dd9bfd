"""The question set: where it comes from, loading one, editing it in place."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.errors import RowlensError
from core.tuning import QuestionSet, TuneQuestion, read_questions
from core.tuning.samples import sample_questions
from pages.ui import messages, state
from pages.ui.state import tune

_EXPECT_HELP = (
    "Rows by id (t2:5), by citation (p2 l21) or by text, several on lines of their own; "
    "“whole table t2”; “nothing”; blank if nobody knows."
)


def draw(doc_id: str) -> QuestionSet:
    """The set as it stands after this run's edits."""
    known = tune.questions(doc_id)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        expected = sum(1 for one in known if one.expect)
        st.markdown(
            f"**{tune.set_name(doc_id)}** · {len(known):,} questions, {expected:,} with an "
            "expectation",
            width="content",
        )
        with st.popover("Load a set", icon=":material/upload_file:"):
            _load(doc_id)
        if tune.is_own(doc_id):
            back = "Back to the sample set" if sample_questions(doc_id) else "Empty the set"
            st.button(
                back,
                key="tune.reset",
                type="tertiary",
                icon=":material/undo:",
                on_click=tune.reset_questions,
                args=(doc_id,),
            )
    with st.expander("Edit the questions", icon=":material/edit:", expanded=not known):
        return _edit(doc_id, known)


def _load(doc_id: str) -> None:
    file = st.file_uploader("CSV, JSONL or JSON", key=f"tune.upload.{doc_id}")
    st.caption(f"A column “question”, and if you know it “expect”. {_EXPECT_HELP}")
    if file is None or not state.upload_is_new(file.file_id):
        return
    try:
        given = read_questions(file.name, file.getvalue())
    except RowlensError as problem:
        messages.error(problem, title="This set cannot be read")
        return
    tune.set_questions(doc_id, given, file.name[:60])
    st.rerun()


def _edit(doc_id: str, known: QuestionSet) -> QuestionSet:
    key = tune.editor_key(doc_id)
    base = tune.editor_base(key, known)
    edited = st.data_editor(
        pd.DataFrame(
            {
                "question": pd.Series([one.question for one in base], dtype="str"),
                "expect": pd.Series([one.expect for one in base], dtype="str"),
            }
        ),
        key=key,
        num_rows="dynamic",
        hide_index=True,
        height=330,
        column_config={
            "question": st.column_config.TextColumn("Question", width="large", max_chars=2000),
            "expect": st.column_config.TextColumn("Expect", help=_EXPECT_HELP, max_chars=2000),
        },
    )
    st.caption(
        "In Inspect, “Expect …” under the decision puts the question asked, with the row selected, "
        "into this set."
    )
    now = tuple(
        TuneQuestion(" ".join(str(question).split()), str(expect).strip())
        for question, expect in edited.fillna("").itertuples(index=False)
        if str(question).strip()
    )
    if now != known:
        name = tune.set_name(doc_id)
        tune.keep_questions(doc_id, now, name if "edited" in name else f"{name}, edited")
    return now
