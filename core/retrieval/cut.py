"""Evidence -> the set of matched rows: not the k best, but those the question means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.retrieval.evidence import ENOUGH_MEANING, Evidence
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
    touched = evidence.touched
    meant = _mask(tables, len(evidence.facts.size))
    within = meant[touched.tables]
    chosen = [_chosen(evidence, at, meant) for at in range(len(evidence.hits))]
    alike = touched.near[np.nan_to_num(touched.near_similarity) >= ENOUGH_MEANING]
    if not (any(at.size for at in chosen) if chosen else within[alike].any()):
        return Cut(np.empty(0, dtype=np.int64), tables)
    scores = np.where(within, touched.scores, 0.0)
    best = int(np.argmax(scores))
    # Mere measures choose no row.
    holders = [
        at for hits, at in zip(evidence.hits, chosen, strict=True) if at.size and not hits.generic
    ]
    sure = all((at == best).any() for at in holders)
    line = (CLOSE_TO_BEST if sure else CLOSE_TO_UNSURE) * scores[best]
    kept = within & (scores >= line - _TIE)
    # Meaning orders rows that words find alike; it does not tell them apart.
    words = touched.some_parts["value"] + touched.some_parts["name"]
    kept |= within & (words >= words[best] - _TIE) & (words[best] > 0)
    added = np.zeros(len(kept), dtype=bool)
    for at in holders:
        if shape == MIXED or not kept[at].any():
            added[_ties_for_best(at, scores)] = True
    matched = np.flatnonzero(kept | added)
    matched = matched[np.argsort(-scores[matched], kind="stable")]
    met = _mask(touched.tables[matched], len(meant))
    return Cut(
        touched.rows[matched],
        tables[met[tables]],
        float(line),
        sure,
        frozenset(touched.rows[added & ~kept].tolist()),
    )


def named_items(evidence: Evidence) -> int:
    """How many different rows, or sets of equal rows, the question names: by a row's name, or by
    words, not numbers, in another cell or the group."""
    meant = _mask(cut_tables(evidence), len(evidence.facts.size))
    named = set()
    for number, hits in enumerate(evidence.hits):
        if hits.generic:
            continue
        at = _chosen(evidence, number, meant, names_only=hits.term.key[0].isdigit())
        if at.size:
            named.add(_ties_for_best(at, evidence.touched.scores).tobytes())
    return len(named)


def _chosen(
    evidence: Evidence, number: int, meant: np.ndarray, *, names_only: bool = False
) -> np.ndarray:
    """(k,) int: places among the touched rows of those in tables that are meant, (m,) bool, that
    one term chooses by value; a label of the table chooses none."""
    hits, at, touched = evidence.hits[number], evidence.touched.at[number], evidence.touched
    allowed = meant & (hits.labels == 0)
    if not hits.rows.size or not allowed.any():
        return np.empty(0, dtype=np.int64)
    chosen = allowed[touched.tables[at]]
    if names_only:
        chosen &= hits.fields == NAME
    return np.flatnonzero(chosen) if isinstance(at, slice) else at[chosen]


def _ties_for_best(at: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Those of some places that share the best score."""
    of_these = scores[at]
    return at[of_these >= of_these.max() - _TIE]


def _mask(numbers: np.ndarray, size: int) -> np.ndarray:
    mask = np.zeros(size, dtype=bool)
    mask[numbers] = True
    return mask
