"""The question box with its samples."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import state

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
            st.button(sample, key=f"ask.{sample}", on_click=state.ask, args=(sample,))
    return (question or "").strip()[:MAX_QUESTION]
