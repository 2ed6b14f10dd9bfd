"""The answers of two sides to one question -> what is the same about them, in one sentence."""

from __future__ import annotations

from collections.abc import Collection

from core.compare import Comparison
from core.compare.summary import Names, counted
from core.retrieval import Retrieval
from core.view.page import row_ids


def matched_rows(retrieval: Retrieval | None) -> set[str]:
    """Ids of the rows that an answer brings back."""
    return set(row_ids(retrieval.matches)) if retrieval is not None else set()


def answer_sentence(comparison: Comparison, names: Names, a: Retrieval, b: Retrieval) -> str:
    """Whether both sides bring back the same rows, by the alignment, and at what cost."""
    rows_a, rows_b = matched_rows(a), matched_rows(b)
    if not a.found and not b.found:
        return "Neither side brings anything back."
    if not rows_a and not rows_b:
        if a.found and b.found:
            return "Neither side brings back a row; both answer from paragraphs."
        return f"Only {names.a if a.found else names.b} brings anything back."
    if not rows_a or not rows_b:
        who, rows = (names.a, rows_a) if rows_a else (names.b, rows_b)
        return f"Only {who} brings back {_rows(len(rows))}.{_cost(names, a, b)}"
    alone_a, alone_b = _alone(comparison, rows_a, rows_b)
    said = [
        f"{who} brings back {_rows(count)} that {other} does not"
        for who, count, other in ((names.a, alone_a, names.b), (names.b, alone_b, names.a))
        if count
    ]
    same = "the same row" if len(rows_a) == len(rows_b) == 1 else "the same rows"
    return f"{'; '.join(said) or f'Both bring back {same}'}.{_cost(names, a, b)}"


def _rows(count: int) -> str:
    return counted(count, "row")


def _alone(
    comparison: Comparison, rows_a: Collection[str], rows_b: Collection[str]
) -> tuple[int, int]:
    """Rows whose counterpart the other side does not bring back."""
    met_a: set[str] = set()
    met_b: set[str] = set()
    for diff in comparison.tables:
        for row in diff.rows:
            ids_a = {line.row_id for line in row.a} & set(rows_a)
            ids_b = {line.row_id for line in row.b} & set(rows_b)
            if ids_a and ids_b:
                met_a |= ids_a
                met_b |= ids_b
    return len(set(rows_a) - met_a), len(set(rows_b) - met_b)


def _cost(names: Names, a: Retrieval, b: Retrieval) -> str:
    tokens_a, tokens_b = a.tokens.context.tokens, b.tokens.context.tokens
    if tokens_a == tokens_b:
        return f" Each costs {counted(tokens_a, 'token')}."
    return f" {names.a} costs {counted(tokens_a, 'token')}, {names.b} {tokens_b:,}."
