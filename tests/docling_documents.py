"""Small DoclingDocuments built with docling's own API, saved as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docling_core.types.doc import (
    BoundingBox,
    ContentLayer,
    CoordOrigin,
    DoclingDocument,
    ProvenanceItem,
    Size,
    TableCell,
    TableData,
)
from docling_core.types.doc.document import DocumentOrigin

from core.parsers import Source

PDF = "application/pdf"
WIDTH, HEIGHT = 200.0, 300.0

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 from the top-left."""


def paged(n_pages: int = 1, mimetype: str = PDF) -> DoclingDocument:
    """A document with pages of 200 x 300 points and nothing on them."""
    origin = DocumentOrigin(mimetype=mimetype, binary_hash=1, filename="report")
    document = DoclingDocument(name="report", origin=origin)
    for number in range(1, n_pages + 1):
        document.add_page(page_no=number, size=Size(width=WIDTH, height=HEIGHT))
    return document


def at(page: int, box: Box, *, from_top: bool = False) -> ProvenanceItem:
    """A place on a page; as docling's PDF models give it, from the bottom, unless `from_top`."""
    x0, y0, x1, y1 = box
    bbox = BoundingBox(l=x0, t=y0, r=x1, b=y1, coord_origin=CoordOrigin.TOPLEFT)
    if not from_top:
        bbox = bbox.to_bottom_left_origin(page_height=HEIGHT)
    return ProvenanceItem(page_no=page, bbox=bbox, charspan=(0, 0))


def cell(
    text: str,
    row: int,
    column: int,
    box: Box | None = None,
    *,
    rows: int = 1,
    columns: int = 1,
    header: bool = False,
) -> TableCell:
    bbox = None
    if box:
        x0, y0, x1, y1 = box
        bbox = BoundingBox(l=x0, t=y0, r=x1, b=y1, coord_origin=CoordOrigin.TOPLEFT)
    return TableCell(
        text=text,
        start_row_offset_idx=row,
        end_row_offset_idx=row + rows,
        start_col_offset_idx=column,
        end_col_offset_idx=column + columns,
        row_span=rows,
        col_span=columns,
        bbox=bbox,
        column_header=header,
    )


def table(cells: Sequence[TableCell]) -> TableData:
    return TableData(
        num_rows=max(each.end_row_offset_idx for each in cells),
        num_cols=max(each.end_col_offset_idx for each in cells),
        table_cells=list(cells),
    )


def plain_table(rows: Sequence[Sequence[str]]) -> TableData:
    """A table without boxes, its first row the header."""
    return table(
        [
            cell(text, row, column, header=row == 0)
            for row, texts in enumerate(rows)
            for column, text in enumerate(texts)
        ]
    )


def saved(document: DoclingDocument, name: str = "report.json") -> Source:
    """The document as docling's save_as_json writes it."""
    return Source(name, document.model_dump_json(by_alias=True, exclude_none=True).encode())


def add_running_head(document: DoclingDocument, label: Any, text: str, page: int) -> None:
    document.add_text(
        label=label,
        text=text,
        prov=at(page, (10, 5, 90, 15)),
        content_layer=ContentLayer.FURNITURE,
    )
