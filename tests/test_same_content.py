"""One content by three ways: the lines PyMuPDF reads, written as Docling and as Azure save them,
give the same headers, cells and rows again."""

from __future__ import annotations

import json
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core import ParsedDocument, parse_document, read_tables, serialize_table_rows
from core.frames import BOX_COLUMNS
from core.library import SAMPLES, Library, Request
from core.parsers import Source

Box = tuple[float, float, float, float]


@pytest.fixture(scope="module", params=[sample.doc_id for sample in SAMPLES])
def sample(request: pytest.FixtureRequest) -> ParsedDocument:
    return Library().parsed(Request(request.param))


@pytest.mark.parametrize("write", ["docling", "azure_layout"])
def test_the_same_tables_come_out(sample: ParsedDocument, write: str) -> None:
    data = _to_docling(sample) if write == "docling" else _to_azure(sample)
    other = parse_document(Source("saved.json", data), write)
    expected, found = read_tables(sample.line_df), read_tables(other.line_df)
    assert len(expected) > 0
    assert [table.headers for table in found] == [table.headers for table in expected]
    assert [table.rows for table in found] == [table.rows for table in expected]
    rows, again = serialize_table_rows(sample.line_df), serialize_table_rows(other.line_df)
    assert again["row_serialized"].tolist() == rows["row_serialized"].tolist()
    assert again["row_group"].tolist() == rows["row_group"].tolist()
    assert again["page_num"].tolist() == rows["page_num"].tolist()
    # Cells lie side by side in their row: their union is the row's box.
    np.testing.assert_allclose(again[BOX_COLUMNS], rows[BOX_COLUMNS], atol=1.0)


def _runs(document: ParsedDocument, page_num: int) -> list[tuple[bool, list[dict[str, Any]]]]:
    """A page's lines in order, pipe lines of one table together, separators left out."""
    lines: list[dict[str, Any]] = [
        {str(name): value for name, value in line.items()}
        for line in document.line_df[document.line_df["page_num"] == page_num].to_dict("records")
    ]
    runs = [
        (key, list(run)) for key, run in groupby(lines, key=lambda line: line["text"][:1] == "|")
    ]
    return [
        (is_table, [line for line in run if not (is_table and set(line["text"]) <= set("|-: "))])
        for is_table, run in runs
    ]


def _grid(run: list[dict[str, Any]]) -> list[list[str]]:
    assert not any("\\|" in line["text"] for line in run)
    return [[cell.strip() for cell in line["text"].strip()[1:-1].split("|")] for line in run]


def _cell_boxes(line: dict[str, Any], count: int) -> list[Box]:
    """The row's box cut into its cells, side by side."""
    x = np.linspace(line["x0"], line["x1"], count + 1).tolist()
    return [(x[at], line["y0"], x[at + 1], line["y1"]) for at in range(count)]


def _union(run: list[dict[str, Any]]) -> Box:
    frame = pd.DataFrame(run)
    low, high = frame[["x0", "y0"]].min(), frame[["x1", "y1"]].max()
    return (low["x0"], low["y0"], high["x1"], high["y1"])


