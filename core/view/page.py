"""Frames and a retrieval -> the boxes to draw over one page, as JSON-ready data."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import pandas as pd

from core.frames import BOX_COLUMNS
from core.retrieval import Retrieval
from core.tables import Table
from core.tables.model import bounding_boxes

JsonDict = dict[str, Any]


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
    """
    page = page_df[page_df["page_num"] == page_num].to_dict("records")[0]
    here = row_df[row_df["page_num"] == page_num]
    placed = here.dropna(subset=BOX_COLUMNS)
    matched = set(row_ids(retrieval.matches)) if retrieval else set()
    widened = {d.table_id for d in retrieval.decisions if d.widened} if retrieval else set()
    touched = {d.table_id for d in retrieval.decisions} if retrieval else set()
    on_page = [table for table in tables if page_num in table.boxes]
    rows = [
        {
            "id": row_id,
            "table": row["table_id"],
            "number": int(row["row_index"]) + 1,
            "box": [float(row[column]) for column in BOX_COLUMNS],
            "text": row["row_serialized"],
            "matched": row_id in matched,
        }
        for row_id, row in zip(row_ids(placed), placed.to_dict("records"), strict=True)
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
        "rows": [*_rows_from_before(on_page, page_num, row_df, matched), *rows],
        "selected": selected,
        "focus": lit if lit and lit["box"] else None,
        "any_match": bool(matched),
        "pages": page_strip(page_df, row_df, retrieval),
        "message": " ".join(
            filter(
                None,
                [
                    message,
                    _missing_boxes(len(here) - len(placed), unlit=bool(lit and not lit["box"])),
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
    tables: Sequence[Table], page_num: int, row_df: pd.DataFrame, matched: Collection[str]
) -> list[JsonDict]:
    """The part on this page of rows that began on the page before and are cut by its end."""
    found = []
    for table in tables:
        first = table.line_df[table.line_df["row_index"] >= 0].drop_duplicates("row_index")
        before = first.loc[first["page_num"] < page_num, "row_index"]
        lines = table.line_df[table.line_df["page_num"] == page_num]
        for row_index in lines.loc[lines["row_index"].isin(before), "row_index"].unique().tolist():
            box = bounding_boxes(lines[lines["row_index"] == row_index]).get(page_num)
            row_id = f"{table.table_id}:{row_index}"
            if box is None:
                continue
            of_table = row_df[row_df["table_id"] == table.table_id]
            text = of_table.loc[of_table["row_index"] == row_index, "row_serialized"]
            found.append(
                {
                    "id": row_id,
                    "table": table.table_id,
                    "number": row_index + 1,
                    "box": list(box),
                    "text": next(iter(text), ""),
                    "matched": row_id in matched,
                }
            )
    return found


def _missing_boxes(count: int, *, unlit: bool) -> str:
    said = []
    if count:
        rows = "1 row" if count == 1 else f"{count} rows"
        said.append(f"{rows} on this page cannot be drawn: the source gives no box for them.")
    if unlit:
        said.append("The note's place cannot be lit: the source gives no box for its line.")
    return " ".join(said)
