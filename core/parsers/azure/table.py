"""A table's cells -> its rows as pipe lines with boxes. Pure.

A span is written out in every slot that it covers: a label over three columns or rows belongs to
each of them, `core.tables` then knows from the repeat what is a span and what is a blank cell, and
HTML tables (as the service's Markdown has them) come out the same. On the public tables at hand
headers fold right at least as often so as with blanks.

`kind` is a hint: the separator stands below the first rows whose cells are mostly columnHeader or
stubHead; where no row is, below the first one, as Markdown demands. The reading folds headers by
what the cells say either way.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.parsers.azure.json import Box, Span, one_line, union
from core.parsers.azure.model import Cell, TableRead

_HEADER_KINDS = ("columnHeader", "stubHead")
_FREE_REPEATS = 20_000
_REPEATS_PER_CHARACTER = 20
"""Characters that spans may add: a number, and a share of what the cells hold."""

_FREE_SLOTS = 100_000
_SLOTS_PER_CELL = 50
"""A grid with more slots than these is no grid but a damaged or hostile file."""

_UNSURE = re.compile(r"\\(?=[!-/:-@\[-`{-~]|$)|[|`]")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table."""

    page: int
    """Where it begins."""
    texts: list[str]
    box: Box | None
    spans: list[Span]
    """Of the cells that begin in it."""
    is_header: bool
    """Most of its cells are called headers."""

    @property
    def pipe(self) -> str:
        """The row as a pipe line."""
        return f"| {' | '.join(_escape(one_line(cell)) for cell in self.texts)} |"


@dataclass(frozen=True, slots=True)
class Rows:
    """A table as rows of one width."""

    rows: list[Row]
    n_header: int
    """First rows that are called headers."""
    loose: list[Cell]
    """Cells that have no place in the grid."""
    refused: str = ""
    """What was not done, and why."""

    @property
    def width(self) -> int:
        """Cells per row."""
        return len(self.rows[0].texts) if self.rows else 0

    def separator_after(self, *, continues: bool) -> int:
        """Rows above the separator, 0 for none: a lone row is text unless called a header, and
        rows that continue a table have no header of their own."""
        if self.n_header > 0 and (self.n_header < len(self.rows) or len(self.rows) == 1):
            return self.n_header
        return 0 if len(self.rows) < 2 or (continues and not self.n_header) else 1


def table_to_rows(table: TableRead, sideways: Mapping[int, bool]) -> Rows:
    """Rows in order. Rows and columns in which no cell begins are left out: they hold nothing.

    `sideways` tells pages whose text runs up or down, so that rows are upright strips.
    """
    placed = [cell for cell in table.cells if cell.row is not None and cell.column is not None]
    loose = [cell for cell in table.cells if cell.row is None or cell.column is None]
    grid = _Grid(placed)
    if grid.n_rows * grid.n_columns > _FREE_SLOTS + _SLOTS_PER_CELL * len(placed):
        return Rows([], 0, table.cells, "its cells make no grid and stand as lines of text")
    texts, repeated = grid.texts()
    rows: list[Row] = []
    for at, line in enumerate(texts):
        cover = grid.covering[at]
        begin = grid.beginning[at]
        page = max(_page(begin), rows[-1].page if rows else 1)
        rows.append(
            Row(
                page=page,
                texts=line,
                box=_row_box(grid, at, page, sideways=sideways.get(page, False)),
                spans=sorted(span for cell in begin for span in cell.spans),
                is_header=_is_header(cover),
            )
        )
    n_header = next((at for at, row in enumerate(rows) if not row.is_header), len(rows))
    refused = "" if repeated else "spans that would repeat far too much text are left blank"
    return Rows(rows, n_header, [cell for cell in loose if cell.text.strip()], refused)


