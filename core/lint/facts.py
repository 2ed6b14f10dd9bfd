"""What the rules ask about a table, each fact worked out once and only if a rule asks.

Cells stand in Arrow arrays and become (n_rows, width) arrays of numbers and truths, so that a
table of a hundred thousand rows costs little Python per cell.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pyarrow as pa

from core.lint.grid import Cells
from core.lint.lines import Lines, Pages
from core.lint.model import Defect, Lint
from core.tables import Table

_MOSTLY = 0.6


class Facts:
    """One table, looked at closely.

    `width` is the number of labels; cells beyond it count in `sizes` alone.
    """

    def __init__(
        self,
        table: Table,
        lines: Lines,
        cells: Cells,
        at: int,
        *,
        pages: Pages | None = None,
        previous: Facts | None = None,
    ) -> None:
        self.table = table
        self.lines = lines
        self._all, self._stretch = cells, cells.stretches[at]
        self.texts = cells.by_table[at]
        """Cells under labels, row by row: n_rows * width of them."""
        self.pages = pages
        """None where their sizes are not known."""
        self.previous = previous
        """The table before this one in the document."""
        self.labels = table.header.folded
        self.width = len(self.labels)
        self.n_rows = len(table.rows)

    # ---------------------------------------------------------------- cells

    @cached_property
    def sizes(self) -> np.ndarray:
        """(n_rows,) int: cells of each row, those beyond the labels included."""
        return np.fromiter(map(len, self.table.rows), dtype=np.int64, count=self.n_rows)

    @cached_property
    def cells(self) -> pa.Array:
        """`texts` as an Arrow array."""
        return self._all.array[self._stretch]

    def grid(self, per_cell: np.ndarray) -> np.ndarray:
        """One entry per cell -> (n_rows, width)."""
        return per_cell.reshape(self.n_rows, self.width)

    def column_texts(self, column: int) -> list[str]:
        """Cells of one column."""
        return self.texts[column :: self.width]

    @cached_property
    def length(self) -> np.ndarray:
        """(n_rows, width) int: characters per cell."""
        return self.grid(self._all.length[self._stretch])

    @cached_property
    def spaces(self) -> np.ndarray:
        """(n_rows, width) int: spaces per cell, one fewer than its words."""
        return self.grid(self._all.spaces[self._stretch])

    @cached_property
    def filled(self) -> np.ndarray:
        """(n_rows, width) bool: the cell holds text."""
        return self.length > 0

    @cached_property
    def numeric(self) -> np.ndarray:
        """(n_rows, width) bool: the cell holds a number, with its unit or without."""
        return self.grid(self._all.numeric[self._stretch])

    @cached_property
    def gap(self) -> np.ndarray:
        """(n_rows, width) bool: two numbers stand side by side in the cell."""
        return self.grid(self._all.gap[self._stretch])

    @cached_property
    def leaders(self) -> np.ndarray:
        """(n_rows, width) bool: the cell holds dots that lead to a page number."""
        return self.grid(self._all.leaders[self._stretch])

    @cached_property
    def row_filled(self) -> np.ndarray:
        """(n_rows,) int: cells of each row that hold text."""
        return self.filled.sum(axis=1)

    @cached_property
    def column_filled(self) -> np.ndarray:
        """(width,) int: cells of each column that hold text."""
        return self.filled.sum(axis=0)

    @cached_property
    def column_numeric(self) -> np.ndarray:
        """(width,) bool: most of what the column holds are numbers."""
        numbers = self.numeric.sum(axis=0)
        return (numbers > 0) & (numbers >= _MOSTLY * self.column_filled)

    # ---------------------------------------------------------------- header

    @cached_property
    def has_labels(self) -> bool:
        """Whether any column has a label."""
        return any(self.labels)

    @cached_property
    def repeated_rows(self) -> list[int]:
        """Rows that say what a line of the header says."""
        headers = {
            tuple(label.casefold() for label in line)
            for line in (self.labels, *self.table.header.raw)
            if any(line[1:])
        }
        firsts = {line[0] for line in headers}
        return [
            at
            for at, row in enumerate(self.table.rows)
            if row
            and row[0].casefold() in firsts
            and tuple(cell.casefold() for cell in row) in headers
        ]

    # ---------------------------------------------------------------- findings

    def lint(
        self,
        defect: Defect,
        message: str,
        *,
        row: int | None = None,
        column: int | None = None,
        line: int | None = None,
        count: int = 1,
        severity: str | None = None,
    ) -> Lint:
        """A finding placed at a body row, at a position in line_df, or else at the header."""
        at = self._line_of(row, column) if line is None else line
        if row is None and self.lines.role[at] == "row" and line is not None:
            row = int(self.lines.row_index[at])
        return Lint(
            code=defect.code,
            severity=severity or defect.severity,
            table_id=self.table.table_id,
            message=message,
            why=defect.why,
            remedy=defect.remedy,
            page_num=int(self.lines.page_num[at]),
            line_num=int(self.lines.line_num[at]),
            role=str(self.lines.role[at]),
            row_index=row,
            column=column,
            count=count,
        )

    def _line_of(self, row: int | None, column: int | None) -> int:
        if row is not None:
            return int(np.argmax(self.lines.row_index == row))
        header = np.flatnonzero(self.lines.role == "header").tolist()
        if column is not None and len(header) == self.table.header.depth:
            # The lowest line that prints the column's label.
            lines = zip(header, self.table.header.raw, strict=True)
            printed = [at for at, cells in lines if any(cells[column : column + 1])]
            return int((printed or header or [0])[-1])
        return int((header or [0])[0])
