"""Parsed pages -> line_df, page_df and notes. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

import pandas as pd

from core.frames import BOX_COLUMNS, check_line_df
from core.parsers.pymupdf_blocks import Block, PageRead

METHOD = "pymupdf"

SCAN, DRAWING, EMPTY = "scan", "drawing", "empty"
NO_LAYOUT, DAMAGED = "no layout", "damaged"
"""What can be wrong with a page, as `PageRead.problem`."""

_NOTES = {
    SCAN: (
        "is a scan without text",
        "are scans without text",
        ": run OCR on the file first, or choose a parser that does OCR",
    ),
    DRAWING: (
        "shows drawings but holds no text",
        "show drawings but hold no text",
        ": if they look like text, run OCR on the file first",
    ),
    EMPTY: ("is empty", "are empty", ""),
    NO_LAYOUT: (
        "is given line by line, without tables",
        "are given line by line, without tables",
        ": the layout model failed there",
    ),
    DAMAGED: (
        "is damaged and was left out",
        "are damaged and were left out",
        ": open the file in a PDF viewer and save it again",
    ),
}

_LINE_TYPES = {
    "page_num": "int64",
    "line_num": "int64",
    "text": "str",
    **dict.fromkeys(BOX_COLUMNS, "float64"),
    "character_count": "int64",
    "parsing_method": "str",
    "block_num": "int64",
    "block_class": "str",
}


def blocks_to_line_df(blocks: Mapping[int, Sequence[Block]]) -> pd.DataFrame:
    """line_df, one row per line, with character_count, parsing_method, block_num, block_class."""
    rows = []
    for page_num, page in blocks.items():
        lines = [
            (at, block.kind, *line) for at, block in enumerate(page, 1) for line in block.lines
        ]
        rows += [
            (page_num, line_num, text, *box, len(text), METHOD, block_num, kind)
            for line_num, (block_num, kind, text, box) in enumerate(lines, start=1)
        ]
    return check_line_df(pd.DataFrame(rows, columns=list(_LINE_TYPES)).astype(_LINE_TYPES))


def reads_to_page_df(reads: Sequence[PageRead]) -> pd.DataFrame:
    """page_df: number, width and height in points, and /Rotate of each displayed page."""
    return pd.DataFrame(
        {
            "page_num": [read.number for read in reads],
            "width": [read.width for read in reads],
            "height": [read.height for read in reads],
            "rotation": [read.rotation for read in reads],
        }
    )


def reads_to_notes(reads: Sequence[PageRead]) -> tuple[str, ...]:
    """What the reader should know about pages; neighbours with one problem share a note."""
    return tuple(
        _note(problem, [read.number for read in group])
        for problem, group in groupby(reads, key=lambda read: read.problem)
        if problem
    )


def _note(problem: str, numbers: Sequence[int]) -> str:
    one, many, remedy = _NOTES[problem]
    if len(numbers) == 1:
        return f"Page {numbers[0]} {one}{remedy}."
    return f"Pages {numbers[0]} to {numbers[-1]} {many}{remedy}."