class _Grid:
    """Cells by row and column, counting only rows and columns in which a cell begins."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        rows = sorted({cell.row for cell in cells if cell.row is not None})
        columns = sorted({cell.column for cell in cells if cell.column is not None})
        row_rank = {row: at for at, row in enumerate(rows)}
        column_rank = {column: at for at, column in enumerate(columns)}
        self.n_rows, self.n_columns = len(rows), len(columns)
        self.spread: list[tuple[Cell, range, range]] = []
        """Each cell with the rows and columns it covers."""
        self.beginning: list[list[Cell]] = [[] for _ in rows]
        self.heights: dict[int, int] = {}
        """Rows that a cell covers, by its id."""
        for cell in cells:
            if cell.row is None or cell.column is None:
                continue
            down = _reach(rows, row_rank[cell.row], cell.row + cell.row_span)
            across = _reach(columns, column_rank[cell.column], cell.column + cell.column_span)
            self.spread.append((cell, down, across))
            self.beginning[down.start].append(cell)
            self.heights[id(cell)] = len(down)
        self.spread.sort(key=lambda item: (item[1].start, item[2].start))
        self._reached: list[list[Cell]] | None = None

    @property
    def covering(self) -> list[list[Cell]]:
        """Per row the cells that begin in it or reach into it."""
        if self._reached is None:
            reached: list[list[Cell]] = [[] for _ in range(self.n_rows)]
            budget = _FREE_SLOTS + _SLOTS_PER_CELL * len(self.spread)
            for cell, down, _ in self.spread:
                budget -= len(down)
                for at in down if budget > 0 else down[:1]:
                    reached[at].append(cell)
            self._reached = reached
        return self._reached

    def texts(self) -> tuple[list[list[str]], bool]:
        """The text in every slot, and whether spans are written out."""
        slots = [[""] * self.n_columns for _ in range(self.n_rows)]
        taken: set[tuple[int, int]] = set()
        for cell, down, across in self.spread:
            line, at = slots[down.start], across.start
            line[at] = f"{line[at]} {cell.text}".strip()  # two cells in one slot: keep both
            taken.add((down.start, at))
        budget = _FREE_REPEATS
        budget += _REPEATS_PER_CHARACTER * sum(len(cell.text) for cell, _, _ in self.spread)
        for cell, down, across in self.spread:
            budget -= (len(cell.text) + 1) * (len(down) * len(across) - 1)
            if budget < 0:
                break
        else:
            for cell, down, across in self.spread:
                for slot in ((row, column) for row in down for column in across):
                    if slot not in taken:
                        slots[slot[0]][slot[1]] = cell.text
                        taken.add(slot)
        return slots, budget >= 0


def _reach(starts: Sequence[int], first: int, end: int) -> range:
    """Places from `first` on in the ascending `starts` that lie before `end`."""
    return range(first, max(first + 1, bisect_left(starts, end)))


def _page(cells: Iterable[Cell]) -> int:
    """Where the cells begin; those that say nothing of it only count if no other does."""
    cells = list(cells)
    sure = [cell for cell in cells if cell.regions or cell.spans]
    return min(cell.page for cell in sure or cells)


def _row_box(grid: _Grid, at: int, page: int, *, sideways: bool) -> Box | None:
    """Union of the cells that are this row alone, as wide as all that cover it.

    A label over several rows makes the row longer, never higher.
    """
    begin = [cell for cell in grid.beginning[at] if page in cell.regions]
    cover = [cell for cell in grid.covering[at] if page in cell.regions]
    if not begin:
        return None
    lowest = min(grid.heights[id(cell)] for cell in begin)
    own = [cell.regions[page] for cell in begin if grid.heights[id(cell)] == lowest]
    x0, y0, x1, y1 = union(own)
    wide = union([cell.regions[page] for cell in cover])
    return (x0, wide[1], x1, wide[3]) if sideways else (wide[0], y0, wide[2], y1)


def _is_header(cover: Sequence[Cell]) -> bool:
    if not any(cell.kind == _HEADER_KINDS[0] for cell in cover):
        return False
    said = [cell.kind in _HEADER_KINDS for cell in cover if cell.text.strip()]
    return 2 * sum(said) > len(said) or not said


def _escape(cell: str) -> str:
    """A cell's text as it stands between bars, so that it is read back as it was: bars, backticks
    (two of them would make code of what is between) and backslashes before punctuation."""
    return _UNSURE.sub(lambda match: "\\" + match.group(), cell)
