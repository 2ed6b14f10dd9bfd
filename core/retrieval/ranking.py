"""Evidence -> rows and tables in the order of their scores."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.retrieval.evidence import Evidence

MOST_RANKED = 1_000
"""Rows that a ranking lists at most."""
_COLUMNS = ("table_id", "row_index", "page_num", "line_num")


def rank_rows(evidence: Evidence, row_df: pd.DataFrame) -> pd.DataFrame:
    """See `Retrieval.ranking`."""
    touched, scores = evidence.touched, evidence.touched.scores
    listed = scores > 0
    meant = listed & (evidence.table_scores > 0)[touched.tables]
    if np.count_nonzero(meant) >= MOST_RANKED:
        listed = meant
    some = np.flatnonzero(listed)
    of_table = evidence.table_scores[touched.tables[some]]
    if len(some) > MOST_RANKED:
        # Rows of the best tables first; only what can be listed is sorted.
        places = of_table * (scores.max() + 1.0) + scores[some] / (scores.max() + 1.0)
        near = _highest(places, MOST_RANKED)
        some, of_table = some[near], of_table[near]
    best = some[np.lexsort((some, -scores[some], -of_table))]
    position = touched.rows[best]
    # Column by column: rows of a whole frame are copied with all their columns.
    ranked = {name: row_df[name].iloc[position].array for name in _COLUMNS}
    return pd.DataFrame({**ranked, "score": scores[best], "position": position})


def rank_tables(evidence: Evidence) -> pd.DataFrame:
    """See `Retrieval.table_ranking`."""
    scores = evidence.table_scores
    best = np.argsort(-scores, kind="stable")
    best = best[scores[best] > 0]
    names = evidence.facts.table_ids
    return pd.DataFrame({"table_id": [names[at] for at in best], "score": scores[best]})


def _highest(values: np.ndarray, count: int) -> np.ndarray:
    """(count,) int: where the highest values are; of those that tie for the last, the first."""
    last = -np.partition(-values, count - 1)[count - 1]
    higher = np.flatnonzero(values > last)
    return np.concatenate([higher, np.flatnonzero(values == last)[: count - len(higher)]])
