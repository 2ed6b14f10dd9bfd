"""Blocks -> line_df, page_df, toc_df. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np
import pandas as pd

from core.frames import BOX_COLUMNS, TOC_COLUMNS, check_line_df
from core.parsers.azure.blocks import Block
from core.parsers.azure.model import Page

METHOD = "azure_layout"

_LINE_TYPES = {
    "page_num": "int64",
    "line_num": "int64",
    "text": "str",
    **dict.fromkeys(BOX_COLUMNS, "float64"),
    "character_count": "int64",
    "parsing_method": "str",
    "confidence": "float64",
    "block_num": "int64",
    "block_class": "str",
    "header_hint": "int64",
}
_NO_BOX = (np.nan,) * 4


def blocks_to_frames(blocks: Sequence[Block]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """line_df, with character_count, parsing_method, confidence, block_num, block_class and
    header_hint, and toc_df of the headings: the title is level 1, section headings are below it.
    """
    rows, entries = [], []
    top = 2 if any(block.kind == "title" for block in blocks) else 1
    for page_num, page in groupby(blocks, key=lambda block: block.page):
        line_num = 0
        for block_num, block in enumerate(page, start=1):
            if block.kind in ("title", "section-header"):
                level = 1 if block.kind == "title" else top
                entries.append((level, block.title or block.lines[0].text, page_num, line_num + 1))
            for line in block.lines:
                line_num += 1
                rows.append(
                    (
                        page_num,
                        line_num,
                        line.text,
                        *(line.box or _NO_BOX),
                        len(line.text),
                        METHOD,
                        line.confidence,
                        block_num,
                        block.kind,
                        int(line.header_hint),
                    )
                )
    line_df = pd.DataFrame(rows, columns=list(_LINE_TYPES)).astype(_LINE_TYPES)
    types = {"level": "int64", "title": "str", "page_num": "int64", "line_num": "Int64"}
    toc_df = pd.DataFrame(entries, columns=TOC_COLUMNS).astype(types)
    return check_line_df(line_df), toc_df


def pages_to_page_df(pages: Sequence[Page]) -> pd.DataFrame:
    """page_df; the service reports no rotation, its coordinates are those of the page shown."""
    return pd.DataFrame(
        {
            "page_num": pd.Series([page.number for page in pages], dtype="int64"),
            "width": pd.Series([page.width for page in pages], dtype="float64"),
            "height": pd.Series([page.height for page in pages], dtype="float64"),
            "rotation": pd.Series([0 for _ in pages], dtype="int64"),
        }
    )
