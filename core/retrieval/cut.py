"""Evidence -> the set of matched rows: not the k best, but those the question means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.retrieval.evidence import Evidence
from core.retrieval.hits import TermHits
from core.retrieval.postings import NAME
from core.retrieval.shape import MIXED

CLOSE_TO_BEST = 0.6
"""Share of the best score down to which rows are kept when the best row holds every term that
some row holds: the question has been answered, only its likes are kept."""
CLOSE_TO_UNSURE = 0.45
"""The same when no single row holds them all: which row is meant is open, so more are kept."""
CLOSE_TABLE = 0.75
"""Share of the best table's score down to which a table is meant too."""

_TIE = 1e-9


@dataclass(frozen=True)
class Cut:
    """Which rows are matched, and why the line was drawn there."""

    rows: np.ndarray
    """(k,) int: matched rows, best first; empty where no row is told from the others."""
    tables: np.ndarray
    """(t,) int: tables that the question is about, best first."""
    line: float = 0.0
    """Score at which the line was drawn."""
    sure: bool = False
    """The best row holds every term that any row of these tables holds."""
    added: frozenset[int] = frozenset()
    """Rows below the line that alone hold some term, or are the best of a named item."""


def cut_tables(evidence: Evidence) -> np.ndarray:
    """Numbers of the tables a question is about, best first."""
    scores = evidence.table_scores
    if not scores.any():
        return np.empty(0, dtype=np.int64)
    close = np.flatnonzero(scores >= CLOSE_TABLE * scores.max() - _TIE)
    return close[np.argsort(-scores[close], kind="stable")]


def cut_rows(evidence: Evidence, shape: str) -> Cut:
    """The matched rows of the tables that the question is about.

    Those that come close to the best, and for each term that these do not hold the best row that
    does; for a mixed question the best row of each term in any case.
    """
    tables = cut_tables(evidence)
    meant = np.zeros(len(evidence.facts.size), dtype=bool)
    meant[tables] = True
    within = meant[evidence.facts.table]
    choosing = within & evidence.choosing
    if not choosing.any():
        return Cut(np.empty(0, dtype=np.int64), tables)
    scores = np.where(within, evidence.row_scores, 0.0)
    best = int(np.argmax(scores))
    holders = [_choosing_rows(evidence, hits) for hits in evidence.hits]
    holders = [rows[within[rows]] for rows in holders]
    holders = [rows for rows in holders if rows.size]
    sure = all(best in rows for rows in holders)
    line = (CLOSE_TO_BEST if sure else CLOSE_TO_UNSURE) * scores[best]
    kept = set(np.flatnonzero(scores >= line - _TIE).tolist())
    added: set[int] = set()
    for rows in holders:
        if shape == MIXED or kept.isdisjoint(rows.tolist()):
            added.update(rows[scores[rows] >= scores[rows].max() - _TIE].tolist())
    matched = np.array(sorted(kept | added), dtype=np.int64)
    matched = matched[np.argsort(-scores[matched], kind="stable")]
    met = dict.fromkeys(evidence.facts.table[matched].tolist())
    return Cut(
        matched,
        np.array([table for table in tables if table in met], dtype=np.int64),
        float(line),
        sure,
        frozenset(added - kept),
    )


def _choosing_rows(evidence: Evidence, hits: TermHits) -> np.ndarray:
    """Rows that one term chooses by value; labels of the table and mere measures choose none."""
    if hits.generic:
        return hits.rows[:0]
    return hits.rows[hits.labels[evidence.facts.table[hits.rows]] == 0]


def named_items(evidence: Evidence) -> int:
    """How many different rows, or sets of equal rows, the question names: by a row's name, or by
    words, not numbers, in another cell or the group."""
    tables = cut_tables(evidence)
    if not tables.size:
        return 0
    scores, facts = evidence.row_scores, evidence.facts
    named = set()
    for hits in evidence.hits:
        naming = (hits.fields == NAME) | (not hits.term.key[0].isdigit())
        rows = hits.rows[naming & np.isin(facts.table[hits.rows], tables)]
        rows = rows[hits.labels[facts.table[rows]] == 0]
        if rows.size and not hits.generic:
            best = scores[rows].max()
            named.add(tuple(rows[scores[rows] >= best - _TIE].tolist()))
    return len(named)
