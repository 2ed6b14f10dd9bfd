"""How good an answer is: measures on ranks and retrievals, and what a user expects of a question.

Pure functions on frames and arrays. A rank counts from 1; what is not ranked has rank infinity.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from core.errors import OptionError

if TYPE_CHECKING:
    from core.retrieval import Retrieval

RowKey = tuple[str, int]
"""table_id and row_index of a body row."""
Place = tuple[int, int]
"""page_num and line_num, as cited."""

ROWS, TABLE, NOTHING, UNKNOWN = "rows", "table", "nothing", "unknown"


def rank_of_gold(ranking: pd.DataFrame, gold: Collection[RowKey]) -> float:
    """Rank of the first gold row in a ranking, infinity where none is ranked.

    Args:
        ranking: best first, with the columns table_id and row_index.
        gold: the rows that answer the question; any of them counts.
    """
    if not gold or ranking.empty:
        return float("inf")
    wanted = pd.MultiIndex.from_tuples(sorted(gold))
    found = pd.MultiIndex.from_frame(ranking[["table_id", "row_index"]]).isin(wanted)
    return float(np.argmax(found)) + 1.0 if found.any() else float("inf")


def hit_at(ranks: Sequence[float] | np.ndarray, k: int) -> np.ndarray:
    """(n,) bool: whether a gold row is among the first k. Its mean is hit@k."""
    return np.asarray(ranks, dtype=float) <= k


def reciprocal_ranks(ranks: Sequence[float] | np.ndarray) -> np.ndarray:
    """(n,) float: 1 / rank, 0 for what is not ranked. Its mean is MRR (Voorhees 1999)."""
    return 1.0 / np.asarray(ranks, dtype=float)


def context_holds(retrieval: Retrieval, places: Iterable[Place]) -> bool:
    """Whether the context quotes every one of these lines; a widened table quotes all its rows."""
    return set(places) <= {line.citation for line in retrieval.context_lines}


def token_share(context: Sequence[int], whole: Sequence[int]) -> tuple[float, float]:
    """Tokens of contexts over tokens of the whole tables: (mean of the ratios, ratio of the sums).

    The first counts every question the same; the second is what all of them cost together, so
    that large tables weigh more. Tables without tokens are left out; NaN when none is left.
    """
    part, total = np.asarray(context, dtype=float), np.asarray(whole, dtype=float)
    known = total > 0
    if not known.any():
        return float("nan"), float("nan")
    ratios = part[known] / total[known]
    return float(ratios.mean()), float(part[known].sum() / total[known].sum())


@dataclass(frozen=True)
class Expectation:
    """What a question should bring back; made by `of_rows`, `of_table`, `of_nothing`, `unknown`."""

    kind: str
    rows: frozenset[RowKey] = frozenset()
    """Rows that must come back."""
    table_id: str = ""
    """Table that must come back whole."""

    @classmethod
    def of_rows(cls, rows: Iterable[RowKey]) -> Expectation:
        """These rows, be it alone or within more.

        Raises:
            OptionError: no row is named.
        """
        named = frozenset((str(table_id), int(row_index)) for table_id, row_index in rows)
        if not named:
            raise OptionError("An expectation of rows names none; expect nothing instead.")
        return cls(ROWS, rows=named)

    @classmethod
    def of_table(cls, table_id: str) -> Expectation:
        """Every row of a table."""
        return cls(TABLE, table_id=table_id)

    @classmethod
    def of_nothing(cls) -> Expectation:
        """No row and no paragraph: the document does not know."""
        return cls(NOTHING)

    @classmethod
    def unknown(cls) -> Expectation:
        """Nobody said; only sizes can be told."""
        return cls(UNKNOWN)


@dataclass(frozen=True)
class Outcome:
    """What a retrieval made of an expectation."""

    returned_all: bool | None
    """Everything expected came back; for nothing, that nothing did; None if unknown."""
    precision: float
    """Share of the returned rows that were expected; NaN if unknown or if no row came back."""
    n_rows: int
    """Rows that came back, those of widened tables included."""
    tokens: int
    """Tokens of the context."""
    widened: bool
    """Some table came back whole."""


def judge(retrieval: Retrieval, expectation: Expectation) -> Outcome:
    """Compare what came back with what was expected.

    Returned are all rows of a widened table, and the matched rows of any other that was decided
    on; a table of which all rows matched is whole too.
    """
    whole = {decision.table_id: decision for decision in retrieval.decisions if decision.widened}
    matched = _matched_rows(retrieval, whole)
    n_rows = sum(decision.n_body_rows for decision in whole.values()) + len(matched)
    returned_all, n_expected = _compare(retrieval, expectation, set(whole), matched)
    known = returned_all is not None and n_rows > 0
    return Outcome(
        returned_all=returned_all,
        precision=n_expected / n_rows if known else float("nan"),
        n_rows=n_rows,
        tokens=retrieval.tokens.context.tokens,
        widened=bool(whole),
    )


def _matched_rows(retrieval: Retrieval, whole: Collection[str]) -> set[RowKey]:
    """Returned rows of tables that did not widen."""
    by_row = {decision.table_id for decision in retrieval.decisions} - set(whole)
    rows = retrieval.matches[retrieval.matches["table_id"].isin(by_row)]
    return set(zip(rows["table_id"].tolist(), rows["row_index"].tolist(), strict=True))


def _compare(
    retrieval: Retrieval, expectation: Expectation, whole: set[str], matched: set[RowKey]
) -> tuple[bool | None, int]:
    """Whether all that was expected came back, and how many expected rows did."""
    if expectation.kind == ROWS:
        came = {row for row in expectation.rows if row in matched or row[0] in whole}
        return came == expectation.rows, len(came)
    if expectation.kind == TABLE:
        sizes = {d.table_id: d.n_body_rows for d in retrieval.decisions}
        size = sizes.get(expectation.table_id, 0)
        if expectation.table_id in whole:
            return True, size
        came = {row for row in matched if row[0] == expectation.table_id}
        return 0 < size == len(came), len(came)
    return (not retrieval.found if expectation.kind == NOTHING else None), 0
