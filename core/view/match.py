"""An explanation -> what the app says of a row: verdict, reason, score and terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.retrieval import Retrieval
from core.retrieval.evidence import PARTS
from core.retrieval.explain import Explanation, TermFound, explain
from core.retrieval.hits import ACRONYM, EXACT

JsonDict = dict[str, Any]

PART_NAMES = {
    "value": ("words", "words of the question in its cells; rare ones count more"),
    "name": ("name", "how much of its name the question holds"),
    "meaning": ("meaning", "how near its name is to the question in meaning"),
    "phrase": ("phrase", "words that follow each other in both"),
    "total": ("total", "it sums up the other rows"),
    "polarity": ("yes or no", "it is the row named yes, or no"),
}
"""Parts of a score by the name and the explanation that the app gives them."""

NEAREST = "Why not the nearest?"

_LONGEST = 60
"""Characters of a word or label that are quoted."""
_IN_ROW = {"name": "in the row's name", "group": "in its section", "prose": "in the text of"}


def why_row(
    retrieval: Retrieval | None, row_df: pd.DataFrame, selected: str | None
) -> JsonDict | None:
    """Why the selected row is in or out; without one, the row that comes first or nearest.

    None before a question, and where no row holds any word of it.

    Args:
        row_df: that of the index.
        selected: id of a row, such as "t1:3".
    """
    if retrieval is None or row_df.empty:
        return None
    position = row_position(row_df, selected) if selected else first_row(retrieval, row_df)
    if position is None:
        return None
    data = explanation_data(explain(retrieval, row_df, position), row_df)
    return data if selected or data["tone"] != "out" else data | {"question": NEAREST}


def row_position(row_df: pd.DataFrame, row_id: str) -> int | None:
    """Position of a row by its id."""
    table_id, _, index = row_id.rpartition(":")
    if not index.isdecimal() or len(index) > 9:
        return None
    numbered = np.flatnonzero(row_df["row_index"].to_numpy() == int(index))
    found = numbered[row_df["table_id"].iloc[numbered].to_numpy() == table_id]
    return int(found[0]) if found.size else None


def first_row(retrieval: Retrieval, row_df: pd.DataFrame) -> int | None:
    """Position of the best matched row; where none matched, of the best that holds any word."""
    if retrieval.use_row_level and retrieval.cut.rows.size:
        return int(retrieval.cut.rows[0])
    if len(retrieval.matches):
        first = retrieval.matches.iloc[0]
        return row_position(row_df, f"{first['table_id']}:{first['row_index']}")
    ranked = retrieval.ranking["position"].to_numpy()
    near = ranked[retrieval.evidence.parts["value"][ranked] > 0]
    return int(near[0]) if near.size else None


def explanation_data(explanation: Explanation, row_df: pd.DataFrame) -> JsonDict:
    """Everything the panel shows, as text and shares."""
    labels = row_df["column_headers"].iloc[explanation.position]
    verdict, tone = "Left out", "out"
    if explanation.matched:
        verdict, tone = "Matched", "matched"
    elif explanation.returned:
        verdict, tone = "Returned with its table", "returned"
    verdict_said = explanation.reason.partition(": ")[2] or explanation.reason
    scale = max(explanation.best, explanation.score, explanation.line or 0.0)
    return {
        "question": "Why this row?" if explanation.returned else "Why not this row?",
        "row": f"Row {explanation.row_index + 1} of {explanation.table_id}",
        "verdict": verdict,
        "tone": tone,
        "rank": f"#{explanation.rank:,}" if explanation.rank else "",
        "score": f"{explanation.score:.2f}",
        "reason": verdict_said[:1].upper() + verdict_said[1:],
        "parts": _parts(explanation, scale),
        "line": explanation.line / scale if explanation.line and scale else None,
        "bar": _bar_in_words(explanation),
        "terms": [_term(term, labels) for term in explanation.terms],
    }


def _parts(explanation: Explanation, scale: float) -> list[JsonDict]:
    found = []
    for part in PARTS:
        value = explanation.parts[part]
        if abs(value) < 0.005:
            continue
        name, meant = PART_NAMES.get(part, (part, ""))
        if part == "meaning" and explanation.similarity is not None:
            meant = f"{meant} (cosine {explanation.similarity:.2f})"
        share = max(value, 0.0) / scale if scale else 0.0
        found.append(
            {
                "part": part,
                "name": name,
                "value": f"{value:.2f}",
                "share": share,
                "title": meant[:1].upper() + meant[1:],
            }
        )
    return found


def _bar_in_words(explanation: Explanation) -> str:
    parts = ", ".join(
        f"{PART_NAMES.get(part, (part, ''))[0]} {value:.2f}"
        for part, value in explanation.parts.items()
        if abs(value) >= 0.005
    )
    line = f"; the line is at {explanation.line:.2f}" if explanation.line is not None else ""
    return f"Score {explanation.score:.2f}{f' = {parts}' if parts else ''}{line}"


def _term(term: TermFound, labels: Sequence[str]) -> JsonDict:
    """A chip: the term, what was found for it, and where."""
    kind = term.where if term.where in ("label", "title") else "value" if term.where else "none"
    return {
        "text": _shortened(term.text),
        "found": _found(term),
        "where": _where(term, labels),
        "kind": kind,
        "title": f"Adds {term.weight:.2f} to the score" if term.weight >= 0.005 else "",
    }


def _found(term: TermFound) -> str:
    """How the row writes it, where that is not as typed: "~ “theft” (typo)"."""
    if term.how == EXACT or not term.where or not term.words:
        return ""
    words = " ".join(f"“{_shortened(word)}”" for word in term.words[:2])
    if term.how == ACRONYM:
        return f"= {words}" if term.keys else f"= initials of {words}"
    return f"~ {words} (typo)" if term.how == "typo" else f"~ {words}"


def _where(term: TermFound, labels: Sequence[str]) -> str:
    columns = term.columns or term.label_columns
    label = f"“{_shortened(labels[columns[0]])}”" if columns and labels[columns[0]] else "a cell"
    match term.where:
        case "name" | "group":
            place = _IN_ROW[term.where]
        case "value" | "prose":
            place = f"{'under' if term.where == 'value' else 'in the text of'} {label}"
        case "label":
            place = f"label {label}" if columns else "label of the table"
        case "title":
            place = "above the table"
        case _:
            return "not here"
    return f"{place}, also a label" if term.is_label and term.where != "label" else place


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
