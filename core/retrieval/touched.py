"""The rows that a question touches: a few of a million, so that nothing else is ever summed up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

PARTS = ("value", "name", "meaning", "phrase", "total", "polarity")
"""Parts of a row's score, in the order in which they are explained."""
BY_WORDS = ("value", "name")
"""Those that are worked out for every row that a word hits."""


class Places:
    """c of n rows, and where each stands among them.

    Attributes:
        rows: (c,) int: the rows, ascending.
    """

    def __init__(self, n_rows: int, touched: Sequence[np.ndarray], *, everything: bool) -> None:
        mask = np.full(n_rows, everything)
        for rows in touched:
            mask[rows] = True
        self.rows = np.flatnonzero(mask)
        self._place = np.empty(n_rows, dtype=np.int64)
        self._place[self.rows] = np.arange(len(self.rows))

    def at(self, rows: np.ndarray) -> np.ndarray | slice:
        """Where some of the rows, ascending, stand: an index into arrays of all c."""
        return slice(None) if len(rows) == len(self.rows) else self._place[rows]


@dataclass(frozen=True)
class Touched:
    """The c rows that a question touches, and what each scores; every other row scores 0."""

    rows: np.ndarray
    """(c,) int: the rows, ascending."""
    tables: np.ndarray
    """(c,) int: the table of each."""
    at: list[np.ndarray | slice]
    """Of each term's hits, where their rows stand among these."""
    near: np.ndarray
    """(j,) int: where those rows stand for which all parts are worked out, not words alone."""
    near_similarity: np.ndarray
    """(j,) float: cosine of the question and the name of each of these; NaN if not asked."""
    some_parts: dict[str, np.ndarray]
    """Each of PARTS as a share of the scores: (c,) float those by words, (j,) float the others."""

    @cached_property
    def scores(self) -> np.ndarray:
        """(c,) float: sum of the parts."""
        total = np.zeros(len(self.rows))
        for name in PARTS:
            if name in BY_WORDS:
                total += self.some_parts[name]
            else:
                total[self.near] += self.some_parts[name]
        return total

    def scores_of(self, rows: np.ndarray) -> np.ndarray:
        """(k,) float: the scores of any rows."""
        if not self.rows.size:
            return np.zeros(len(rows))
        at = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
        return np.where(self.rows[at] == rows, self.scores[at], 0.0)

    def part(self, name: str, n_rows: int) -> np.ndarray:
        """(n,) float: one of PARTS for all rows."""
        whole = np.zeros(n_rows)
        whole[self.rows if name in BY_WORDS else self.rows[self.near]] = self.some_parts[name]
        return whole

    def similarity(self, n_rows: int) -> np.ndarray:
        """(n,) float: cosine of question and row name for all rows; NaN if not worked out."""
        whole = np.full(n_rows, np.nan)
        whole[self.rows[self.near]] = self.near_similarity
        return whole

    def all_scores(self, n_rows: int) -> np.ndarray:
        """(n,) float: the scores of all rows."""
        whole = np.zeros(n_rows)
        whole[self.rows] = self.scores
        return whole
