"""line_df -> its rows: which lines are pipe rows and separators, and the cells of each, in bulk.

Everything here works on Arrow columns, since it touches every line of a document. The few rows
that are written in an odd form are found by `odd_rows` and put in their places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from core.frames import BOX_COLUMNS
from core.tables.cells import SPECIAL, UNSURE_BARS, clean_cell, split_row
from core.tables.columns import SEPARATOR, as_arrow, list_array, list_sizes, matches
from core.tables.odd_rows import OddRow, OddRows, find_odd_rows

# Rule 2 as written; a wholly blank row would pass, so the safe reading asks for a dash a cell.
_SEPARATOR_STRICT = r"^\|[-:| ]*\|$"


@dataclass(frozen=True)
class PipeLines:
    """The n pipe lines of a line_df in reading order, column by column.

    Rows of HTML tables stand among them, with a separator below their header as in Markdown.
    """

    line: np.ndarray
    """(n,) int: position in the checked line_df, where the row begins: its citation."""
    page_num: np.ndarray
    """(n,) int"""
    is_separator: np.ndarray
    """(n,) bool"""
    text: pa.Array
    """(n,) str, stripped."""
    cells: pa.LargeListArray
    """(n,) lists of str: the cells of each row, cleaned."""
    first: np.ndarray
    """(n,) int: position of the first line that belongs to the row, before `line` where an HTML
    table opens on lines of its own."""
    last: np.ndarray
    """(n,) int: position of the last line that belongs to the row."""
    block: np.ndarray
    """(n,) int: number of the HTML table the row is from, 0 for pipe lines."""
    assumed: frozenset[int] = frozenset()
    """Separators below a first row that no markup calls a header."""
    captions: Mapping[int, str] = field(default_factory=dict)
    """Captions that HTML tables carry, by their first row."""
    notes: Sequence[tuple[int, str]] = ()
    """What is to be noted about single rows, ascending."""

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

    def with_cells(self, rows: Mapping[int, Sequence[str]]) -> PipeLines:
        """The same lines with the cells of some of them replaced."""
        if not rows:
            return self
        again = pa.array([list(row) for row in rows.values()], type=self.cells.type)
        order = np.arange(len(self))
        order[list(rows)] = len(self) + np.arange(len(rows))
        return replace(self, cells=pa.concat_arrays([self.cells, again]).take(pa.array(order)))

    def lines_of(self, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All lines of the rows `at`, as positions in line_df, and for each the place in `at` of
        the row it belongs to. Separators that stand in no line have none."""
        sizes = self.last[at] - self.line[at] + 1
        sizes[self.is_separator[at] & (self.block[at] > 0)] = 0
        owner = np.repeat(np.arange(len(at)), sizes)
        step = np.arange(len(owner)) - (np.cumsum(sizes) - sizes)[owner]
        return self.line[at][owner] + step, owner

    def boxes(self, line_df: pd.DataFrame, at: np.ndarray) -> dict[str, np.ndarray]:
        """Box columns of the rows `at`: of a row on several lines, the union of their boxes on
        the page where it begins."""
        boxes = {column: line_df[column].to_numpy()[self.line[at]] for column in BOX_COLUMNS}
        long = np.flatnonzero(self.last[at] > self.line[at])
        if not long.size:
            return boxes
        lines, owner = self.lines_of(at[long])
        same = line_df["page_num"].to_numpy()[lines] == self.page_num[at[long]][owner]
        lines, starts = lines[same], np.flatnonzero(np.diff(owner[same], prepend=-1))
        for column, union in zip(BOX_COLUMNS, (np.fmin, np.fmin, np.fmax, np.fmax), strict=True):
            values = line_df[column].to_numpy()[lines]
            boxes[column][long] = union.reduceat(values, starts)
        return boxes


def find_pipe_lines(line_df: pd.DataFrame, *, strict: bool) -> PipeLines:
    """Pipe rows and separators of a checked line_df by rules 1 and 2, split into cells.

    With `strict` cells are cut at every bar; otherwise escapes, code spans, entities and
    line breaks are read as content, and rows in other forms are found too: HTML, rows cut into
    several text lines, tables of one column. Code and the text of pictures hold none.
    """
    stripped = pc.utf8_trim_whitespace(as_arrow(line_df["text"]))
    page_num = line_df["page_num"].to_numpy()
    opens, closes = pc.starts_with(stripped, "|"), pc.ends_with(stripped, "|")
    barred = pc.match_substring(pc.utf8_slice_codeunits(stripped, 1, -1), "|")
    is_pipe = pc.and_(pc.and_(opens, closes), barred).to_numpy(zero_copy_only=False)
    odd = OddRows(is_pipe)
    if not strict:
        odd = find_odd_rows(stripped, page_num, opens, closes, is_pipe)
    line = np.flatnonzero(odd.is_pipe)
    text = stripped.take(pa.array(line))
    pipes = PipeLines(
        line=line,
        page_num=page_num[line],
        is_separator=matches(text, _SEPARATOR_STRICT if strict else SEPARATOR),
        text=text,
        cells=_split_plainly(text) if strict else _split_safely(text),
        first=line,
        last=line,
        block=np.zeros(len(line), dtype=np.int64),
    )
    return _with_odd_rows(pipes, odd.rows, page_num) if odd.rows else pipes


def _with_odd_rows(pipes: PipeLines, rows: Sequence[OddRow], page_num: np.ndarray) -> PipeLines:
    """The pipe lines with further rows, given in reading order, in their places."""
    line = np.concatenate([pipes.line, [row.line for row in rows]])
    order = np.argsort(line, kind="stable")
    place = np.argsort(order, kind="stable")[len(pipes) :].tolist()
    at = list(zip(place, rows, strict=True))
    text = pa.array([row.text for row in rows], type=pa.large_string())
    cells = pa.array([row.cells for row in rows], type=pipes.cells.type)
    taken = pa.array(order)
    return PipeLines(
        line=line[order],
        page_num=page_num[line[order]],
        is_separator=np.append(pipes.is_separator, [row.is_separator for row in rows])[order],
        text=pa.concat_arrays([pipes.text, text]).take(taken),
        cells=pa.concat_arrays([pipes.cells, cells]).take(taken),
        first=np.append(pipes.first, [row.first for row in rows])[order],
        last=np.append(pipes.last, [row.last for row in rows])[order],
        block=np.append(pipes.block, [row.block for row in rows])[order],
        assumed=frozenset(spot for spot, row in at if row.is_assumed),
        captions={spot: row.caption for spot, row in at if row.caption},
        notes=[(spot, note) for spot, row in at for note in row.notes],
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
