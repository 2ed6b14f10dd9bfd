"""Evidence -> the set of matched rows: not the k best, but those the question means."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.retrieval.evidence import ROW_NAME, Evidence
from core.retrieval.shape import MIXED

CLOSE_TO_BEST = 0.75
"""Share of the best score that still counts as the same answer; ties are always kept."""

_TIE = 1e-9


def cut_rows(evidence: Evidence, shape: str) -> np.ndarray:
    """(k,) positions of the matched rows, best first.

    A mixed question gets the best row of each item it names; any other the rows that come
    close to the best score. Terms that the leading table explains by its labels choose no
    rows elsewhere.
    """
    scores = evidence.row_scores
    if not scores.any():
        return np.empty(0, dtype=np.int64)
    if shape == MIXED:
        matched = np.unique(np.concatenate([np.empty(0, np.int64), *best_rows_per_term(evidence)]))
    else:
        matched = np.flatnonzero(scores >= CLOSE_TO_BEST * scores.max() - _TIE)
    return matched[np.argsort(-scores[matched], kind="stable")]


def settle_labels(evidence: Evidence) -> Evidence:
    """Evidence in which terms that are labels are not taken for values of other tables.

    Where the labels of one table hold every term that is found at all ("Which events are
    covered?" over a column "Covered event"), the question is about that table, and the same
    words in cells elsewhere, say in a glossary, choose no rows.
    """
    found = evidence.hit_anywhere()
    explains_all = np.all(evidence.labels[:, found], axis=1).reshape(-1) & bool(found.any())
    if not explains_all.any():
        return evidence
    elsewhere = ~explains_all[evidence.row_table]
    return replace(evidence, value_hits=np.where(elsewhere[:, None], 0.0, evidence.value_hits))


def named_items(evidence: Evidence) -> int:
    """How many different rows, or groups of equal rows, the question names."""
    return len({tuple(rows.tolist()) for rows in best_rows_per_term(evidence, ROW_NAME)})


def best_rows_per_term(evidence: Evidence, at_least: float = 0.0) -> list[np.ndarray]:
    """For each term with a value hit of that weight or more: the rows where it hits hardest and,
    among these, the whole question scores best."""
    scores = evidence.row_scores
    if not scores.any():
        return []
    leading = evidence.row_table[int(np.argmax(scores))]
    found = []
    for at in range(len(evidence.terms)):
        hits = evidence.value_hits[:, at]
        if evidence.labels[leading, at]:
            hits = np.where(evidence.row_table == leading, hits, 0.0)
        if hits.max(initial=0.0) <= 0 or hits.max() < at_least:
            continue
        strongest = np.flatnonzero(hits == hits.max())
        best = scores[strongest].max()
        found.append(strongest[scores[strongest] >= best - _TIE])
    return found


def cut_tables(evidence: Evidence) -> np.ndarray:
    """Table numbers that a question about whole tables means, best first."""
    scores = evidence.table_scores
    if not scores.any():
        return np.empty(0, dtype=np.int64)
    close = np.flatnonzero(scores >= CLOSE_TO_BEST * scores.max() - _TIE)
    return close[np.argsort(-scores[close], kind="stable")]
