"""Rows of row_df -> serialized text cut into segments: label, value, and what a question hits."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from core.retrieval import Retrieval
from core.retrieval.hits import ACRONYM
from core.view.page import row_ids
from core.words import text_to_pieces

Segment: TypeAlias = tuple[str, str]
"""Text and its kind: "label", "label-hit", "value", "value-hit", "cell" or "sep".

"cell" is the rest of a matched row's cell that holds a hit.
"""

MAX_ROWS = 300
"""Rows listed at a time; a table or a question narrows a longer list down."""

MATCHED_FIRST, PAGE_ORDER = "Matched first", "Page order"


@dataclass(frozen=True)
class Marks:
    """What of a question is marked in rows, by where it hits."""

    values: Set[str] = frozenset()
    """Keys that hit cells."""
    labels: Set[str] = frozenset()
    """Keys that hit labels."""
    names: Set[str] = frozenset()
    """Names that spell an acronym by their initials."""


def question_marks(retrieval: Retrieval | None) -> Marks:
    """Keys as they were found: of a typo the word it was taken for."""
    hits = retrieval.evidence.hits if retrieval else []
    spelt = [one.rows for one in hits if one.how == ACRONYM and not one.keys]
    facts = retrieval.evidence.facts if retrieval else None
    return Marks(
        values=frozenset(key for one in hits if one.rows.size for key in one.keys),
        labels=frozenset(key for one in hits if one.labels.any() for key in one.keys),
        names=frozenset(name for rows in spelt if facts for name in facts.first_cells(rows)),
    )


def next_match(
    retrieval: Retrieval | None, selected: str | None, step: int
) -> tuple[str, int] | None:
    """Id and page of the matched row after the selected one in order of the document, or, with
    step -1, before it; the first after the last. None without matches."""
    if retrieval is None or retrieval.matches.empty:
        return None
    rows = retrieval.matches.sort_values(["page_num", "line_num"], kind="stable")
    ids, pages = row_ids(rows).tolist(), rows["page_num"].tolist()
    if selected in ids:
        at = (ids.index(selected) + step) % len(ids)
    else:
        at = 0 if step > 0 else len(ids) - 1
    return ids[at], int(pages[at])


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
    marks = question_marks(retrieval)
    matches = retrieval.matches if retrieval else row_df.head(0).assign(score=0.0)
    scores = dict(zip(row_ids(matches), matches["score"], strict=True))
    # Where all rows of a table are meant, no row comes before another.
    told = retrieval is not None and retrieval.use_row_level and retrieval.cut.rows.size > 0
    ranked = row_ids(retrieval.ranking).tolist() if retrieval and told else []
    ranks = {row_id: rank for rank, row_id in enumerate(ranked, 1)}
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
            "rank": ranks.get(row["row_id"]) if row["row_id"] in scores else None,
            "score": round(float(scores[row["row_id"]]), 2) if scores.get(row["row_id"]) else None,
            "group": row["row_group"],
            "segments": row_to_segments(
                row["column_headers"], row["row_cells"], marks, matched=row["row_id"] in scores
            ),
        }
        for row in _window(rows, selected).to_dict("records")
    ]


def _window(rows: pd.DataFrame, selected: str | None) -> pd.DataFrame:
    at = np.flatnonzero(rows["row_id"] == selected)
    start = max(0, int(at[0]) - MAX_ROWS // 2) if at.size and at[0] >= MAX_ROWS else 0
    return rows.iloc[start : start + MAX_ROWS]


def row_to_segments(
    headers: Sequence[str], cells: Sequence[str], marks: Marks, *, matched: bool = False
) -> list[Segment]:
    """`row_serialized` cut into segments; joined together they are that text again."""
    segments: list[Segment] = []
    for at, (label, cell) in enumerate(zip(headers, cells, strict=True)):
        if at:
            segments.append((" | ", "sep"))
        if label:
            segments += marked(label, "label", marks.labels)
            segments.append((": ", "label"))
        if at == 0 and cell and cell in marks.names:
            segments.append((cell, "value-hit"))
            continue
        parts = marked(cell, "value", marks.values)
        if matched and any(kind == "value-hit" for _, kind in parts):
            parts = [(text, "cell" if kind == "value" else kind) for text, kind in parts]
        segments += parts
    return segments


def marked(text: str, kind: str, keys: Set[str]) -> list[Segment]:
    """A text cut into what holds one of the keys, "<kind>-hit", and what does not, `kind`."""
    segments: list[Segment] = []
    end = 0
    for piece in text_to_pieces(text) if keys else ():
        if not keys.isdisjoint(piece.keys):
            if piece.start > end:
                segments.append((text[end : piece.start], kind))
            segments.append((piece.text, f"{kind}-hit"))
            end = piece.end
    if end < len(text):
        segments.append((text[end:], kind))
    return segments
