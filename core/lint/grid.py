"""The cells of many tables end to end, looked at all at once.

A search over the cells of one small table costs as much as one over a thousand cells: what every
table is asked for is worked out over all of them, when the first rule asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, chain, pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.tables import Table
from core.tables.columns import matches

_LETTERS = r"A-Za-z\x{c0}-\x{d6}\x{d8}-\x{f6}\x{f8}-\x{1fff}\x{2c00}-\x{d7ff}"
# A number and what may stand beside it: signs, a currency before it, a short unit after it.
_NUMBER = rf"^(?:[A-Z]{{3}}\s)?[^{_LETTERS}\d]*\d[^{_LETTERS}]*(?:[{_LETTERS}]{{1,3}}\W*)?$"
# Where a second number may begin: most cells are told from those with several by this alone.
_GAP = r"\d[,.]?[)%]?\s+[-+−–(]?[$€£]?\d"
_LEADERS = r"\.{4,}|(?:\.\s){3,}|…{2,}|(?:…\s){2,}|·{4,}|_{6,}$"


class Cells:
    """Cells under labels, table by table and row by row: n of them."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self.by_table = [_texts(table) for table in tables]
        ends = accumulate(map(len, self.by_table), initial=0)
        self.stretches = [slice(*pair) for pair in pairwise(ends)]
        """Where in the arrays below the cells of each table are."""

    @cached_property
    def array(self) -> pa.Array:
        """(n,) str"""
        return pa.array(chain.from_iterable(self.by_table), type=pa.large_string())

    @cached_property
    def length(self) -> np.ndarray:
        """(n,) int: characters"""
        return np.asarray(pc.utf8_length(self.array))

    @cached_property
    def spaces(self) -> np.ndarray:
        """(n,) int: spaces, one fewer than words"""
        return np.asarray(pc.count_substring(self.array, " "))

    @cached_property
    def numeric(self) -> np.ndarray:
        """(n,) bool: the cell holds a number, with its unit or without"""
        return matches(self.array, _NUMBER)

    @cached_property
    def gap(self) -> np.ndarray:
        """(n,) bool: two numbers stand side by side in the cell"""
        return matches(self.array, _GAP)

    @cached_property
    def leaders(self) -> np.ndarray:
        """(n,) bool: the cell holds dots that lead to a page number"""
        return matches(self.array, _LEADERS)


def _texts(table: Table) -> list[str]:
    rows, width = table.rows, len(table.header.folded)
    if any(len(row) != width for row in rows):
        rows = [[*row[:width], *[""] * (width - len(row))] for row in rows]
    return list(chain.from_iterable(rows))
