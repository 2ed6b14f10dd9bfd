"""Asking a whole set, with progress where it takes a while."""

from __future__ import annotations

from streamlit.delta_generator import DeltaGenerator

from core.retrieval import DEFAULT_THRESHOLD, Retrieval
from core.tuning import Answer, QuestionSet
from pages.ui import cached
from pages.ui.cached import Reading, ReadingKey
from pages.ui.sidebar import Choices

_EVERY = 10
"""Questions between two looks at the progress."""


def ask_all(
    key: ReadingKey,
    choices: Choices,
    reading: Reading,
    questions: QuestionSet,
    slot: DeltaGenerator,
) -> list[Answer]:
    """One answer per question under the settings of the sidebar; any threshold does."""
    bar = slot.empty()

    def ask(question: str) -> Retrieval:
        answer = choices.ask(reading.index, question, DEFAULT_THRESHOLD)
        assert answer is not None
        return answer

    def tell(done: int) -> None:
        if done and done % _EVERY == 0:
            bar.progress(done / len(questions), f"Asked {done:,} of {len(questions):,} questions")

    answers = cached.answers(key, choices.settings, [one.question for one in questions], ask, tell)
    bar.empty()
    return answers
