"""A retrieval -> the words and numbers of the decision panel."""

from __future__ import annotations

from typing import Any

from core.retrieval import MIXED, SYNTHESIS, TARGETED, Decision, Retrieval
from core.retrieval.ambiguity import ambiguity

SHAPE_NAMES = {TARGETED: "Targeted lookup", SYNTHESIS: "Synthesis", MIXED: "Mixed"}

BASELINE_NAMES = {
    "markdown": "Table, Markdown",
    "rows": "Table, all rows",
    "page": "Page",
    "document": "Document",
}
"""Baselines by the name the panel gives them; the first is the honest one."""


MAX_TABLES = 3
"""Tables the panel spells out; a question seldom touches more."""


def decision_card_data(retrieval: Retrieval) -> dict[str, Any]:
    """Everything the card shows, as text and shares."""
    return {
        "ratio": ratio_text(retrieval.tokens.ratio("markdown")),
        "sentence": saving_sentence(retrieval),
        "tables": [table_verdict(decision) for decision in retrieval.decisions[:MAX_TABLES]],
        "ambiguity": ambiguity(retrieval) or "",
        "shape": SHAPE_NAMES[retrieval.shape],
        "shape_reason": retrieval.shape_reason,
        "row_level_reason": retrieval.row_level_reason,
        "partial": next((note for note in retrieval.notes if note.startswith("Partial")), ""),
    }


def table_verdict(decision: Decision) -> dict[str, Any]:
    """One decision: "1 of 40 rows", "Row-level" or "Widened", and what would change it."""
    rows = "row" if decision.n_body_rows == 1 else "rows"
    return {
        "table_id": decision.table_id,
        "count": f"{decision.k} of {decision.n_body_rows} {rows}",
        "verdict": "Widened" if decision.widened else "Row-level",
        "margin": _margin(decision),
        "coverage": decision.coverage,
        "threshold": decision.threshold,
        "widened": decision.widened,
        "whole": decision.whole,
    }


def ratio_text(ratio: float | None) -> str:
    """A ratio for large type: "41.8×", "0.93×"; an en dash where there is none."""
    if ratio is None:
        return "–"
    if ratio >= 100:
        return f"{ratio:,.0f}×"
    return f"{ratio:.1f}×" if ratio >= 2 else f"{ratio:.2f}×"


def saving_sentence(retrieval: Retrieval) -> str:
    """What the context saves against sending the table as Markdown, as it is."""
    ratio = retrieval.tokens.ratio("markdown")
    if ratio is None:
        return ""
    share = 1 - 1 / ratio
    if share >= 0.005:
        return f"{share:.0%} fewer tokens than the whole table as Markdown"
    if share <= -0.005:
        return f"{-share:.0%} more tokens than the whole table as Markdown"
    return "As many tokens as the whole table as Markdown"


def break_even(retrieval: Retrieval) -> str:
    """From how many matched rows on the whole table as Markdown costs no more, in words."""
    if not retrieval.decisions:
        return ""
    decision, k = retrieval.decisions[0], retrieval.tokens.break_even_k
    if k is None:
        return "Rows never cost more"
    return f"Break-even: {k} of {decision.n_body_rows} rows"


def _margin(decision: Decision) -> str:
    if decision.whole:
        return "The question is about the whole table; the threshold is not asked."
    if decision.n_body_rows == 1:
        return "The table has one row; it is shown as it is."
    if decision.widened:
        spare = decision.k - decision.k_to_widen
        if spare <= 0:
            return "Just enough rows to widen."
        return f"{spare} row{'s' if spare > 1 else ''} more than widening takes."
    missing = decision.margin
    return f"{missing} more row{'s' if missing > 1 else ''} would widen."
