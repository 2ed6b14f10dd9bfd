"""The rows of a row_df as lines of text: as they are serialized, or tables as compact Markdown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.retrieval.row_facts import RowFacts
from core.tables.model import group_titles, markdown_lines


class TableLines:
    """The lines of a row_df. Nothing is kept of them: a document may have millions.

    Attributes:
        facts: facts about the rows and their tables.
        page_num, line_num: (n,) int: the line of line_df that each row quotes.
    """

    def __init__(self, row_df: pd.DataFrame, facts: RowFacts) -> None:
        self.facts = facts
        self.page_num = row_df["page_num"].to_numpy()
        self.line_num = row_df["line_num"].to_numpy()
        self._serialized = row_df["row_serialized"]
        self._headers = row_df["column_headers"].to_numpy()
        self._cells = row_df["row_cells"].to_numpy()

    def serialized(self, rows: np.ndarray) -> list[str]:
        """Some rows, each with its labels."""
        return self._serialized.iloc[rows].tolist()

    def markdown(self, table: int) -> str:
        """A whole table: its header, the separator, then its rows and section labels."""
        rows = self.facts.rows_of(table)
        headers, cells = max(self._headers[rows], key=len), self._cells[rows].tolist()
        groups = self.facts.groups(rows)
        body = None if groups else plain_body(cells, len(headers))
        if body is None:
            return "\n".join(markdown_lines(headers, cells, groups))
        return "\n".join([*markdown_lines(headers, []), body])

    def quoted(self, table: int) -> np.ndarray:
        """(k,) int: position of the row that each line of a table's Markdown quotes, -1 for its
        header, its separator and its section labels."""
        rows = self.facts.rows_of(table)
        titled = np.zeros(len(rows), dtype=np.int64)
        if groups := self.facts.groups(rows):
            titles = group_titles(groups, self._cells[rows].tolist())
            titled = np.array(list(map(bool, titles)), dtype=np.int64)
        quoted = np.full(2 + len(rows) + int(titled.sum()), -1, dtype=np.int64)
        quoted[2 + np.arange(len(rows)) + np.cumsum(titled)] = rows
        return quoted


def plain_body(rows: Sequence[Sequence[str]], width: int) -> str | None:
    """The lines of `markdown_lines` below its separator, of rows without a mark to be escaped.

    None where a cell holds a bar, a backslash or a line break, or a row is not of this width.
    All lines are joined at once, which is several times faster than cell by cell.
    """
    text = "\n".join(map("|".join, rows))
    bars, breaks = (width - 1) * len(rows), len(rows) - 1
    if (
        set(map(len, rows)) != {width}
        or text.count("|") != bars
        or text.count("\n") != breaks
        or "\\" in text
    ):
        return None
    barred = text.replace("\n", "|\n|")
    return f"|{barred}|"
