"""What is returned, as grids with the question's words marked, and why each row is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.retrieval import Decision, Index, Retrieval
from core.retrieval.explain import explain
from core.tables import Table
from core.view.decision import table_verdict
from core.view.match import explanation_data, row_position, why_row
from core.view.page import row_ids
from core.view.rows import Marks, Segment, marked, question_marks

JsonDict = dict[str, Any]

MOST_TABLES = 4
MOST_ROWS = 60
"""Rows of one table in the report; the context and the exports have them all."""
MOST_COLUMNS = 8
"""A table with more columns is set as lines of "label: value", which fit a sheet of paper."""
SHORT, FEW_COLUMNS = 12, 6
"""Letters of a cell that is not broken, in a table of so many columns at most."""
MOST_LETTERS = 60
"""Letters of the longest words of all labels that fit a sheet of paper side by side."""
MOST_WHY = 4
MOST_BEST = 600
"""Characters of a row that may stand at the head of the report."""


def returned_tables(retrieval: Retrieval, row_df: pd.DataFrame) -> list[JsonDict]:
    """Rows of each touched table as they are returned; at most MOST_TABLES."""
    marks = question_marks(retrieval)
    found = []
    for decision in retrieval.decisions[:MOST_TABLES]:
        rows = row_df[row_df["table_id"] == decision.table_id]
        matched = retrieval.matches[retrieval.matches["table_id"] == decision.table_id]
        ids = set(row_ids(matched))
        if decision.widened:
            is_matched = row_ids(rows).isin(ids).to_numpy()
            shown = rows.iloc[np.sort(np.argsort(~is_matched, kind="stable")[:MOST_ROWS])]
        else:
            shown = matched.head(MOST_ROWS)
        total = len(rows) if decision.widened else len(matched)
        found.append(
            {
                **grid(shown, ids, marks),
                **table_verdict(decision),
                "title": _title(decision, len(matched)),
                "capped": _capped(len(shown), total),
            }
        )
    return found


def table_grids(tables: Sequence[Table], row_df: pd.DataFrame) -> list[JsonDict]:
    """The first rows of tables nobody asked about."""
    found = []
    for table in tables[:MOST_TABLES]:
        rows = row_df[row_df["table_id"] == table.table_id]
        count = f"{len(rows):,} {'row' if len(rows) == 1 else 'rows'}"
        found.append(
            {
                **grid(rows.head(MOST_ROWS), set(), Marks()),
                "table_id": table.table_id,
                "title": f"{table.table_id}: {count}",
                "capped": _capped(min(len(rows), MOST_ROWS), len(rows)),
            }
        )
    return found


def grid(rows: pd.DataFrame, matched: set[str], marks: Marks) -> JsonDict:
    """Rows of one table under their labels, each cell cut into segments."""
    labels: Sequence[str] = max(rows["column_headers"], key=len, default=[])
    width = max([len(labels), *(len(cells) for cells in rows["row_cells"])], default=0)
    padded = [*labels, *[""] * (width - len(labels))]
    group, records = "", []
    for row_id, row in zip(row_ids(rows), rows.to_dict("records"), strict=True):
        is_matched = row_id in matched
        cells = [*row["row_cells"], *[""] * (width - len(row["row_cells"]))]
        records.append(
            {
                "number": int(row["row_index"]) + 1,
                "matched": is_matched,
                "cite": f"p. {row['page_num']}, l. {row['line_num']}",
                "group": row["row_group"] if row["row_group"] != group else "",
                "cells": [
                    _cell(cell, at, marks, matched=is_matched) for at, cell in enumerate(cells)
                ],
                "short": [len(cell) <= SHORT and width <= FEW_COLUMNS for cell in cells],
            }
        )
        group = row["row_group"]
    return {
        "labels": [marked(label, "label", marks.labels) for label in padded],
        "wide": width > MOST_COLUMNS,
        "tight": width <= MOST_COLUMNS and sum(map(_longest_word, labels)) > MOST_LETTERS,
        "rows": records,
        "columns": width,
    }


def why_rows(retrieval: Retrieval, row_df: pd.DataFrame) -> list[JsonDict]:
    """Why the best rows are returned; where none is, why the nearest is not."""
    if retrieval.decisions:
        if all(decision.whole for decision in retrieval.decisions):
            return []  # every row counts: the shape says why
        best = row_ids(retrieval.matches.head(MOST_WHY))
        positions = [row_position(row_df, row_id) for row_id in best]
        return [
            explanation_data(explain(retrieval, row_df, at), row_df) | {"text": _name(row_df, at)}
            for at in positions
            if at is not None
        ]
    nearest = why_row(retrieval, row_df, None)
    return [nearest | {"text": ""}] if nearest else []


def best_row(retrieval: Retrieval) -> JsonDict | None:
    """The best matched row as labels and values, where few rows are the answer."""
    if not retrieval.decisions or any(decision.widened for decision in retrieval.decisions):
        return None
    if retrieval.paragraphs_better or len(retrieval.matches) > 1:
        return None
    marks = question_marks(retrieval)
    row = retrieval.matches.iloc[0]
    filled = [
        (at, label, cell)
        for at, (label, cell) in enumerate(
            zip(row["column_headers"], row["row_cells"], strict=False)
        )
        if cell
    ]
    if len(filled) > MOST_COLUMNS or len(row["row_serialized"]) > MOST_BEST:
        return None
    return {
        "place": f"Row {row['row_index'] + 1} of {row['table_id']}",
        "group": row["row_group"],
        "cite": f"p. {row['page_num']}, l. {row['line_num']}",
        "pairs": [
            {
                "label": marked(label, "label", marks.labels),
                "value": _cell(cell, at, marks, matched=True),
            }
            for at, label, cell in filled
        ],
    }


def nearest_tables(index: Index, retrieval: Retrieval) -> list[str]:
    """The table of the row that comes nearest, where nothing matched."""
    near = why_row(retrieval, index.row_df, None)
    return [near["row"].rpartition(" ")[2]] if near else []


def _cell(cell: str, at: int, marks: Marks, *, matched: bool) -> list[Segment]:
    if at == 0 and cell and cell in marks.names:
        return [(cell, "value-hit")]
    parts = marked(cell, "value", marks.values)
    if matched and any(kind == "value-hit" for _, kind in parts):
        return [(text, "cell" if kind == "value" else kind) for text, kind in parts]
    return parts


def _longest_word(label: str) -> int:
    return max(map(len, label.split()), default=0)


def _title(decision: Decision, matched: int) -> str:
    if decision.whole:
        return f"{decision.table_id}: all {decision.n_body_rows:,} rows"
    if decision.widened:
        return (
            f"{decision.table_id}: all {decision.n_body_rows:,} rows, {matched:,} of them matched"
        )
    return f"{decision.table_id}: {matched:,} of {decision.n_body_rows:,} rows"


def _capped(shown: int, total: int) -> str:
    if shown >= total:
        return ""
    return f"{shown:,} of {total:,} rows are shown here; the app's exports have them all."


def _name(row_df: pd.DataFrame, position: int) -> str:
    """What stands first in a row, to tell it from the others."""
    cells = [" ".join(cell.split()) for cell in row_df["row_cells"].iloc[position]]
    name = next(filter(None, cells), "")
    return name if len(name) <= 80 else f"{name[:79]}…"
