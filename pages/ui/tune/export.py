"""Taking a tuning away: the set, the curve, what each question brings back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

from core.export import frame_to_bytes
from core.tuning import QuestionSet, questions_to_csv, questions_to_jsonl
from core.view.document import file_stem
from core.view.tune import question_table
from pages.ui import state
from pages.ui.cached import Swept


def draw(name: str, questions: QuestionSet, swept: Swept) -> None:
    """A menu of downloads, each made when its button is pressed."""
    stem, sweep = file_stem(name), swept.sweep
    with st.popover("Export", icon=":material/download:", width="stretch"):
        _row(
            "Question set",
            {
                "CSV": (f"{stem}-questions.csv", lambda: questions_to_csv(questions)),
                "JSONL": (f"{stem}-questions.jsonl", lambda: questions_to_jsonl(questions)),
            },
        )
        # The threshold may be dragged without this being drawn anew: it is asked for when pressed.
        for label, part, make in (
            (
                "Each question, at this threshold",
                "by-question",
                lambda: question_table(questions, swept.notes, sweep, state.threshold()),
            ),
            ("Curve over all thresholds", "curve", lambda: sweep.curve),
            ("Coverage of each question's tables", "flips", lambda: sweep.pairs),
        ):
            _row(
                label,
                {
                    form.upper(): (f"{stem}-{part}.{form}", partial(_file, make, form))
                    for form in ("csv", "json")
                },
            )


def _file(make: Callable[[], pd.DataFrame], form: str) -> bytes:
    return frame_to_bytes(make(), form)


def _row(label: str, files: dict[str, tuple[str, Callable[[], bytes | str]]]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(label)
        for form, (file_name, make) in files.items():
            st.download_button(
                form,
                make,
                file_name,
                key=f"tune.export.{label}.{form}",
                on_click="ignore",
                type="tertiary",
            )
