"""Findings made for the report's tests: of the samples, and of Markdown that has no page."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from core import ParsedDocument, build_index, parse_document, read_tables, serialize_table_rows
from core.lint import lint_tables
from core.parsers import Source
from core.render import render_page
from core.render_lines import draw_lines, drawn_cells, set_out_lines
from core.render_words import page_words
from core.report import Finding, Sheet
from core.view.notes import lints_by_id
from core.view.page import page_overlay
from core.view.set_out import SET_OUT, set_out

ASSETS = Path(__file__).parents[1] / "assets"
THEFT = "What is the cap for vehicle theft?"


def sample_finding(question: str, name: str = "motor_insurance", **how: Any) -> Finding:
    """What a question finds in a sample; `how` goes to the retriever."""
    path = ASSETS / f"{name}.pdf"
    return _finding(_parsed(path), name, question, path.read_bytes(), how)


def text_finding(markdown: str, question: str, name: str = "notes.md", **how: Any) -> Finding:
    """What a question finds in Markdown lines, which are set out as a page."""
    document = parse_document(Source(name, markdown.encode()), "frame")
    return _finding(document, name, question, None, how)


def _finding(
    document: ParsedDocument, name: str, question: str, pdf: bytes | None, how: dict[str, Any]
) -> Finding:
    row_df, tables = serialize_table_rows(document.line_df), read_tables(document.line_df)
    index = build_index(document.line_df, row_df)
    retrieval = index.retrieve(question, **how) if question else None

    def sheet(page_num: int) -> Sheet:
        if pdf is None:
            lines, width, height = set_out_lines(document.line_df, page_num)
            laid = set_out(page_num, lines, width, height, document.page_df, tables, row_df)
            image, page_df = draw_lines(lines, width, height), laid.page_df
            shown = (page_df, laid.tables, laid.row_df, retrieval)
            overlay = page_overlay(
                page_num, *shown, message=SET_OUT, words=lambda: drawn_cells(lines)
            )
            return Sheet(image.png, overlay, lines)
        overlay = page_overlay(
            *(page_num, document.page_df, tables, row_df, retrieval),
            words=lambda: page_words(pdf, page_num),
        )
        return Sheet(render_page(pdf, page_num).png, overlay, _of_page(document, page_num))

    return Finding(
        document=name,
        content_hash="ab" * 32,
        index=index,
        tables=tables,
        retrieval=retrieval,
        page_num=2 if len(document.page_df) > 1 else 1,
        sheet=sheet,
        automatic=tables,
        lints=lints_by_id(lint_tables(tables, document.page_df)),
        parser_notes=document.notes,
        settings={"Parser": "PyMuPDF", "Widening threshold": "0.60"},
        query="?q=cap&page=2",
        made=datetime(2026, 3, 4, 5, 6, tzinfo=UTC),
    )


@cache
def _parsed(path: Path) -> ParsedDocument:
    return parse_document(path)


def _of_page(document: ParsedDocument, page_num: int) -> pd.DataFrame:
    return document.line_df[document.line_df["page_num"] == page_num]
