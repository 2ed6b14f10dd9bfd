"""One answer per question -> what every widening threshold would have made of it.

The threshold decides nothing but which of the tables found come back whole, and lines of context
are counted one by one. So an answer at one threshold tells that at all: coverage k/n is discrete,
a table flips at it and nowhere else, and between two flips nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.evaluation import NOTHING, ROWS, TABLE, UNKNOWN, Expectation
from core.retrieval.savings import count_lines
from core.tables.model import markdown_lines
from core.tuning.answers import Answer

Array: TypeAlias = npt.NDArray[np.float64]

SLACK = 1e-9
"""As in `core.retrieval.widening`: 3 of 5 at 0.60 widens."""

ALWAYS, NEVER = 2.0, -1.0
"""Where a table flips that comes back whole, or by row, at every threshold."""

OUTCOMES = ("nothing", "paragraphs", "rows", "rows and tables", "whole table")


@dataclass(frozen=True)
class Sweep:
    """What a set of questions brings back at any threshold."""

    questions: pd.DataFrame
    """One row per question: question, kind, shape, found."""
    pairs: pd.DataFrame
    """One row per question and table found: question (position), table_id, k, n, coverage, flip
    (highest threshold at which the table comes back whole; ALWAYS, NEVER), narrow_tokens,
    wide_tokens."""
    states: pd.DataFrame
    """One row per question and stretch of thresholds in which it stays the same, in order:
    question, lower (exclusive; NEVER for the first), tokens, n_rows, expected, n_whole, n_narrow,
    returned_all (1, 0, NaN unknown), precision (NaN unknown)."""

    @cached_property
    def flips(self) -> Array:
        """Thresholds at which anything flips, ascending: up to and with it, more comes back."""
        lower = self.states["lower"].to_numpy()
        return np.unique(lower[(lower > 0) & (lower < 1)])

    @cached_property
    def steps(self) -> pd.DataFrame:
        """The stretches of thresholds within which nothing changes: lower (exclusive but for the
        first, which begins at 0), upper (inclusive)."""
        upper = np.append(self.flips, 1.0)
        return pd.DataFrame({"lower": np.append(0.0, upper[:-1]), "upper": upper})

    def at(self, threshold: float) -> pd.DataFrame:
        """What each question brings back at a threshold: the columns of `states`, and outcome."""
        rows = self.states.iloc[self._state_at(np.array([threshold]))[0]].reset_index(drop=True)
        found = self.questions["found"].to_numpy()
        return rows.assign(outcome=_outcomes(rows, found))

    @cached_property
    def curve(self) -> pd.DataFrame:
        """One row per step: lower, upper, recall (share of the questions with an expectation whose
        expectation came back), precision (mean of those that brought rows), mean_tokens,
        total_tokens, n_widened (questions that got a whole table)."""
        recall, _ = self._mean("returned_all")
        precision, _ = self._mean("precision")
        tokens = self.matrix("tokens")
        return self.steps.assign(
            recall=recall,
            precision=precision,
            mean_tokens=tokens.mean(axis=1) if tokens.shape[1] else 0.0,
            total_tokens=tokens.sum(axis=1).astype(np.int64),
            n_widened=(self.matrix("n_whole") > 0).sum(axis=1),
        )

    def changes(self, before: float, after: float) -> pd.DataFrame:
        """Questions of which something else comes back at another threshold: position, question,
        and for both outcome, tokens, returned_all."""
        first, second = self.at(before), self.at(after)
        changed = np.flatnonzero((first["n_whole"] != second["n_whole"]).to_numpy())
        return pd.DataFrame(
            {
                "position": changed,
                "question": self.questions["question"].to_numpy()[changed],
                **{
                    f"{name}_{when}": frame[name].to_numpy()[changed]
                    for name in ("outcome", "tokens", "returned_all")
                    for when, frame in (("before", first), ("after", second))
                },
            }
        )

    def matrix(self, column: str) -> Array:
        """(steps, questions) of a column of `states`."""
        values = self.states[column].to_numpy(dtype=np.float64)
        return values[self._state_at(self.steps["upper"].to_numpy())]

    def _mean(self, column: str) -> tuple[Array, Array]:
        """(steps,) mean of what is known, and how many are."""
        values = self.matrix(column)
        known = np.isfinite(values)
        count = known.sum(axis=1)
        total = np.where(known, values, 0.0).sum(axis=1)
        with np.errstate(invalid="ignore"):
            return np.where(count > 0, total / np.maximum(count, 1), np.nan), count

    def _state_at(self, thresholds: Array) -> npt.NDArray[np.int64]:
        """(thresholds, questions) row of `states` that holds."""
        n_questions = len(self.questions)
        # States are in order of question and lower; one number per state keeps that order.
        keys = self.states["question"].to_numpy() * 4.0 + self.states["lower"].to_numpy()
        wanted = np.arange(n_questions) * 4.0 + (thresholds[:, None] - SLACK)
        return np.searchsorted(keys, wanted, side="left") - 1


def sweep(
    answers: Sequence[Answer], expectations: Sequence[Expectation], row_df: pd.DataFrame
) -> Sweep:
    """Work out all thresholds at once.

    Args:
        answers: one per question, at any threshold, tokens counted alike.
        expectations: what each should bring back, by table and row of row_df.
        row_df: the rows the answers are of.
    """
    questions = pd.DataFrame(
        {
            "question": [one.question for one in answers],
            "kind": [one.kind for one in expectations],
            "shape": [one.shape for one in answers],
            "found": np.array([one.found for one in answers], dtype=bool),
            "n_expected": [len(one.rows) for one in expectations],
        }
    )
    tables = _TableSizes(row_df)
    pairs = pd.DataFrame(
        [
            pair
            for at, (one, expected) in enumerate(zip(answers, expectations, strict=True))
            for pair in _pairs(at, one, expected, tables)
        ],
        columns=list(_PAIR_COLUMNS),
    ).astype(_PAIR_COLUMNS)
    context = np.array([one.tokens for one in answers], dtype=np.float64)
    now = np.where(pairs["widened"], pairs["wide_tokens"], pairs["narrow_tokens"])
    of_tables = np.bincount(pairs["question"], now, len(questions))
    return Sweep(questions, pairs, _states(questions, pairs, context - of_tables))


_PAIR_COLUMNS = {
    **{"question": "int64", "table_id": "str", "k": "int64", "n": "int64"},
    **{"coverage": "float64", "flip": "float64", "widened": "bool"},
    **{"narrow_tokens": "int64", "wide_tokens": "int64"},
    **{"narrow_expected": "int64", "wide_expected": "int64", "goal": "int64"},
}


class _TableSizes:
    """Tokens of whole tables as Markdown, each counted once."""

    def __init__(self, row_df: pd.DataFrame) -> None:
        self._row_df = row_df
        self._counted: dict[tuple[str, str], int] = {}

    def tokens(self, table_id: str, encoding: str) -> int:
        key = table_id, encoding
        if key not in self._counted:
            rows = self._row_df[self._row_df["table_id"] == table_id]
            lines = markdown_lines(
                max(rows["column_headers"], key=len),
                rows["row_cells"].tolist(),
                rows["row_group"].tolist(),
            )
            self._counted[key] = count_lines(lines, encoding).tokens
        return self._counted[key]


def _pairs(
    at: int, answer: Answer, expected: Expectation, tables: _TableSizes
) -> Iterable[tuple[object, ...]]:
    """What each table found gives, by row and as a whole."""
    for one in answer.tables:
        table_id, k, n = one.decision.table_id, one.decision.k, one.decision.n_body_rows
        named = {index for table, index in expected.rows if table == table_id}
        is_goal = expected.kind == TABLE and expected.table_id == table_id
        flip = ALWAYS if one.decision.whole else NEVER if n == 1 else k / n
        yield (
            *(at, table_id, k, n, k / n, flip, one.decision.widened),
            one.tokens,
            tables.tokens(table_id, answer.encoding),
            len(one.rows) if is_goal else len(named & one.rows),
            n if is_goal else len(named),
            n if is_goal else 0,
        )


def _states(questions: pd.DataFrame, pairs: pd.DataFrame, fixed: Array) -> pd.DataFrame:
    """From everything whole that may be, table by table to rows."""
    whole = pairs["flip"] > 0
    at_first = pd.DataFrame(
        {
            "tokens": pairs["wide_tokens"].where(whole, pairs["narrow_tokens"]),
            "n_rows": pairs["n"].where(whole, pairs["k"]),
            "expected": pairs["wide_expected"].where(whole, pairs["narrow_expected"]),
            "n_whole": whole.astype(np.int64),
            "n_narrow": (~whole).astype(np.int64),
        }
    )
    n_questions = len(questions)
    first = pd.DataFrame(
        {name: np.bincount(pairs["question"], at_first[name], n_questions) for name in at_first}
    )
    first["tokens"] += fixed
    flipping = pairs[(pairs["flip"] > 0) & (pairs["flip"] < 1)]
    flipping = flipping.sort_values(["question", "flip"], kind="stable")
    change = pd.DataFrame(
        {
            "tokens": flipping["narrow_tokens"] - flipping["wide_tokens"],
            "n_rows": flipping["k"] - flipping["n"],
            "expected": flipping["narrow_expected"] - flipping["wide_expected"],
            "n_whole": -1,
            "n_narrow": 1,
        }
    )
    of = flipping["question"].to_numpy()
    summed = change.groupby(of).cumsum().to_numpy(dtype=np.float64)
    later = pd.DataFrame(
        summed.reshape(-1, len(change.columns)) + first.iloc[of].to_numpy(),
        columns=change.columns,
    )
    states: pd.DataFrame = pd.concat(
        [
            first.assign(question=np.arange(n_questions), lower=NEVER),
            later.assign(question=of, lower=flipping["flip"].to_numpy()),
        ]
    ).sort_values(["question", "lower"], kind="stable")
    # Tables that flip together are one state, the last of theirs.
    states = states.drop_duplicates(["question", "lower"], keep="last").reset_index(drop=True)
    return states.astype({"question": "int64"}).assign(**_judged(states, questions, pairs))


def _judged(states: pd.DataFrame, questions: pd.DataFrame, pairs: pd.DataFrame) -> dict[str, Array]:
    """returned_all and precision of each state, as `core.evaluation.judge` has them."""
    of = states["question"].to_numpy(dtype=np.int64)
    kind = questions["kind"].to_numpy()[of]
    goal = np.bincount(pairs["question"], pairs["goal"], len(questions))[of]
    expected, n_rows = states["expected"].to_numpy(), states["n_rows"].to_numpy()
    returned_all = np.select(
        [kind == ROWS, kind == TABLE, kind == NOTHING],
        [
            expected == questions["n_expected"].to_numpy()[of],
            (expected == goal) & (goal > 0),
            ~questions["found"].to_numpy()[of],
        ],
    ).astype(np.float64)
    known = kind != UNKNOWN
    return {
        "returned_all": np.where(known, returned_all, np.nan),
        "precision": np.where(known & (n_rows > 0), expected / np.maximum(n_rows, 1), np.nan),
    }


def _outcomes(states: pd.DataFrame, found: npt.NDArray[np.bool_]) -> npt.NDArray[np.object_]:
    """What came back, in a word of OUTCOMES."""
    nothing, paragraphs, rows, both, whole = OUTCOMES
    n_whole, n_narrow = states["n_whole"].to_numpy(), states["n_narrow"].to_numpy()
    return np.select(
        [~found, (n_whole == 0) & (n_narrow == 0), n_whole == 0, n_narrow == 0],
        [nothing, paragraphs, rows, whole],
        both,
    ).astype(object)
