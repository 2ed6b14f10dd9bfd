"""Which rows hold each word, and in which field: an inverted index, built without a loop over rows.

Fields are weighted as in BM25F (Robertson, Zaragoza and Taylor 2004): the row's name (its first
cell), its group (the section label above it), its other cells, and cells of so many words that
any word may occur in them. Cells are too short for term frequency to say anything, so a hit counts
once, by the best field it occurs in.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa

from core.words import texts_to_keys

NAME, GROUP, OTHER, PROSE = 0, 1, 2, 3
"""Fields, best first; PROSE is a cell of more than PROSE_WORDS words."""
FIELD_NAMES = ("name", "group", "value", "prose")
FIELD_WEIGHTS = np.array([1.0, 0.8, 0.5, 0.3], dtype=np.float32)
"""Weight of a hit by field. Hit@1 is flat around these: see the sweep in tests/bench_retrieval."""

PROSE_WORDS = 8

_FIELDS = 4
"""Fields are packed into two bits."""
_NOTHING = (np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int8))


class Postings:
    """Rows by key. `rows(key)` is what a question asks; the arrays below serve whole-index sums.

    Attributes:
        codes: (p,) int64: code of the key of each posting, ascending.
        rows: (p,) int64: row of each posting, ascending within a key; each row once per key.
        fields: (p,) int8: best field in which the row holds the key.
    """

    def __init__(self, row_df: pd.DataFrame) -> None:
        self.n_rows = len(row_df)
        cells = pa.array(row_df["row_cells"].tolist(), type=pa.list_(pa.large_string()))
        widths = np.asarray(cells.value_lengths())
        group, titles = pd.factorize(row_df["row_group"])
        texts = pa.concat_arrays([cells.flatten(), pa.array(list(titles), type=pa.large_string())])
        tokens = texts_to_keys(texts)
        self.vocabulary = {key: code for code, key in enumerate(tokens.vocabulary)}
        n_cells = int(widths.sum())
        in_cells = int(np.searchsorted(tokens.texts, n_cells))
        row_of_cell = np.repeat(np.arange(self.n_rows), widths)
        first = np.zeros(n_cells, dtype=np.int64)
        first[(np.cumsum(widths) - widths)[widths > 0]] = 1
        at = tokens.texts[:in_cells]
        length = np.bincount(at, minlength=n_cells)
        by_cell = _packed(
            tokens.codes[:in_cells],
            row_of_cell[at],
            np.where(first[at] == 1, NAME, np.where(length[at] > PROSE_WORDS, PROSE, OTHER)),
            self.n_rows,
        )
        by_group = self._group_postings(
            group, tokens.codes[in_cells:], tokens.texts[in_cells:] - n_cells
        )
        packed = np.sort(np.concatenate([by_cell, by_group]))
        best = np.ones(len(packed), dtype=bool)
        best[1:] = packed[1:] // _FIELDS != packed[:-1] // _FIELDS
        pairs, fields = np.divmod(packed[best], _FIELDS)
        self.codes, self.rows = np.divmod(pairs, max(self.n_rows, 1))
        self.fields = fields.astype(np.int8)
        self._starts = np.searchsorted(self.codes, np.arange(len(self.vocabulary) + 1))

    def _group_postings(
        self, group: np.ndarray, codes: np.ndarray, titles: np.ndarray
    ) -> np.ndarray:
        """Postings of the words of each group's title, for every row of the group."""
        order = np.argsort(group, kind="stable")
        sizes = np.bincount(group, minlength=int(group.max(initial=-1)) + 1)
        starts = np.cumsum(sizes) - sizes
        times = sizes[titles]
        within = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        rows = order[np.repeat(starts[titles], times) + within]
        return _packed(np.repeat(codes, times), rows, np.int64(GROUP), self.n_rows)

    def holding(self, key: str) -> tuple[np.ndarray, np.ndarray]:
        """(k,) rows that hold the key, ascending, and the best field of each."""
        code = self.vocabulary.get(key)
        if code is None:
            return _NOTHING
        span = slice(self._starts[code], self._starts[code + 1])
        return self.rows[span], self.fields[span]


def _packed(
    codes: np.ndarray, rows: np.ndarray, field: np.ndarray | np.int64, n_rows: int
) -> np.ndarray:
    """One number per posting that sorts by key, row and field."""
    return (codes.astype(np.int64) * n_rows + rows) * _FIELDS + field
