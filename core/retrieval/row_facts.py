"""What each row is, whatever the question: its name, whether it is a total, a yes or a no."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.retrieval.postings import NAME, Postings
from core.words import text_to_keys

GENERIC = frozenset(
    text_to_keys(
        "total number value amount percentage average mean proportion share rate report year sum "
        "overall count figure level name type table"
    )
)
"""Keys that name a measure rather than a thing, so that they hardly tell one row from another."""
GENERIC_WEIGHT = 0.3

_TOTAL = r"(?:grand |sub-?)?totals?\b|all\b|overall\b"


class RowFacts:
    """Facts about the n rows of a row_df in m tables, one array each.

    Attributes:
        table: (n,) int: number of each row's table.
        table_ids: names of the tables by their numbers, and `number_of` the other way round.
        size: (m,) int: body rows of each table.
        unit: (m,) float: weight of a word that only one row of the table has.
        name_mass: (n,) float: weight of all words of each row's name.
        is_total: (n,) bool: the name begins with total, all or overall.
        polarity: (n,) int: 1 for a row named yes, -1 for one named no.
    """

    def __init__(self, row_df: pd.DataFrame, postings: Postings) -> None:
        self.table, table_ids = pd.factorize(row_df["table_id"])
        self.table_ids = [str(table_id) for table_id in table_ids]
        self.number_of = {table_id: at for at, table_id in enumerate(self.table_ids)}
        self.size = np.bincount(self.table, minlength=len(self.table_ids))
        self._by_table = np.argsort(self.table, kind="stable")
        self._ends = np.cumsum(self.size)
        self.unit = rarity(np.ones(len(self.size)), self.size)
        self.name_mass = self._name_mass(postings)
        self._first = [cells[0] if len(cells) else "" for cells in row_df["row_cells"]]
        self._group = row_df["row_group"].tolist()
        self._grouped = (row_df["row_group"] != "").to_numpy(dtype=bool)
        names = pd.Series(self._first, dtype="str").str.strip().str.casefold()
        self.is_total = names.str.match(_TOTAL).to_numpy(dtype=bool)
        self.polarity: np.ndarray = names.eq("yes").to_numpy(np.int8) - names.eq("no").to_numpy(
            np.int8
        )

    def rows_of(self, table: int) -> np.ndarray:
        """(k,) int: the rows of a table, ascending."""
        end = int(self._ends[table])
        return self._by_table[end - int(self.size[table]) : end]

    def groups(self, rows: np.ndarray) -> list[str]:
        """Section paths of some rows; none where every row stands outside of sections."""
        if not self._grouped[rows].any():
            return []
        return [self._group[row] for row in rows.tolist()]

    def names(self, rows: np.ndarray) -> list[str]:
        """Group and name of some rows, as embeddings read them."""
        return [f"{self._group[row]} {self._first[row]}".strip() for row in rows.tolist()]

    def first_cells(self, rows: np.ndarray) -> list[str]:
        """The names alone."""
        return [self._first[row] for row in rows.tolist()]

    def weights(self, keys_rows: np.ndarray) -> np.ndarray:
        """(k,) float: weight of a key in each of the rows that hold it, which `keys_rows` lists:
        its rarity among the rows of that row's table.
        """
        tables = self.table[keys_rows]
        counts = np.bincount(tables, minlength=len(self.size))
        return rarity(counts, self.size)[tables]

    def _name_mass(self, postings: Postings) -> np.ndarray:
        named = postings.fields == NAME
        codes, rows = postings.codes[named], postings.rows[named]
        tables = self.table[rows]
        _, pair, counts = np.unique(
            codes * len(self.size) + tables, return_inverse=True, return_counts=True
        )
        generic = np.zeros(len(postings.vocabulary), dtype=bool)
        generic[[code for key, code in postings.vocabulary.items() if key in GENERIC]] = True
        weight = rarity(counts[pair], self.size[tables])
        weight *= np.where(generic[codes], GENERIC_WEIGHT, 1.0)
        return np.bincount(rows, weights=weight, minlength=len(self.table))


def rarity(counts: np.ndarray, total: np.ndarray | int) -> np.ndarray:
    """BM25's inverse document frequency (Robertson and Zaragoza 2009), always above 0."""
    return np.log1p((total - counts + 0.5) / (counts + 0.5))
