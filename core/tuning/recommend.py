"""The threshold to take, for how far around it the same holds, and how sure that is.

Two rules. Without a weight: the fewest tokens among the thresholds at which the most questions get
all that is expected. With one: the most of `recall - weight * tokens / most tokens`. Either way a
whole stretch of thresholds is as good, and a number that is easy to remember is named within it.

How sure: the questions are drawn anew, with replacement, and the rule is asked again each time
(bootstrap, Efron 1979; percentile interval by scipy.stats.bootstrap).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.errors import OptionError
from core.retrieval.widening import DEFAULT_THRESHOLD
from core.tuning.sweep import Sweep

RESAMPLES = 999
CONFIDENCE = 0.9
MOST_DRAWN = 2_000_000
"""Questions drawn at a time; more are drawn in several goes."""
_TIE = 1e-9

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Recommendation:
    """A threshold and its reason."""

    value: float
    lower: float
    """Where its plateau begins; excluded, unless it is 0."""
    upper: float
    """Where it ends, included."""
    recall: float
    """Share of the questions with an expectation that get all of it there."""
    mean_tokens: float
    n_questions: int
    """With an expectation."""
    weight: float | None
    interval: tuple[float, float]
    """Within which the threshold lies in CONFIDENCE of the drawings."""
    agreement: float
    """Share of the drawings in which this threshold is among the best."""
    is_flat: bool
    """Every threshold does as well: these questions cannot tell."""

    @property
    def rule(self) -> str:
        """The rule in words."""
        if self.weight is None:
            return "fewest tokens at the best recall"
        return f"most recall, less {self.weight:g} times the share of the tokens"


def recommend(sweep: Sweep, weight: float | None = None, *, seed: int = 0) -> Recommendation | None:
    """The threshold to take by a set of questions; None where none has an expectation.

    Args:
        sweep: from `core.tuning.sweep`.
        weight: how much recall a context as long as the longest is worth, from 0; None asks for
            the fewest tokens at the best recall.
        seed: of the drawings.

    Raises:
        OptionError: the weight is below 0 or no number.
    """
    if weight is not None and not weight >= 0:
        raise OptionError(f"weight is {weight!r}; give a number from 0.")
    returned, tokens = sweep.matrix("returned_all"), sweep.matrix("tokens")
    known = np.isfinite(returned[0]) if len(returned) else np.zeros(0, dtype=bool)
    if not known.any():
        return None
    returned, tokens = returned[:, known], tokens[:, known]
    n_questions = returned.shape[1]
    recall, mean_tokens = returned.mean(axis=1), tokens.mean(axis=1)
    best = _best(recall, mean_tokens, weight)
    upper = sweep.steps["upper"].to_numpy()
    lower = sweep.steps["lower"].to_numpy()
    first, last = _plateau(best, lower, upper)
    value = _memorable(float(lower[first]), float(upper[last]))
    step = int(np.searchsorted(upper, value - _TIE))
    interval, agreement = _draw(returned, tokens, lower, upper, step, weight, seed)
    return Recommendation(
        value=value,
        lower=float(lower[first]),
        upper=float(upper[last]),
        recall=float(recall[step]),
        mean_tokens=float(mean_tokens[step]),
        n_questions=n_questions,
        weight=weight,
        interval=interval,
        agreement=agreement,
        is_flat=bool(best.all()),
    )


def _best(recall: Array, tokens: Array, weight: float | None) -> npt.NDArray[np.bool_]:
    """Which steps are best, along the last axis."""
    if weight is None:
        is_best = recall >= recall.max(axis=-1, keepdims=True) - _TIE
        least = np.where(is_best, tokens, np.inf).min(axis=-1, keepdims=True)
        return is_best & (tokens <= least + _TIE)
    most = np.maximum(tokens.max(axis=-1, keepdims=True), 1.0)
    worth = recall - weight * tokens / most
    return worth >= worth.max(axis=-1, keepdims=True) - _TIE


def _plateau(best: npt.NDArray[np.bool_], lower: Array, upper: Array) -> tuple[int, int]:
    """First and last step of the widest run of best ones."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], best.astype(np.int8), [0]])))
    starts, ends = edges[::2], edges[1::2] - 1
    widest = int(np.argmax(upper[ends] - lower[starts]))
    return int(starts[widest]), int(ends[widest])


def _memorable(lower: float, upper: float) -> float:
    """The default if it lies within, else the number of fewest digits nearest to the middle."""
    if (lower < DEFAULT_THRESHOLD or lower == 0) and upper >= DEFAULT_THRESHOLD:
        return DEFAULT_THRESHOLD
    middle = (lower + upper) / 2
    for step in (0.1, 0.05, 0.01, 0.005, 0.001, 0.0001):
        ticks = np.round(np.arange(0, round(1 / step) + 1) * step, 4)
        inside = ticks[((ticks > lower + _TIE) | (lower == 0)) & (ticks <= upper + _TIE)]
        if len(inside):
            return float(inside[np.argmin(np.abs(inside - middle))])
    return upper


def _draw(
    returned: Array,
    tokens: Array,
    lower: Array,
    upper: Array,
    step: int,
    weight: float | None,
    seed: int,
) -> tuple[tuple[float, float], float]:
    """Interval of the threshold, and how often the step taken is among the best."""
    from scipy.stats import bootstrap  # type: ignore[import-untyped]

    n_steps, n_questions = returned.shape
    if n_questions == 1:
        return (0.0, 1.0), 1.0
    middles = (lower + upper) / 2

    def asked(drawn: npt.NDArray[np.int64], axis: int = -1) -> Array:
        counts = _counts(np.moveaxis(drawn, axis, -1), n_questions)
        best = _best(counts @ returned.T / n_questions, counts @ tokens.T / n_questions, weight)
        # The best stretch may be broken: the middle of it that is nearest to the step taken.
        far = np.where(best, np.abs(middles - middles[step]), np.inf)
        return np.stack([middles[np.argmin(far, axis=-1)], best[..., step].astype(np.float64)])

    drawn = bootstrap(
        (np.arange(n_questions),),
        asked,
        n_resamples=RESAMPLES,
        batch=max(1, MOST_DRAWN // (n_questions + n_steps)),
        vectorized=True,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    low, high = drawn.confidence_interval.low[0], drawn.confidence_interval.high[0]
    return (float(low), float(high)), float(drawn.bootstrap_distribution[1].mean())


def _counts(drawn: npt.NDArray[np.int64], n_questions: int) -> Array:
    """(..., n_questions): how often each question was drawn."""
    flat = drawn.reshape(-1, drawn.shape[-1]).astype(np.int64)
    at = np.arange(len(flat))[:, None] * n_questions + flat
    counts = np.bincount(at.ravel(), minlength=len(flat) * n_questions)
    return counts.reshape(*drawn.shape[:-1], n_questions).astype(np.float64)
