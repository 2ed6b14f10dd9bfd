"""Pipe rows that a parser wrote in an odd form: cut into several text lines, or of one cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.tables.cells import split_row
from core.tables.columns import SEPARATOR, matches

_MOST_LINES = 6
"""Text lines that one row may be cut into."""

_ONE_CELL_SEPARATOR = r"^\|\s*:?-{2,}:?\s*\|$"


@dataclass(frozen=True)
class SplitRow:
    """A row cut into the text lines first..last (positions in line_df)."""

    first: int
    last: int
    text: str
    cells: list[str]


def find_split_rows(
    text: pa.Array, page_num: np.ndarray, opens: np.ndarray, closes: np.ndarray, is_pipe: np.ndarray
) -> list[SplitRow]:
    """Rows cut into several text lines: one opens with a bar, the last one closes with one.

    `opens` and `closes` (n,) bool say which lines begin and end with a bar. The joined row counts
    only where it has the width of a row directly above or below it; all else stays text.
    """
    starts = np.flatnonzero(opens & ~closes)
    if not starts.size:
        return []
    ends = np.flatnonzero(closes & ~opens)
    after = np.searchsorted(ends, starts)
    near = after < len(ends)
    starts, last = starts[near], ends[after[near]]
    # A line that opens a row of its own, or a blank one, ends what was begun.
    stops = np.flatnonzero(opens | (pc.binary_length(text).to_numpy(zero_copy_only=False) == 0))
    begun = np.append(stops, len(text))[np.searchsorted(stops, starts, side="right")]
    whole = (last - starts < _MOST_LINES) & (last < begun) & (page_num[last] == page_num[starts])
    found = []
    for first, end in zip(starts[whole].tolist(), last[whole].tolist(), strict=True):
        joined = " ".join(text.slice(first, end + 1 - first).to_pylist())
        found.append(SplitRow(first, end, joined, split_row(joined)))
    return _beside_their_like(found, text, page_num, is_pipe)


def _beside_their_like(
    rows: Sequence[SplitRow], text: pa.Array, page_num: np.ndarray, is_pipe: np.ndarray
) -> list[SplitRow]:
    """Those of the rows that touch a row of the same width, be it one of them."""
    width_at: dict[int, int] = {}
    """Width of accepted rows by their first and last line."""

    def width(line: int, page: int) -> int:
        if not 0 <= line < len(text) or page_num[line] != page:
            return 0
        if is_pipe[line]:
            return len(split_row(text[line].as_py()))
        return width_at.get(line, 0)

    accepted: set[int] = set()
    for order in (rows, rows[::-1]):
        for row in order:
            size, page = len(row.cells), int(page_num[row.first])
            if size > 1 and size in (width(row.first - 1, page), width(row.last + 1, page)):
                accepted.add(row.first)
                width_at[row.first] = width_at[row.last] = size
    return [row for row in rows if row.first in accepted]


def one_cell_rows(text: pa.Array, bare: np.ndarray, is_pipe: np.ndarray) -> np.ndarray:
    """Which of the lines `|x|`, without a bar inside, are rows of a table.

    `bare` (b,) int holds their positions, ascending. They are a table of one column where a
    separator stands below the first of them, and a short row where they stand between two pipe
    rows. Returns positions.
    """
    if not bare.size:
        return bare
    separator = matches(text.take(pa.array(bare)), _ONE_CELL_SEPARATOR)
    block = np.cumsum(np.diff(bare, prepend=bare[0] - 1) != 1)
    starts = np.concatenate([[0], np.flatnonzero(np.diff(block)) + 1])
    ends = np.append(starts[1:], len(bare))
    before, after = bare[starts] - 1, bare[ends - 1] + 1
    above = (before >= 0) & is_pipe[np.maximum(before, 0)]
    below = (after < len(text)) & is_pipe[np.minimum(after, len(text) - 1)]
    second = np.minimum(starts + 1, len(bare) - 1)
    table = (ends - starts > 1) & separator[second] & ~separator[starts] & ~above & ~below
    short = above & below & (np.add.reduceat(separator, starts, dtype=int) == 0)
    short[short] = ~matches(text.take(pa.array(after[short])), SEPARATOR)
    return bare[np.repeat(table | short, ends - starts)]
