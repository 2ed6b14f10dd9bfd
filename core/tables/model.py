"""A table as the inspector shows it: labels, rows, where each line stands, and what was noted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import pandas as pd

from core.frames import BOX_COLUMNS
from core.tables.cells import escape_cell
from core.tables.headers import HeaderFold

PATH_JOINT = " > "
"""Between the labels of a section path."""

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points from the top-left of the displayed page."""


@dataclass(frozen=True)
class Table:
    """One table of a document: its folded labels and body rows, traceable line by line."""

    table_id: str
    caption: str
    header: HeaderFold
    rows: list[list[str]]
    """Body rows in reading order, each as long as the labels or, if ragged, longer."""
    line_df: pd.DataFrame
    """The table's pipe lines: page_num, line_num, role, row_index, text, box columns. role is
    "header", "separator", "row", "section" for labels of the rows below, "note" for notes at the
    end, or "dropped" for repeated headers and blank lines. Both halves of a row that a page break
    cut have its row_index; lines that are no row have -1."""
    notes: tuple[str, ...]
    """Each departure from the strict reading, and each thing a reader should know."""
    groups: list[str] = field(default_factory=list)
    """Section path of each row, as "Assets > Current assets", "" outside of sections."""
    footnotes: tuple[str, ...] = ()
    """Notes at the end of the table; the caption holds them too."""

    @property
    def headers(self) -> list[str]:
        """One label per column; blank labels stand for columns without one."""
        width = max((len(row) for row in self.rows), default=0)
        return [*self.header.folded, *[""] * (width - len(self.header.folded))]

    @property
    def n_body_rows(self) -> int:
        """Number of rows below the header."""
        return len(self.rows)

    @property
    def pages(self) -> list[int]:
        """Pages the table stands on."""
        return self.line_df["page_num"].drop_duplicates().tolist()

    @cached_property
    def markdown(self) -> str:
        """The table as compact Markdown: its header once, section labels and notes in place."""
        notes = [[note] for note in self.footnotes]
        groups = [*self.groups, *self.groups[-1:] * len(notes)]
        return table_to_markdown(self.headers, [*self.rows, *notes], groups)

    @cached_property
    def boxes(self) -> dict[int, Box]:
        """Bounding box per page; pages whose lines have no box are absent."""
        return bounding_boxes(self.line_df)


def bounding_boxes(lines: pd.DataFrame) -> dict[int, Box]:
    """Union of the lines' boxes per page_num; lines without a box are passed over."""
    placed = lines.dropna(subset=BOX_COLUMNS)
    grouped = placed.groupby("page_num")[BOX_COLUMNS]
    low, high = grouped.min(), grouped.max()
    corners = pd.concat([low[["x0", "y0"]], high[["x1", "y1"]]], axis=1)
    return {
        int(page): (x0, y0, x1, y1)
        for page, (x0, y0, x1, y1) in zip(
            corners.index.tolist(), corners.to_numpy(dtype=float).tolist(), strict=True
        )
    }


def table_to_markdown(
    headers: Sequence[str], rows: Sequence[Sequence[str]], groups: Sequence[str] = ()
) -> str:
    """Compact GitHub Markdown: a header line, the separator, one line per row and section."""
    return "\n".join(markdown_lines(headers, rows, groups))


def markdown_lines(
    headers: Sequence[str], rows: Sequence[Sequence[str]], groups: Sequence[str] = ()
) -> list[str]:
    """The lines of `table_to_markdown`: header, separator, then one per row.

    `groups` holds the section path of each row. Where it changes, the path stands on a line of
    its own above the row, see `group_titles`.
    """
    width = max([len(headers), *(len(row) for row in rows)])
    titles = group_titles(groups, rows) if groups else [""] * len(rows)
    printed: list[Sequence[str]] = [headers]
    for title, row in zip(titles, rows, strict=True):
        printed += [[title], row] if title else [row]
    padded = ([*row, *[""] * (width - len(row))] for row in printed)
    header, *body = ("|" + "|".join(map(escape_cell, row)) + "|" for row in padded)
    return [header, "|" + "---|" * width, *body]


def group_titles(groups: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The path to print above each row where a group begins, "" where the one above goes on.

    Below a row that heads the group itself, nothing needs to be said again.
    """
    if not any(groups):
        return [""] * len(rows)
    titles = [groups[0]]
    for (above, head), (group, _) in pairwise(zip(groups, rows, strict=True)):
        headed = PATH_JOINT.join(filter(None, (above, *head[:1])))
        titles.append("" if group in (above, headed) else group)
    return titles
