"""line_df -> which lines are pipe rows and separators, and the cells of each, in bulk.

Everything here works on Arrow columns, since it touches every line of a document.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from core.tables.cells import SPECIAL, split_row
from core.tables.columns import as_arrow, list_array, list_sizes, matches

# Rule 2 as written; a wholly blank row would pass, so the safe reading asks for a dash a cell.
_SEPARATOR_STRICT = r"^\|[-:| ]*\|$"
_SEPARATOR = r"^\|(\s*:?-+:?\s*\|)+$"
_BLANK = r"^[|\s]*$"


@dataclass(frozen=True)
class PipeLines:
    """The n pipe lines of a line_df in reading order, column by column."""

    line: np.ndarray
    """(n,) int: position in the checked line_df."""
    page_num: np.ndarray
    """(n,) int"""
    is_separator: np.ndarray
    """(n,) bool"""
    blank: list[int]
    """Positions of rows that hold bars and spaces only, ascending."""
    text: pa.Array
    """(n,) str, stripped."""
    cells: pa.LargeListArray
    """(n,) lists of str: the cells of each row, cleaned."""

    def __len__(self) -> int:
        return len(self.line)

    @cached_property
    def width(self) -> np.ndarray:
        """(n,) int: cells per line."""
        return list_sizes(self.cells)

    @cached_property
    def _flat(self) -> list[str]:
        return self.cells.flatten().to_pylist()

    @cached_property
    def _offsets(self) -> list[int]:
        return self.cells.offsets.to_pylist()

    @cached_property
    def page_starts(self) -> list[int]:
        """Pipe lines that stand on another page than the one before, ascending."""
        return (np.flatnonzero(np.diff(self.page_num)) + 1).tolist()

    def row(self, at: int) -> list[str]:
        """Cells of pipe line `at`, as a new list."""
        return self._flat[self._offsets[at] : self._offsets[at + 1]]

    def rows(self, at: np.ndarray) -> list[list[str]]:
        """Cells of many pipe lines, each as a new list."""
        flat, offsets = self._flat, self.cells.offsets.to_numpy()
        spans = zip(offsets[at].tolist(), offsets[at + 1].tolist(), strict=True)
        return [flat[start:end] for start, end in spans]


def find_pipe_lines(line_df: pd.DataFrame, *, strict: bool) -> PipeLines:
    """Pipe rows and separators of a checked line_df by rules 1 and 2, split into cells.

    With `strict` cells are cut at every bar; otherwise escapes, code spans, entities and
    line breaks are read as content.
    """
    stripped = pc.utf8_trim_whitespace(as_arrow(line_df["text"]))
    is_pipe = pc.and_(
        pc.and_(pc.starts_with(stripped, "|"), pc.ends_with(stripped, "|")),
        pc.greater_equal(pc.count_substring(stripped, "|"), 3),
    )
    line = np.flatnonzero(is_pipe.to_numpy(zero_copy_only=False))
    text = stripped.take(pa.array(line))
    separator = _SEPARATOR_STRICT if strict else _SEPARATOR
    return PipeLines(
        line=line,
        page_num=line_df["page_num"].to_numpy()[line],
        is_separator=matches(text, separator),
        blank=np.flatnonzero(matches(text, _BLANK)).tolist(),
        text=text,
        cells=_split_plainly(text) if strict else _split_safely(text),
    )


def _split_plainly(text: pa.Array) -> pa.LargeListArray:
    """Cells cut at every bar. `text` has a bar at both ends, so the outer two parts are empty."""
    interior = pc.utf8_slice_codeunits(text, 1, -1)
    parts = pc.split_pattern(interior, "|")
    values = pc.utf8_trim_whitespace(pc.list_flatten(parts))
    return list_array(list_sizes(parts), values)


def _split_safely(text: pa.Array) -> pa.LargeListArray:
    special = matches(text, SPECIAL)
    if not special.any():
        return _split_plainly(text)
    plain = _split_plainly(text.filter(pa.array(~special)))
    read = [split_row(row) for row in text.filter(pa.array(special)).to_pylist()]
    both = pa.concat_arrays([plain, pa.array(read, type=pa.large_list(pa.large_string()))])
    # Both parts keep their order, so a line's place is its rank within its own kind.
    place = np.where(special, len(plain) + np.cumsum(special) - 1, np.cumsum(~special) - 1)
    return both.take(pa.array(place))
