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

from core.tables.cells import SPECIAL, UNSURE_BARS, clean_cell, split_row
from core.tables.columns import as_arrow, list_array, list_sizes, matches

# Rule 2 as written; a wholly blank row would pass, so the safe reading asks for a dash a cell.
_SEPARATOR_STRICT = r"^\|[-:| ]*\|$"
_SEPARATOR = r"^\|(\s*:?-+:?\s*\|)+$"


@dataclass(frozen=True)
class PipeLines:
    """The n pipe lines of a line_df in reading order, column by column."""

    line: np.ndarray
    """(n,) int: position in the checked line_df."""
    page_num: np.ndarray
    """(n,) int"""
    is_separator: np.ndarray
    """(n,) bool"""
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
    def blank(self) -> list[int]:
        """Rows whose cells are all empty, ascending."""
        sizes = pc.binary_length(self.cells.flatten()).to_numpy(zero_copy_only=False)
        ends = np.concatenate([[0], np.cumsum(sizes)])[self.cells.offsets.to_numpy()]
        return np.flatnonzero(np.diff(ends) == 0).tolist()

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
        pc.match_substring(pc.utf8_slice_codeunits(stripped, 1, -1), "|"),
    )
    line = np.flatnonzero(is_pipe.to_numpy(zero_copy_only=False))
    text = stripped.take(pa.array(line))
    separator = _SEPARATOR_STRICT if strict else _SEPARATOR
    return PipeLines(
        line=line,
        page_num=line_df["page_num"].to_numpy()[line],
        is_separator=matches(text, separator),
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
    """Cells as content. Python sees only what is special: rows whose bars may be content are
    split one by one, and of the rest those cells are cleaned that hold more than plain text."""
    special = matches(text, SPECIAL)
    if not special.any():
        return _split_plainly(text)
    bars_unsure = special.copy()
    bars_unsure[special] = matches(text.filter(pa.array(special)), UNSURE_BARS)
    both = pa.concat_arrays(
        [
            _clean(_split_plainly(text.filter(pa.array(~bars_unsure))), special[~bars_unsure]),
            pa.array(
                [split_row(row) for row in text.filter(pa.array(bars_unsure)).to_pylist()],
                type=pa.large_list(pa.large_string()),
            ),
        ]
    )
    # Both parts keep their order, so a line's place is its rank within its own kind.
    sure = np.cumsum(~bars_unsure)
    place = np.where(bars_unsure, sure[-1] + np.cumsum(bars_unsure) - 1, sure - 1)
    return both.take(pa.array(place))


def _clean(cells: pa.LargeListArray, special: np.ndarray) -> pa.LargeListArray:
    """The same lists with the cells of special rows cleaned."""
    sizes = list_sizes(cells)
    values = cells.flatten()
    suspects = np.flatnonzero(np.repeat(special, sizes))
    suspects = suspects[matches(values.take(pa.array(suspects)), SPECIAL)]
    if not suspects.size:
        return cells
    cleaned = [clean_cell(cell) for cell in values.take(pa.array(suspects)).to_pylist()]
    mask = np.zeros(len(values), dtype=bool)
    mask[suspects] = True
    values = pc.replace_with_mask(values, pa.array(mask), pa.array(cleaned, type=pa.large_string()))
    return list_array(sizes, values)
