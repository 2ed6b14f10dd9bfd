"""Twenty questions for each sample document, with what they should bring back."""

from __future__ import annotations

from pathlib import Path

from core.tuning.question_set import QuestionSet, read_questions

_FOLDER = Path(__file__).parents[2] / "assets" / "questions"

SAMPLE_SETS = frozenset(path.stem for path in _FOLDER.glob("*.csv"))
"""Ids of the documents that have a set."""


def sample_questions(doc_id: str) -> QuestionSet:
    """The set of a sample; empty for any other document."""
    if doc_id not in SAMPLE_SETS:
        return ()
    path = _FOLDER / f"{doc_id}.csv"
    return read_questions(path.name, path.read_bytes())
