"""What the Tune page shows of a sweep, as plain data and sentences."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd

from core.tuning import QuestionSet, Recommendation, Sweep
from core.tuning.recommend import CONFIDENCE
from core.tuning.sweep import ALWAYS
from core.view.decision import SHAPE_NAMES

FEW = 30
"""Questions below which a set is called small."""
_SURE, _UNSURE = 0.9, 0.6
"""Agreement of the drawings from which a choice is called sure, and below which it is not."""


def verdict_card(
    sweep: Sweep, threshold: float, recommendation: Recommendation | None
) -> dict[str, Any]:
    """Readings at the threshold that is set, beside those at the recommended one."""
    tiles = [
        _tile("Got all they expect", "recall", sweep, threshold, recommendation, _percent),
        _tile(
            "Rows returned that were expected",
            "precision",
            sweep,
            threshold,
            recommendation,
            _percent,
        ),
        _tile("Tokens a question", "mean_tokens", sweep, threshold, recommendation, _number),
        _tile("Answered by a whole table", "n_widened", sweep, threshold, recommendation, _number),
    ]
    return {
        "threshold": threshold_text(threshold),
        "tiles": tiles,
        "recommendation": recommendation_card(sweep, recommendation),
    }


def _tile(
    name: str,
    column: str,
    sweep: Sweep,
    threshold: float,
    recommendation: Recommendation | None,
    as_text: Any,
) -> dict[str, str]:
    now = reading(sweep, threshold)[column]
    then = reading(sweep, recommendation.value)[column] if recommendation else now
    same = as_text(now) == as_text(then)
    return {
        "name": name,
        "value": as_text(now),
        "other": ""
        if recommendation is None or same
        else f"{as_text(then)} at the recommended one",
    }


def reading(sweep: Sweep, threshold: float) -> dict[str, float]:
    """The curve's values at a threshold."""
    upper = sweep.curve["upper"].to_numpy()
    at = int(np.searchsorted(upper, threshold - 1e-9))
    return {str(key): float(value) for key, value in sweep.curve.iloc[at].items()}


def recommendation_card(sweep: Sweep, chosen: Recommendation | None) -> dict[str, str] | None:
    """What is recommended and how sure it is; None without expectations."""
    if chosen is None:
        return None
    return {
        "value": threshold_text(chosen.value),
        "reason": reason(sweep, chosen),
        "plateau": plateau(chosen),
        "sure": how_sure(chosen),
    }


def reason(sweep: Sweep, chosen: Recommendation) -> str:
    """The rule, and what it gives there."""
    if chosen.is_flat:
        return (
            "Every threshold does equally well on these questions: they cannot tell thresholds "
            "apart. Add questions that need several rows of one table."
        )
    got = round(chosen.recall * chosen.n_questions)
    least, most = sweep.curve["mean_tokens"].min(), sweep.curve["mean_tokens"].max()
    at = reading(sweep, chosen.value)["mean_tokens"]
    return (
        f"{chosen.rule[0].upper()}{chosen.rule[1:]}: {got} of {chosen.n_questions} questions get "
        f"all they expect, at {at:,.0f} tokens a question (thresholds range from {least:,.0f} to "
        f"{most:,.0f})."
    )


def plateau(chosen: Recommendation) -> str:
    """The stretch of thresholds within which nothing changes."""
    start = "from 0" if chosen.lower == 0 else f"above {threshold_text(chosen.lower)}"
    return f"The same holds {start}, up to {threshold_text(chosen.upper)}."


def how_sure(chosen: Recommendation) -> str:
    """What the bootstrap says, in words."""
    if chosen.n_questions == 1:
        return "One question decides nothing: add more."
    low, high = (f"{bound:.2f}" for bound in chosen.interval)
    if chosen.agreement >= _SURE:
        words = "Sure"
    else:
        words = "Fairly sure" if chosen.agreement >= _UNSURE else "Unsure"
    small = f", with only {chosen.n_questions} questions" if chosen.n_questions < FEW else ""
    where = f"near {low}" if low == high else f"between {low} and {high}"
    return (
        f"{words}{small}: it stays among the best in {chosen.agreement:.0%} of redrawn sets, and "
        f"{CONFIDENCE:.0%} of them have their best {where} (bootstrap)."
    )