def _to_docling(document: ParsedDocument) -> bytes:
    from docling_core.types.doc import (  # type: ignore[import-untyped, unused-ignore]
        BoundingBox,
        CoordOrigin,
        DocItemLabel,
        DoclingDocument,
        ProvenanceItem,
        Size,
        TableCell,
        TableData,
    )

    saved = DoclingDocument(name="saved")

    def box(edges: Box) -> Any:
        left, top, right, bottom = edges
        return BoundingBox(l=left, t=top, r=right, b=bottom, coord_origin=CoordOrigin.TOPLEFT)

    for page in document.page_df.to_dict("records"):
        page_num = int(page["page_num"])
        size = Size(width=page["width"], height=page["height"])
        saved.add_page(page_no=page_num, size=size)
        for is_table, run in _runs(document, page_num):
            if not is_table:
                for line in run:
                    edges = tuple(line[column] for column in BOX_COLUMNS)
                    prov = ProvenanceItem(page_no=page_num, bbox=box(edges), charspan=(0, 0))
                    label = _LABELS.get(line["block_class"], "text")
                    saved.add_text(label=DocItemLabel(label), text=line["text"], prov=prov)
                continue
            grid = _grid(run)
            cells = [
                TableCell(
                    text=text,
                    bbox=box(edges),
                    start_row_offset_idx=row,
                    end_row_offset_idx=row + 1,
                    start_col_offset_idx=column,
                    end_col_offset_idx=column + 1,
                    column_header=row == 0,
                )
                for row, (line, texts) in enumerate(zip(run, grid, strict=True))
                for column, (text, edges) in enumerate(
                    zip(texts, _cell_boxes(line, len(texts)), strict=True)
                )
            ]
            data = TableData(table_cells=cells, num_rows=len(grid), num_cols=len(grid[0]))
            prov = ProvenanceItem(page_no=page_num, bbox=box(_union(run)), charspan=(0, 0))
            saved.add_table(data=data, prov=prov)
    return json.dumps(saved.export_to_dict()).encode()


_LABELS = {"caption": "caption", "page-header": "page_header", "page-footer": "page_footer"}
_ROLES = {"page-header": "pageHeader", "page-footer": "pageFooter"}


def _to_azure(document: ParsedDocument) -> bytes:
    content = ""
    pages: list[dict[str, Any]] = []
    tables: list[dict[str, Any]] = []
    paragraphs: list[dict[str, Any]] = []
    for page in document.page_df.to_dict("records"):
        page_num = int(page["page_num"])
        lines: list[dict[str, Any]] = []

        def write(text: str, edges: Box, to: list[dict[str, Any]] = lines) -> list[dict[str, int]]:
            nonlocal content
            spans = [{"offset": len(content), "length": len(text)}]
            content += text + "\n"
            if text:
                to.append({"content": text, "polygon": _polygon(edges), "spans": spans})
            return spans if text else []

        for is_table, run in _runs(document, page_num):
            if not is_table:
                for line in run:
                    edges = tuple(line[column] for column in BOX_COLUMNS)
                    spans = write(line["text"], edges)
                    region = {"pageNumber": page_num, "polygon": _polygon(edges)}
                    role = _ROLES.get(line["block_class"])
                    paragraphs.append(
                        {"content": line["text"], "spans": spans, "boundingRegions": [region]}
                        | ({"role": role} if role else {})
                    )
                continue
            grid, begin = _grid(run), len(content)
            cells = [
                {
                    "rowIndex": row,
                    "columnIndex": column,
                    "content": text,
                    "kind": "columnHeader" if row == 0 else "content",
                    "spans": write(text, edges),
                    "boundingRegions": [{"pageNumber": page_num, "polygon": _polygon(edges)}],
                }
                for row, (line, texts) in enumerate(zip(run, grid, strict=True))
                for column, (text, edges) in enumerate(
                    zip(texts, _cell_boxes(line, len(texts)), strict=True)
                )
            ]
            region = {"pageNumber": page_num, "polygon": _polygon(_union(run))}
            tables.append(
                {
                    "rowCount": len(grid),
                    "columnCount": len(grid[0]),
                    "cells": cells,
                    "spans": [{"offset": begin, "length": len(content) - begin}],
                    "boundingRegions": [region],
                }
            )
        pages.append(
            {
                "pageNumber": page_num,
                "angle": 0,
                "width": page["width"] / 72,
                "height": page["height"] / 72,
                "unit": "inch",
                "lines": lines,
                "words": [],
            }
        )
    result = {
        "apiVersion": "2024-11-30",
        "modelId": "prebuilt-layout",
        "contentFormat": "text",
        "content": content,
        "pages": pages,
        "tables": tables,
        "paragraphs": paragraphs,
    }
    return json.dumps({"status": "succeeded", "analyzeResult": result}).encode()


def _polygon(edges: Box) -> list[float]:
    """Corners clockwise from top-left, in inches."""
    x0, y0, x1, y1 = (edge / 72 for edge in edges)
    return [x0, y0, x1, y0, x1, y1, x0, y1]
