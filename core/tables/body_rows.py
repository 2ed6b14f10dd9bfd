"""The body rows of all tables, scanned in bulk for what is odd, and of one table for a close look.

Ordinary rows never become Python text here: the scan counts cells over all rows at once, and
only tables that hold something odd are looked at row by row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.tables.columns import matches
from core.tables.pipes import PipeLines

# More space than the usual one before a word, or a bullet: the label may be indented.
_INDENTED = (
    r"^\|[ \t]*(?:[ \t]{2}|[\x{a0}\x{2002}\x{2003}\x{3000}]|&nbsp;|&e[mn]sp;|&#160;|[-–·•]\s|\.\.)"
    r"[^|\d]*\p{L}"
)


@dataclass(frozen=True)
class BodyRows:
    """The n body rows of one table, or of all tables one after the other."""

    pipes: PipeLines
    lines: np.ndarray
    """(n,) int: pipe line of each row."""
    width: int
    """Labels of the header; 0 where rows of several tables stand together."""
    filled: np.ndarray
    """(n,) int: cells that hold text."""
    named: np.ndarray
    """(n,) bool: the first cell holds text."""
    same: np.ndarray
    """(n,) bool: one text is repeated in every cell."""
    indented: np.ndarray
    """(n,) bool: the label may be indented."""

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def alone(self) -> np.ndarray:
        """(n,) bool: the label is all that the row says."""
        return (self.filled == 1) & self.named | self.same

    def part(self, start: int, end: int, width: int) -> BodyRows:
        """Rows start to end, as a table with that many labels."""
        return self._with(slice(start, end), width)

    def keep(self, kept: np.ndarray) -> BodyRows:
        """The rows where `kept` is true."""
        return self._with(kept, self.width)

    def _with(self, rows: slice | np.ndarray, width: int) -> BodyRows:
        return BodyRows(
            self.pipes,
            self.lines[rows],
            width,
            self.filled[rows],
            self.named[rows],
            self.same[rows],
            self.indented[rows],
        )

    @cached_property
    def label_array(self) -> pa.Array:
        """(n,) str: the first cell of each row."""
        return _cell_column(self.pipes.cells, self.lines, 0)

    @cached_property
    def labels(self) -> list[str]:
        """The first cell of each row, as a list."""
        labels: list[str] = self.label_array.to_pylist()
        return labels

    def cells(self, at: Sequence[int] | np.ndarray) -> list[list[str]]:
        """Cells of some rows, each as a new list."""
        lines = self.lines[np.asarray(at, dtype=np.int64)]
        rows: list[list[str]] = self.pipes.cells.take(pa.array(lines)).to_pylist()
        return rows

    def printed_label(self, at: int) -> str:
        """The first cell of a row as printed, space and markup included."""
        text: str = self.pipes.text[int(self.lines[at])].as_py()
        return text[1:].split("|", 1)[0] if text.startswith("|") else ""


def scan_body(pipes: PipeLines, lines: np.ndarray) -> BodyRows:
    """Count the cells of the rows at these pipe lines, all at once."""
    offsets = pipes.cells.offsets.to_numpy()
    start, end = offsets[lines], offsets[lines + 1]
    length = pc.binary_length(pipes.cells.flatten()).to_numpy(zero_copy_only=False)
    filled = _sums(length > 0, start, end)
    width = end - start
    named = np.zeros(len(lines), dtype=bool)
    named[width > 0] = length[start[width > 0]] > 0
    like_next = np.append(length[1:] == length[:-1], False) if len(length) else length > 0
    same = (filled == width) & (width > 1)
    same[same] = _sums(like_next, start[same], end[same] - 1) == width[same] - 1
    same[same] = _all_equal(pipes.cells, lines[same])
    indented = matches(pipes.text, _INDENTED)[lines] & named
    return BodyRows(pipes, lines, 0, filled, named, same, indented)


def is_one_text(row: list[str]) -> bool:
    """Whether all that a row says is one word or phrase, as a unit over all columns does."""
    texts = set(row) - {""}
    return len(texts) == 1 and any(map(str.isalpha, texts.pop()))


def _sums(counted: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    total = np.concatenate([[0], np.cumsum(counted, dtype=np.int64)])
    sums: np.ndarray = total[end] - total[start]
    return sums


def _all_equal(cells: pa.LargeListArray, lines: np.ndarray) -> np.ndarray:
    """Whether these rows, two cells wide or more, hold one text in all their cells."""
    equal = pc.equal(_cell_column(cells, lines, 0), _cell_column(cells, lines, 1))
    found = equal.to_numpy(zero_copy_only=False).copy()
    rows = cells.take(pa.array(lines[found])).to_pylist()
    found[found] = np.array([len(set(row)) == 1 for row in rows], dtype=bool)
    return found


def _cell_column(cells: pa.LargeListArray, lines: np.ndarray, column: int) -> pa.Array:
    at = cells.offsets.to_numpy()[lines] + column
    return cells.flatten().take(pa.array(at))
