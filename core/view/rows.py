"""Rows of row_df -> serialized text cut into segments: label, value, and what a question hits."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.retrieval import Retrieval
from core.retrieval.terms import WORD, word_to_key
from core.view.page import row_ids

Segment = tuple[str, str]
"""Text and its kind: "label", "label-hit", "value", "value-hit" or "sep"."""

MAX_ROWS = 300
"""Rows listed at a time; a table or a question narrows a longer list down."""

MATCHED_FIRST, PAGE_ORDER = "Matched first", "Page order"


def rows_to_list(
    row_df: pd.DataFrame,
    retrieval: Retrieval | None,
    *,
    order: str = MATCHED_FIRST,
    selected: str | None = None,
) -> list[dict[str, Any]]:
    """Rows as the list shows them: at most MAX_ROWS, matched ones marked, terms highlighted.

    Of more rows those are listed that come first in the order, or stand around the selected one.
    """
    keys = {term.key for term in retrieval.terms} if retrieval else set()
    matches = retrieval.matches if retrieval else row_df.head(0).assign(score=0.0)
    scores = dict(zip(row_ids(matches), matches["score"], strict=True))
    rows = row_df.assign(row_id=row_ids(row_df))
    if order == MATCHED_FIRST:
        place = rows["row_id"].map({row_id: at for at, row_id in enumerate(scores)})
        rows = rows.iloc[place.fillna(len(scores)).argsort(kind="stable")]
    return [
        {
            "id": row["row_id"],
            "number": int(row["row_index"]) + 1,
            "table": row["table_id"],
            "page": int(row["page_num"]),
            "line": int(row["line_num"]),
            "matched": row["row_id"] in scores,
            "score": round(float(scores[row["row_id"]]), 2) if scores.get(row["row_id"]) else None,
            "group": row["row_group"],
            "segments": row_to_segments(row["column_headers"], row["row_cells"], keys),
        }
        for row in _window(rows, selected).to_dict("records")
    ]


def _window(rows: pd.DataFrame, selected: str | None) -> pd.DataFrame:
    at = np.flatnonzero(rows["row_id"] == selected)
    start = max(0, int(at[0]) - MAX_ROWS // 2) if at.size and at[0] >= MAX_ROWS else 0
    return rows.iloc[start : start + MAX_ROWS]


def row_to_segments(
    headers: Sequence[str], cells: Sequence[str], keys: Collection[str]
) -> list[Segment]:
    """`row_serialized` cut into segments; joined together they are that text again."""
    segments: list[Segment] = []
    for at, (label, cell) in enumerate(zip(headers, cells, strict=True)):
        if at:
            segments.append((" | ", "sep"))
        if label:
            segments += _marked(label, "label", keys)
            segments.append((": ", "label"))
        segments += _marked(cell, "value", keys)
    return segments


def _marked(text: str, kind: str, keys: Collection[str]) -> list[Segment]:
    segments: list[Segment] = []
    end = 0
    for word in WORD.finditer(text):
        if keys and word_to_key(word.group()) in keys:
            if word.start() > end:
                segments.append((text[end : word.start()], kind))
            segments.append((word.group(), f"{kind}-hit"))
            end = word.end()
    if end < len(text):
        segments.append((text[end:], kind))
    return segments
