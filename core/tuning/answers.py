"""What is kept of an answer: a thousand questions must not keep a thousand rankings."""

from __future__ import annotations

from dataclasses import dataclass

from core.retrieval import Retrieval
from core.retrieval.savings import count_lines
from core.retrieval.widening import Decision


@dataclass(frozen=True)
class TableAnswer:
    """What a table gave."""

    decision: Decision
    rows: frozenset[int]
    """row_index of the matched rows."""
    tokens: int
    """Of these rows, serialized."""


@dataclass(frozen=True)
class Answer:
    """What the threshold decides on, and what it does not touch."""

    question: str
    shape: str
    found: bool
    tokens: int
    """Of the context, at the threshold that was asked for."""
    encoding: str
    tables: tuple[TableAnswer, ...]


def keep_answer(retrieval: Retrieval) -> Answer:
    """The part of an answer that `core.tuning.sweep` needs."""
    encoding = retrieval.tokens.encoding
    tables = []
    for decision in retrieval.decisions:
        rows = retrieval.matches[retrieval.matches["table_id"] == decision.table_id]
        tokens = count_lines(rows["row_serialized"].tolist(), encoding).tokens
        tables.append(TableAnswer(decision, frozenset(rows["row_index"].tolist()), tokens))
    return Answer(
        question=retrieval.question,
        shape=retrieval.shape,
        found=retrieval.found,
        tokens=retrieval.tokens.context.tokens,
        encoding=encoding,
        tables=tuple(tables),
    )
