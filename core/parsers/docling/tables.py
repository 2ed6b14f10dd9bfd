"""A docling table -> its Markdown lines with page and box. Pure.

The lines are those of docling's own serializer, to the letter: what a docling pipeline hands
on is what is seen here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.errors import DocumentError
from core.parsers.docling.boxes import NO_BOX, Box, Geometry, table_to_row_boxes, union

if TYPE_CHECKING:
    from docling_core.transforms.serializer.markdown import MarkdownDocSerializer
    from docling_core.types.doc import TableItem

TableLine = tuple[int, str, Box]
"""page_num (0 for a table without one), text, box."""

MAX_CELLS = 2_000_000
"""Cells of one table's grid. docling builds an object for each, spans included."""

_SEPARATOR = re.compile(r"\|(\s*:?-+:?\s*\|)+\s*")


def table_to_lines(
    item: TableItem, serializer: MarkdownDocSerializer, visited: set[str], geometry: Geometry
) -> list[TableLine]:
    """The table's lines. What its cells refer to is added to `visited`.

    docling writes all header rows as one line, so that line's box is around them all; the
    separator's box is the edge below it, of height 0.
    """
    lines = _markdown(item, serializer, visited)
    if not lines:
        return []
    pages, boxes = table_to_row_boxes(item, geometry)
    n_body = len(lines) - 2
    n_headers = len(boxes) - n_body
    if not (0 <= n_headers <= len(boxes) and _SEPARATOR.fullmatch(lines[1])):
        # A line break that docling lets through leaves lines that are not the grid's rows.
        page = pages[0] if pages else 0
        return [(page, line, NO_BOX) for line in lines]
    return _header_lines(lines[:2], pages, boxes, n_headers) + list(
        zip(pages[n_headers:], lines[2:], boxes[n_headers:], strict=True)
    )


def _header_lines(
    lines: Sequence[str], pages: Sequence[int], boxes: Sequence[Box], n_headers: int
) -> list[TableLine]:
    page = pages[0]
    on_page = [box for box, at in zip(boxes[:n_headers], pages, strict=False) if at == page]
    header = union(on_page)
    x0, _, x1, bottom = header
    return [(page, lines[0], header), (page, lines[1], (x0, bottom, x1, bottom))]


def _markdown(item: TableItem, serializer: MarkdownDocSerializer, visited: set[str]) -> list[str]:
    if not (item.data.num_rows and item.data.num_cols):
        return []
    text = serializer.table_serializer.serialize(
        item=item,
        doc_serializer=serializer,
        doc=serializer.doc,
        visited=visited,
        **serializer.params.model_dump(),
    ).text
    # Captions and annotations stand before it, parted by a blank line; cells hold none.
    return text.rsplit("\n\n", 1)[-1].split("\n")


def check_grid(item: TableItem, name: str) -> None:
    """Let a table pass whose grid docling can build.

    Raises:
        DocumentError: negative sizes, or more than `MAX_CELLS` cells, spans counted in full.
    """
    data = item.data
    spans = sum(
        max(cell.end_row_offset_idx - cell.start_row_offset_idx, 1)
        * max(cell.end_col_offset_idx - cell.start_col_offset_idx, 1)
        for cell in data.table_cells
    )
    cells = max(data.num_rows * data.num_cols, spans)
    if min(data.num_rows, data.num_cols) < 0 or cells > MAX_CELLS:
        raise DocumentError(
            f"{name} holds a table that claims {data.num_rows:,} rows and {data.num_cols:,} "
            f"columns; at most {MAX_CELLS:,} cells are read. Split the table, or check the file."
        )
