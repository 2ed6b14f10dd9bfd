"""Whether several rows could be the one that a question means."""

from __future__ import annotations

import numpy as np

from core.retrieval.retrieval import Retrieval
from core.retrieval.shape import MIXED

NEARLY_THE_SAME = 0.9
"""Share of the best score from which another row could as well be meant."""
_NAMED = 3
"""Rows that are named where several score the same."""
_TIE = 1e-9


def ambiguity(retrieval: Retrieval) -> str | None:
    """A sentence where several rows could be the one that is meant; None where that is clear.

    Nothing is unclear about questions for several rows or for whole tables.
    """
    rows = retrieval.cut.rows
    if not retrieval.use_row_level or retrieval.shape == MIXED or rows.size < 2:
        return None
    scores = retrieval.evidence.row_scores[rows]
    same = rows[scores >= scores[0] - _TIE]
    if same.size > 1:
        return f"{same.size:,} rows score the same: {_named(retrieval, same)}."
    near = rows[scores >= NEARLY_THE_SAME * scores[0]]
    if near.size > 1:
        return f"{near.size:,} rows score nearly the same: {_named(retrieval, near)}."
    return None


def _named(retrieval: Retrieval, rows: np.ndarray) -> str:
    """Names of the first rows, told apart by their place where they are called the same."""
    facts = retrieval.evidence.facts
    names = [" ".join(name.split()) or "a row without a name" for name in facts.names(rows)]
    shown = names[:_NAMED]
    several = len(set(facts.table[rows].tolist())) > 1
    for at, row in enumerate(rows[:_NAMED].tolist()):
        if names.count(names[at]) > 1:
            table = facts.table[row]
            number = int(np.count_nonzero(facts.table[:row] == table)) + 1
            place = f"row {number} of {facts.table_ids[table]}" if several else f"row {number}"
            shown[at] = f"{names[at]} ({place})"
    more = f" and {rows.size - _NAMED:,} more" if rows.size > _NAMED else ""
    return f"{', '.join(shown)}{more}"