def question_table(
    questions: QuestionSet, notes: list[str], sweep: Sweep, threshold: float
) -> pd.DataFrame:
    """One row per question: what was asked, what came back at the threshold, where it flips."""
    at = sweep.at(threshold)
    got = at["returned_all"].to_numpy()
    return pd.DataFrame(
        {
            "question": [one.question for one in questions],
            "expected": [one.expect.replace("\n", "; ") for one in questions],
            "came_back": at["outcome"].to_numpy(),
            "as_expected": ["–" if np.isnan(one) else "yes" if one else "no" for one in got],
            "rows": at["n_rows"].astype("int64").to_numpy(),
            "tokens": at["tokens"].astype("int64").to_numpy(),
            "coverage": _coverages(sweep),
            "shape": [SHAPE_NAMES.get(shape, shape) for shape in sweep.questions["shape"]],
            "note": notes,
        }
    )


def _coverages(sweep: Sweep) -> list[str]:
    """k of n of every table a question found: where it flips."""
    texts = [""] * len(sweep.questions)
    pairs = sweep.pairs
    for at, k, n, table_id, flip in zip(
        *(pairs[name].tolist() for name in ("question", "k", "n", "table_id", "flip")), strict=True
    ):
        always = ", always whole" if flip == ALWAYS else ""
        texts[at] = "; ".join(filter(None, [texts[at], f"{k}/{n} of {table_id}{always}"]))
    return texts


def change_table(sweep: Sweep, before: float, after: float) -> pd.DataFrame:
    """Questions of which something else comes back at another threshold."""
    changes = sweep.changes(before, after)
    got = {1.0: "yes", 0.0: "no"}
    return pd.DataFrame(
        {
            "position": changes["position"],
            "question": changes["question"],
            "before": changes["outcome_before"],
            "after": changes["outcome_after"],
            "tokens_before": changes["tokens_before"].astype("int64"),
            "tokens_after": changes["tokens_after"].astype("int64"),
            "as_expected_before": changes["returned_all_before"].map(got).fillna("–"),
            "as_expected_after": changes["returned_all_after"].map(got).fillna("–"),
        }
    )


def configuration(threshold: float, settings: dict[str, object]) -> dict[str, str]:
    """The threshold as it stands in code and in configuration files."""
    value = float(threshold_text(threshold))
    kept = {key: one for key, one in settings.items() if one is not None}
    arguments = "".join(f", {key}={one!r}" for key, one in kept.items())
    return {
        "Python": f"index.retrieve(question, widen_threshold={value:g}{arguments})",
        "JSON": json.dumps({"widen_threshold": value, **kept}, indent=2),
        "TOML": "\n".join(
            ["[rowlens]", f"widen_threshold = {value:g}"]
            + [f"{key} = {json.dumps(one)}" for key, one in kept.items()]
        ),
    }


def curve_alt(sweep: Sweep, threshold: float) -> str:
    """The curves in words."""
    now, curve = reading(sweep, threshold), sweep.curve
    return (
        f"Against the threshold from 0 to 1, {len(curve)} steps. At {threshold_text(threshold)}: "
        f"{_percent(now['recall'])} of the questions get all they expect, "
        f"{_percent(now['precision'])} of the returned rows were expected, "
        f"{now['mean_tokens']:,.0f} tokens a question, "
        f"{now['n_widened']:.0f} answered by a whole table. From 0 to 1 tokens go from "
        f"{curve['mean_tokens'].iloc[0]:,.0f} to {curve['mean_tokens'].iloc[-1]:,.0f}."
    )


def trade_alt(sweep: Sweep) -> str:
    """The trade-off in words."""
    curve = sweep.curve
    points = "; ".join(
        f"{_percent(recall)} at {tokens:,.0f} tokens"
        for recall, tokens in zip(
            curve["recall"].tolist(), curve["mean_tokens"].tolist(), strict=True
        )
    )
    return f"Questions that get all they expect, by tokens a question: {points}."


def strip_alt(sweep: Sweep, threshold: float) -> str:
    """The strip of coverages in words."""
    flips = sweep.pairs[(sweep.pairs["flip"] > 0) & (sweep.pairs["flip"] < ALWAYS)]
    whole = int((flips["flip"] >= threshold - 1e-9).sum())
    return (
        f"Coverage of each question's tables: {len(flips)} flip between {_share(flips, 'min')} and "
        f"{_share(flips, 'max')}; {whole} of them come back whole at {threshold_text(threshold)}."
    )


def _share(pairs: pd.DataFrame, how: str) -> str:
    return f"{getattr(pairs['coverage'], how)():.2f}" if len(pairs) else "–"


def threshold_text(value: float) -> str:
    """A threshold with as many digits as it needs, two at least and four at most."""
    text = f"{value:.4f}".rstrip("0")
    return text if len(text.split(".")[1]) >= 2 else f"{value:.2f}"


def _percent(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.0%}"


def _number(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:,.0f}"
