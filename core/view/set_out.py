"""A page for what has none: lines without boxes are set out on a made-up page, so that rows can be
lit there as on a real one. For the eye only: frames keep their own boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from core.frames import BOX_COLUMNS
from core.parsers import ParsedDocument
from core.tables import Table

DRAWN = "Drawn from its lines: add the PDF beside it to see the page itself."
SET_OUT = "This source has no pages: its lines are set out here as text."

_LINE = ["page_num", "line_num"]


@dataclass(frozen=True)
class SetOut:
    """What to draw over a page, all in its points."""

    page_df: pd.DataFrame
    tables: list[Table]
    row_df: pd.DataFrame


def has_boxes(document: ParsedDocument, page_num: int) -> bool:
    """Whether the page has a size and any of its lines a place on it; an empty page may lack
    lines."""
    page = document.page_df[document.page_df["page_num"] == page_num]
    if page[["width", "height"]].isna().any(axis=None):
        return False
    lines = document.line_df[document.line_df["page_num"] == page_num]
    return lines.empty or bool(lines[BOX_COLUMNS].notna().all(axis=1).any())


def set_out(
    page_num: int,
    lines: pd.DataFrame,
    width: float,
    height: float,
    page_df: pd.DataFrame,
    tables: Sequence[Table],
    row_df: pd.DataFrame,
) -> SetOut:
    """Frames whose boxes on one page are those of `lines`, and the size of that page.

    Args:
        page_num: the page.
        lines: page_num, line_num and boxes of its lines as they were set out.
        width: of the made-up page, in points.
        height: likewise.
        page_df: the document's pages.
        tables: its tables.
        row_df: its rows.
    """
    here = page_df["page_num"] == page_num
    boxes = lines[[*_LINE, *BOX_COLUMNS]]
    placed = [_place_table(table, boxes) if page_num in table.pages else table for table in tables]
    return SetOut(
        page_df.assign(
            width=page_df["width"].mask(here, width), height=page_df["height"].mask(here, height)
        ),
        placed,
        _place_rows(row_df, [table for table in placed if page_num in table.pages], page_num),
    )


def _place_table(table: Table, boxes: pd.DataFrame) -> Table:
    lines = table.line_df.drop(columns=BOX_COLUMNS).merge(boxes, on=_LINE, how="left")
    return replace(table, line_df=lines)


def _place_rows(row_df: pd.DataFrame, tables: Sequence[Table], page_num: int) -> pd.DataFrame:
    """Rows with the union of their lines' boxes on the page."""
    none = pd.DataFrame(columns=["table_id", "row_index", *BOX_COLUMNS])
    found = [_row_boxes(table, page_num) for table in tables]
    placed = pd.concat(found, ignore_index=True) if found else none
    merged = row_df.drop(columns=BOX_COLUMNS).merge(
        placed, on=["table_id", "row_index"], how="left"
    )
    return merged[row_df.columns]


def _row_boxes(table: Table, page_num: int) -> pd.DataFrame:
    lines = table.line_df
    here = (lines["row_index"] >= 0) & (lines["page_num"] == page_num)
    boxes = (
        lines[here]
        .dropna(subset=BOX_COLUMNS)
        .groupby("row_index", as_index=False)
        .agg(x0=("x0", "min"), y0=("y0", "min"), x1=("x1", "max"), y1=("y1", "max"))
    )
    return boxes.assign(table_id=table.table_id)
