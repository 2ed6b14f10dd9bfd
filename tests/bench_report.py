"""What `tests.bench_retrieval` prints: answers -> numbers -> lines of its table."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.evaluation import hit_at, reciprocal_ranks, token_share
from tests.bench_chunks import Answer
from tests.bench_questions import SHAPES, Question

_ALONE = ("@1", "@3", "MRR", "ctx", "tok", "sum", "wide", "none", "p50", "p95")
_WHOLE_SET = ("@1", "@3", "MRR", "table", "ctx", "tok", "none", "p50", "p95")


@dataclass(frozen=True)
class Asked:
    """One question of one way: of its table alone, and of the whole set unless left out."""

    question: Question
    lost: bool
    table_tokens: int
    alone: Answer
    together: Answer | None


def measures(asked: Sequence[Asked]) -> dict[str, float]:
    """All numbers of one line; those of the whole set begin with "set"."""
    whole = [one.table_tokens for one in asked]
    known = [one.question.gold_lines is not None for one in asked]
    numbers = {"n": float(len(asked)), "gold": float(sum(known))}
    numbers["lost"] = float(sum(one.lost for one in asked))
    numbers |= _answers_to_numbers([one.alone for one in asked], known, whole)
    together = [one.together for one in asked if one.together is not None]
    if together:
        of_set = _answers_to_numbers(together, known, whole)
        numbers |= {f"set {name}": number for name, number in of_set.items()}
    return numbers


def _answers_to_numbers(
    answers: Sequence[Answer], known: Sequence[bool], whole: Sequence[int]
) -> dict[str, float]:
    with_gold = [answer for answer, has_gold in zip(answers, known, strict=True) if has_gold]
    ranks = np.array([answer.rank for answer in with_gold])
    milliseconds = np.array([answer.seconds for answer in answers]) * 1e3
    mean, ratio = token_share([answer.tokens for answer in answers], whole)
    ranked = np.isfinite(ranks).any() or np.isinf(ranks).any()
    return {
        "@1": _mean(hit_at(ranks, 1)) if ranked else np.nan,
        "@3": _mean(hit_at(ranks, 3)) if ranked else np.nan,
        "MRR": _mean(reciprocal_ranks(ranks)),
        "table": _mean([answer.table_first for answer in answers]),
        "ctx": _mean([answer.holds for answer in with_gold]),
        "tok": mean,
        "sum": ratio,
        "wide": _mean([answer.widened for answer in answers]),
        "none": _mean([not answer.found for answer in answers]),
        "p50": float(np.percentile(milliseconds, 50)),
        "p95": float(np.percentile(milliseconds, 95)),
    }


def _mean(values: Iterable[float | bool | None]) -> float:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else float("nan")


def by_shape(asked: Sequence[Asked]) -> Iterator[tuple[str, list[Asked]]]:
    """All questions, and where a set has several shapes those of each."""
    groups = defaultdict[str, list[Asked]](list)
    for one in asked:
        groups[one.question.shape].append(one)
    yield "all", list(asked)
    if len(groups) > 1:
        yield from ((shape, groups[shape]) for shape in SHAPES if shape in groups)


def head() -> str:
    name = f"{'set':<8}{'shape':<10}{'way':<12}{'n':>5}{'gold':>5}{'lost':>5}"
    alone = "".join(f"{head:>6}" for head in _ALONE)
    over = f"{'':<45} |{'its table alone':^60} |{'the whole set':^54}"
    return f"{over}\n{name} |{alone} |{''.join(f'{head:>6}' for head in _WHOLE_SET)}"


def line(name: str, shape: str, way: str, numbers: dict[str, float]) -> str:
    counts = "".join(f"{numbers[count]:>5.0f}" for count in ("n", "gold", "lost"))
    alone = "".join(_cell(head, numbers.get(head)) for head in _ALONE)
    whole = "".join(_cell(head, numbers.get(f"set {head}")) for head in _WHOLE_SET)
    return f"{name:<8}{shape:<10}{way:<12}{counts} |{alone} |{whole}"


def _cell(head: str, number: float | None) -> str:
    if number is None or np.isnan(number):
        return f"{'-':>6}"
    return f"{number:>6.1f}" if head in ("p50", "p95") else f"{number:>6.3f}"


def print_shapes(name: str, asked: Sequence[Asked]) -> None:
    """Which shape each question has in the file, and which it got."""
    got = Counter((one.question.shape, one.alone.shape) for one in asked)
    print(f"\n{name}: shapes of the file (down) and ours (across)")
    print(f"  {'':<12}" + "".join(f"{shape:>17}" for shape in SHAPES.values()))
    for shape in dict.fromkeys(one.question.shape for one in asked):
        print(f"  {shape:<12}" + "".join(f"{got[shape, ours]:>17}" for ours in SHAPES.values()))
