"""Frames and a retrieval -> the boxes to draw over one page, as JSON-ready data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.frames import BOX_COLUMNS
from core.retrieval import Retrieval
from core.retrieval.explain import matched_cells
from core.tables import Table
from core.tables.model import Box, bounding_boxes
from core.view.cells import PageWords

JsonDict = dict[str, Any]

_LONGEST = 60
"""Characters of a label that are said."""


def row_ids(row_df: pd.DataFrame) -> pd.Series:
    """Id of each row as the app and its URLs name it: "t1:3" is the fourth row of t1."""
    return row_df["table_id"].astype(str) + ":" + row_df["row_index"].astype(str)


def page_overlay(
    page_num: int,
    page_df: pd.DataFrame,
    tables: Sequence[Table],
    row_df: pd.DataFrame,
    retrieval: Retrieval | None = None,
    selected: str | None = None,
    focus: JsonDict | None = None,
    message: str = "",
    words: Callable[[], pd.DataFrame] | None = None,
) -> JsonDict:
    """What to draw over a page.

    Args:
        page_num: the page to show.
        page_df: sizes of all pages in points.
        tables: all tables of the document.
        row_df: the document's rows, boxes in points.
        retrieval: the answer whose rows are marked as matched.
        selected: id of the selected row.
        focus: a place to light, from `core.view.notes.note_focus`; drawn on its own page only.
        message: what should be said of the picture.
        words: gives the words of the page with their boxes, text, x0, y0, x1, y1; called only
            where matched cells are to be lit. Without it rows are marked, but no cells.
    """
    page = page_df[page_df["page_num"] == page_num].to_dict("records")[0]
    here = np.flatnonzero(row_df["page_num"] == page_num)
    boxes = row_df[BOX_COLUMNS].iloc[here].to_numpy(dtype=float)
    is_placed = np.isfinite(boxes).all(axis=1)
    matched = set(row_ids(retrieval.matches)) if retrieval else set()
    widened = {d.table_id for d in retrieval.decisions if d.widened} if retrieval else set()
    touched = {d.table_id for d in retrieval.decisions} if retrieval else set()
    on_page = [table for table in tables if page_num in table.boxes]
    seen = [
        *_rows_from_before(on_page, page_num, row_df),
        *zip(here[is_placed].tolist(), map(tuple, boxes[is_placed].tolist()), strict=True),
    ]
    lit = focus if focus and focus["page"] == page_num else None
    return {
        "page": {
            "num": page_num,
            "count": len(page_df),
            "width": float(page["width"]),
            "height": float(page["height"]),
        },
        "tables": [_table_overlay(table, page_num, widened, touched) for table in on_page],
        "rows": _row_overlays(seen, row_df, matched, retrieval, words),
        "selected": selected,
        "focus": lit if lit and lit["box"] else None,
        "any_match": bool(matched),
        "pages": page_strip(page_df, row_df, retrieval),
        "message": " ".join(
            filter(
                None,
                [
                    message,
                    _missing_boxes(int((~is_placed).sum()), unlit=bool(lit and not lit["box"])),
                ],
            )
        ),
    }


def page_strip(
    page_df: pd.DataFrame, row_df: pd.DataFrame, retrieval: Retrieval | None
) -> list[JsonDict]:
    """Per page: its number, how many tables stand on it and how many of its rows matched."""
    tables = row_df.groupby("page_num")["table_id"].nunique()
    matched = retrieval.matches["page_num"].value_counts() if retrieval else pd.Series(dtype=int)
    return [
        {
            "num": page_num,
            "tables": int(tables.get(page_num, 0)),
            "matched": int(matched.get(page_num, 0)),
        }
        for page_num in page_df["page_num"].tolist()
    ]


def _table_overlay(
    table: Table, page_num: int, widened: Collection[str], touched: Collection[str]
) -> JsonDict:
    lines = table.line_df[table.line_df["page_num"] == page_num]
    placed = lines.dropna(subset=BOX_COLUMNS)
    headers = placed[placed["role"].isin(["header", "dropped"])]
    sections = placed[placed["role"] == "section"]
    state = "widened" if table.table_id in widened else "idle"
    if state == "idle" and table.table_id in touched:
        state = "matched"
    return {
        "id": table.table_id,
        "label": table.table_id,
        "caption": table.caption,
        "box": list(map(float, table.boxes[page_num])),
        "state": state,
        "header_boxes": headers[BOX_COLUMNS].to_numpy(dtype=float).tolist(),
        "section_boxes": sections[BOX_COLUMNS].to_numpy(dtype=float).tolist(),
    }


def _rows_from_before(
    tables: Sequence[Table], page_num: int, row_df: pd.DataFrame
) -> list[tuple[int, Box]]:
    """Rows that began on the page before and are cut by its end: where they stand in row_df, and
    the box of their part on this page."""
    found = []
    for table in tables:
        first = table.line_df[table.line_df["row_index"] >= 0].drop_duplicates("row_index")
        before = first.loc[first["page_num"] < page_num, "row_index"]
        lines = table.line_df[table.line_df["page_num"] == page_num]
        for row_index in lines.loc[lines["row_index"].isin(before), "row_index"].unique().tolist():
            box = bounding_boxes(lines[lines["row_index"] == row_index]).get(page_num)
            is_row = (row_df["table_id"] == table.table_id) & (row_df["row_index"] == row_index)
            at = np.flatnonzero(is_row)
            if box is not None and at.size:
                found.append((int(at[0]), box))
    return found


def _row_overlays(
    seen: Sequence[tuple[int, Box]],
    row_df: pd.DataFrame,
    matched: Collection[str],
    retrieval: Retrieval | None,
    words: Callable[[], pd.DataFrame] | None,
) -> list[JsonDict]:
    """What to draw of rows: where each stands in row_df, and its box on the page."""
    rows = row_df.iloc[[position for position, _ in seen]]
    ids = row_ids(rows).tolist()
    asked = [at for (at, _), row_id in zip(seen, ids, strict=True) if row_id in matched]
    hits = matched_cells(retrieval, row_df, np.array(asked)) if retrieval and asked else {}
    printed = PageWords(words()) if words and hits else None
    overlays = []
    for row_id, (position, box), row in zip(ids, seen, rows.to_dict("records"), strict=True):
        columns = hits.get(position, ())
        found = printed.cell_boxes(box, row["row_cells"], columns) if printed else []
        overlays.append(
            {
                "id": row_id,
                "table": row["table_id"],
                "number": int(row["row_index"]) + 1,
                "box": list(box),
                "text": row["row_serialized"],
                "matched": row_id in matched,
                "hits": [_column_name(row["column_headers"], column) for column in columns],
                "cells": [list(cell) for cell in found if cell is not None],
            }
        )
    return overlays


def _column_name(labels: Sequence[str], column: int) -> str:
    """A column's label as it is said."""
    label = " ".join(labels[column].split()) if column < len(labels) else ""
    if not label:
        return f"column {column + 1}"
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"


def _missing_boxes(count: int, *, unlit: bool) -> str:
    said = []
    if count:
        rows = "1 row" if count == 1 else f"{count} rows"
        said.append(f"{rows} on this page cannot be drawn: the source gives no box for them.")
    if unlit:
        said.append("The note's place cannot be lit: the source gives no box for its line.")
    return " ".join(said)
