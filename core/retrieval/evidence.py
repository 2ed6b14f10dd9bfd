"""Where each term of a question hits: labels and captions of tables, values of rows.

A label is not a value. Labels travel with every row, so a term that hits only labels
chooses tables and columns; a term that hits cells, or the row's group, chooses rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.retrieval.terms import Term, keys_of, text_to_keys

ROW_NAME, OTHER_CELL = 1.0, 0.6
"""Weight of a hit in the first column or the row's group, which name the row, or elsewhere."""
LABEL, CAPTION, SOME_VALUE = 1.0, 0.8, 0.5
"""What a hit says for a table: on a label, on its caption, on a value somewhere in it."""
LABEL_FOR_ROW = 0.3
"""What a label hit adds to the rows of its table, so that a row where both agree comes first."""


@dataclass(frozen=True)
class Evidence:
    """What the q terms of a question hit among n rows and m tables."""

    terms: list[Term]
    value_hits: np.ndarray
    """(n, q) float: weight of each term's value hit in each row, 0 where it hits none."""
    labels: np.ndarray
    """(m, q) bool: the term is in a column label of the table."""
    tables: np.ndarray
    """(m, q) float: weight of each term for each table as a whole."""
    row_table: np.ndarray
    """(n,) int: table number of each row."""
    row_weight: np.ndarray
    """(q,) float: how rare the term is among rows (idf)."""
    table_weight: np.ndarray
    """(q,) float: how rare the term is among tables (idf)."""

    @property
    def row_scores(self) -> np.ndarray:
        """(n,) float: score of every row with a value hit, labels of its table counted in."""
        labels = self.labels[self.row_table] * LABEL_FOR_ROW
        scores = np.maximum(self.value_hits, labels) @ self.row_weight
        return np.where(self.value_hits.any(axis=1), scores, 0.0)

    @property
    def table_scores(self) -> np.ndarray:
        """(m,) float: score of every table as a whole."""
        return self.tables @ self.table_weight

    def hit_anywhere(self) -> np.ndarray:
        """(q,) bool: terms that occur in some table."""
        return np.any(self.tables > 0, axis=0).reshape(-1)


class RowIndex:
    """Words of all rows, labels and captions of a row_df, looked up by question terms."""

    def __init__(self, row_df: pd.DataFrame) -> None:
        self.n_rows = len(row_df)
        self.row_table, table_ids = pd.factorize(row_df["table_id"])
        self.table_ids = [str(table_id) for table_id in table_ids]
        self._postings = _value_postings(row_df)
        first = row_df.drop_duplicates("table_id")
        self._labels = [keys_of(labels) for labels in first["column_headers"]]
        # "Table 1" must not answer to every question with a 1 in it.
        self._captions = [
            {key for key in keys_of([caption]) if not key.isdigit()} for caption in first["caption"]
        ]

    def evidence(self, terms: Sequence[Term]) -> Evidence:
        """Where each term hits."""
        values = np.zeros((self.n_rows, len(terms)))
        labels = np.zeros((len(self.table_ids), len(terms)), dtype=bool)
        tables = np.zeros(labels.shape)
        for at, term in enumerate(terms):
            rows, weights = self._postings.get(term.key, _NOTHING)
            values[rows, at] = weights
            labels[:, at] = [term.key in keys for keys in self._labels]
            in_caption = np.array([term.key in keys for keys in self._captions], dtype=bool)
            counts = np.bincount(self.row_table[rows], minlength=len(self.table_ids))
            tables[:, at] = np.select(
                [labels[:, at], in_caption, counts > 0], [LABEL, CAPTION, SOME_VALUE], 0.0
            )
        return Evidence(
            terms=list(terms),
            value_hits=values,
            labels=labels,
            tables=tables,
            row_table=self.row_table,
            row_weight=_rarity((values > 0).sum(axis=0), self.n_rows),
            table_weight=_rarity((tables > 0).sum(axis=0), len(self.table_ids)),
        )


_NOTHING = (np.empty(0, dtype=np.int64), np.empty(0))


def _value_postings(row_df: pd.DataFrame) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """key -> rows it occurs in and the best weight it has there."""
    best: defaultdict[str, dict[int, float]] = defaultdict(dict)
    rows = zip(row_df["row_cells"], row_df["row_group"], strict=True)
    for at, (cells, group) in enumerate(rows):
        for cell in cells[1:]:
            for key in text_to_keys(cell):
                best[key][at] = OTHER_CELL
        for name in (*cells[:1], group):
            for key in text_to_keys(name):
                best[key][at] = ROW_NAME
    return {
        key: (np.fromiter(hits, np.int64), np.fromiter(hits.values(), float))
        for key, hits in best.items()
    }


def _rarity(counts: np.ndarray, total: int) -> np.ndarray:
    """BM25's inverse document frequency (Robertson and Zaragoza 2009), always above 0."""
    return np.log1p((total - counts + 0.5) / (counts + 0.5))
