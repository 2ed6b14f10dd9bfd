"""Parsed pages -> line_df, page_df and notes. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import groupby

import pandas as pd

from core.frames import BOX_COLUMNS, check_line_df
from core.limits import get_limits
from core.parsers.pymupdf.blocks import Block, PageRead

METHOD, OCR = "pymupdf", "ocr"

SCAN, DRAWING, EMPTY = "scan", "drawing", "empty"
NO_LAYOUT, DAMAGED, OVERSIZED = "no layout", "damaged", "oversized"
UNREADABLE = "unreadable"
"""What can be wrong with a page, as `PageRead.problem`."""

_NOTES = {
    SCAN: (
        "is a scan without text",
        "are scans without text",
        ': pass ocr=True, or choose the parser "ocr"',
    ),
    DRAWING: (
        "shows drawings but holds no text",
        "show drawings but hold no text",
        ': if they look like text, pass ocr=True, or choose the parser "ocr"',
    ),
    UNREADABLE: (
        "is a picture in which no text was found",
        "are pictures in which no text was found",
        "",
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

_TOO_LARGE = (
    "{pages} {is_} {width:,.0f} x {height:,.0f} points and {was} left out: at most {limit:,.0f} "
    "points a side are read. Set ROWLENS_MAX_PAGE_POINTS to a larger number."
)

_LINE_TYPES = {
    "page_num": "int64",
    "line_num": "int64",
    "text": "str",
    **dict.fromkeys(BOX_COLUMNS, "float64"),
    "character_count": "int64",
    "parsing_method": "str",
    "block_num": "int64",
    "block_class": "str",
    "confidence": "float64",
}


def blocks_to_line_df(blocks: Mapping[int, Sequence[Block]]) -> pd.DataFrame:
    """line_df, one row per line, with character_count, parsing_method, block_num, block_class,
    and, where some lines were recognised, their confidence.
    """
    rows = []
    for page_num, page in blocks.items():
        lines = [
            (METHOD, at, block.kind, math.nan, *line)
            if not block.confidences
            else (OCR, at, block.kind, block.confidences[of_line], *line)
            for at, block in enumerate(page, 1)
            for of_line, line in enumerate(block.lines)
        ]
        rows += [
            (page_num, line_num, text, *box, len(text), method, block_num, kind, confidence)
            for line_num, (method, block_num, kind, confidence, text, box) in enumerate(lines, 1)
        ]
    line_df = pd.DataFrame(rows, columns=list(_LINE_TYPES)).astype(_LINE_TYPES)
    if not (line_df["parsing_method"] == OCR).any():
        line_df = line_df.drop(columns="confidence")
    return check_line_df(line_df)


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
    grouped = [
        (problem, list(group)) for problem, group in groupby(reads, key=lambda read: read.problem)
    ]
    return tuple(
        _too_large(group) if problem == OVERSIZED else _note(problem, [one.number for one in group])
        for problem, group in grouped
        if problem
    )


def _too_large(reads: Sequence[PageRead]) -> str:
    largest = max(reads, key=lambda read: max(read.width, read.height))
    several = len(reads) > 1
    return _TOO_LARGE.format(
        pages=_pages([read.number for read in reads]),
        is_="are up to" if several else "is",
        was="were" if several else "was",
        width=largest.width,
        height=largest.height,
        limit=get_limits().page_points,
    )


def _note(problem: str, numbers: Sequence[int]) -> str:
    one, many, remedy = _NOTES[problem]
    return f"{_pages(numbers)} {one if len(numbers) == 1 else many}{remedy}."


def _pages(numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return f"Page {numbers[0]}"
    if len(numbers) == numbers[-1] - numbers[0] + 1:
        return f"Pages {numbers[0]} to {numbers[-1]}"
    return f"{len(numbers):,} pages from {numbers[0]} to {numbers[-1]}"
