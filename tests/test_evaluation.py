"""The measures of `core.evaluation`, and how the retrieval bench counts with them."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import build_index, count_tokens, serialize_table_rows
from core.errors import OptionError
from core.evaluation import (
    Expectation,
    context_holds,
    hit_at,
    judge,
    rank_of_gold,
    reciprocal_ranks,
    token_share,
)
from tests.bench_baselines import any_keyword, bm25_rows, chonkie_rows, whole_table
from tests.bench_chunks import Answer, Gold
from tests.bench_questions import BenchSet, BenchTable, Corpus, Part, Question
from tests.bench_report import Asked, measures
from tests.frames import lines

INF, NAN = float("inf"), float("nan")

PORT = lines("""
    Table 1. Cranes
    | Crane | Lifts | Quay |
    |---|---|---|
    | Hermes | 40 t | North |
    | Orion | 65 t | West |
    | Lyra | 12 t | West |
    | Vega | 30 t | South |
    | Altair | 90 t | East |

    Table 2. Pilots
    | Pilot | Since |
    |---|---|
    | Brandt | 2004 |
""")
INDEX = build_index(PORT, serialize_table_rows(PORT))
ORION = ("t1", 1)
ORION_STANDS = (1, 5)


def ranking(*rows: tuple[str, int]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["table_id", "row_index"])


@pytest.mark.parametrize(
    ("gold", "rank"),
    [
        ({("t1", 4)}, 1),
        ({("t2", 0)}, 3),
        ({("t2", 0), ("t1", 0)}, 2),
        ({("t2", 4)}, INF),
        (set(), INF),
    ],
)
def test_the_rank_is_that_of_the_first_gold_row(gold: set[tuple[str, int]], rank: float) -> None:
    assert rank_of_gold(ranking(("t1", 4), ("t1", 0), ("t2", 0)), gold) == rank


def test_nothing_is_ranked_in_an_empty_ranking() -> None:
    assert rank_of_gold(ranking(), {("t1", 0)}) == INF


def test_hits_and_reciprocal_ranks() -> None:
    ranks = [1, 2, 4, INF]
    assert hit_at(ranks, 1).tolist() == [True, False, False, False]
    assert hit_at(ranks, 3).tolist() == [True, True, False, False]
    assert reciprocal_ranks(ranks).tolist() == [1.0, 0.5, 0.25, 0.0]


def test_token_shares_weigh_questions_or_tokens() -> None:
    assert token_share([50, 100], [100, 1_000]) == (0.3, 150 / 1_100)
    assert token_share([50, 7], [100, 0]) == (0.5, 0.5)
    assert np.isnan(token_share([7], [0])).all()
    assert np.isnan(token_share([], [])).all()


@given(
    st.lists(st.tuples(st.sampled_from(["t1", "t2"]), st.integers(0, 5)), unique=True),
    st.sets(st.tuples(st.sampled_from(["t1", "t2", "t3"]), st.integers(0, 5))),
    st.integers(1, 20),
)
def test_ranks_agree_with_counting_by_hand(
    rows: list[tuple[str, int]], gold: set[tuple[str, int]], k: int
) -> None:
    rank = rank_of_gold(ranking(*rows), gold)
    assert rank == next((at for at, row in enumerate(rows, 1) if row in gold), INF)
    assert hit_at([rank], k).tolist() == [bool(gold & set(rows[:k]))]
    assert 0.0 <= reciprocal_ranks([rank])[0] <= 1.0


def test_a_context_holds_the_lines_it_cites() -> None:
    row = INDEX.retrieve("What does Orion lift?")
    assert context_holds(row, [ORION_STANDS])
    assert not context_holds(row, [ORION_STANDS, (1, 6)])
    table = INDEX.retrieve("What does Orion lift?", widen_threshold=0.0)
    assert context_holds(table, [(1, line) for line in range(4, 9)])


def test_an_expected_row_that_comes_alone() -> None:
    outcome = judge(INDEX.retrieve("What does Orion lift?"), Expectation.of_rows([ORION]))
    assert outcome.returned_all is True
    assert (outcome.precision, outcome.n_rows, outcome.widened) == (1.0, 1, False)
    assert [outcome.tokens] == count_tokens(["Crane: Orion | Lifts: 65 t | Quay: West"])


def test_a_widened_table_returns_every_row_of_it() -> None:
    whole = INDEX.retrieve("What does Orion lift?", widen_threshold=0.0)
    outcome = judge(whole, Expectation.of_rows([ORION]))
    assert outcome.returned_all is True
    assert (outcome.precision, outcome.n_rows, outcome.widened) == (0.2, 5, True)


@pytest.mark.parametrize(
    ("rows", "precision"), [([("t1", 0)], 0.0), ([ORION, ("t1", 0)], 1.0), ([("t2", 1)], 0.0)]
)
def test_a_row_that_is_missing_is_told(rows: list[tuple[str, int]], precision: float) -> None:
    outcome = judge(INDEX.retrieve("What does Orion lift?"), Expectation.of_rows(rows))
    assert outcome.returned_all is False
    assert outcome.precision == precision


def test_a_whole_table_is_expected_whole() -> None:
    table = Expectation.of_table("t1")
    whole = judge(INDEX.retrieve("List all cranes"), table)
    assert (whole.returned_all, whole.precision, whole.n_rows) == (True, 1.0, 5)
    row = judge(INDEX.retrieve("What does Orion lift?"), table)
    assert (row.returned_all, row.precision, row.n_rows) == (False, 1.0, 1)
    other = judge(INDEX.retrieve("List all cranes"), Expectation.of_table("t2"))
    assert (other.returned_all, other.precision) == (False, 0.0)


def test_a_table_of_one_row_is_whole_with_that_row() -> None:
    outcome = judge(INDEX.retrieve("Since when is Brandt there?"), Expectation.of_table("t2"))
    assert (outcome.returned_all, outcome.n_rows) == (True, 1)


def test_nothing_is_expected_to_bring_nothing() -> None:
    nothing = Expectation.of_nothing()
    silent = judge(INDEX.retrieve("Who composed the Winterreise?"), nothing)
    assert (silent.returned_all, silent.n_rows, silent.tokens) == (True, 0, 0)
    assert math.isnan(silent.precision)
    loud = judge(INDEX.retrieve("What does Orion lift?"), nothing)
    assert (loud.returned_all, loud.precision) == (False, 0.0)


def test_without_an_expectation_only_sizes_are_told() -> None:
    outcome = judge(INDEX.retrieve("What does Orion lift?"), Expectation.unknown())
    assert outcome.returned_all is None
    assert math.isnan(outcome.precision)
    assert (outcome.n_rows, outcome.widened) == (1, False)


def test_an_expectation_of_rows_names_some() -> None:
    with pytest.raises(OptionError, match="expect nothing instead"):
        Expectation.of_rows([])


BERTHS = BenchTable(
    "port:1",
    "Berths and their depth",
    [
        "| Berth | Depth | |",
        "|---|---|---|",
        "| | low | high |",
        "| Anchor | 8.5 | 10.1 |",
        "| Beacon | 6.2 | 7.9 |",
        "| Capstan | 12.0 | 14.4 |",
    ],
    [Question("How deep is Beacon at high water?", "targeted", (4,))],
)
TUGS = BenchTable("port:2", "", ["| Tug | Power |", "|---|---|", "| Ajax | 900 |"], [])


def test_gold_rows_are_found_by_page_and_line() -> None:
    [question] = BERTHS.questions
    alone, [part] = BERTHS.alone, BERTHS.alone.parts
    assert part.places(question) == [(1, 5)]
    assert alone.rows_at([(1, 5)]) == {("t1", 1)}
    assert not alone.has_rows_at([(1, 5), (1, 3)])  # the second line of the header is no row
    together = BenchSet("port", [TUGS, BERTHS]).together
    assert together.parts[1].places(question) == [(3, 6)]  # below its title
    assert together.rows_at([(3, 6)]) == {("t2", 1)}
    assert together.table_pages == {"t1": 1, "t2": 3}


def test_baselines_on_a_table_of_three_rows() -> None:
    corpus = Corpus([Part(1, "", BERTHS.lines)])
    question, gold = "How deep is Beacon at high water?", Gold(1, [(1, 5)])
    table = whole_table(corpus)(question, gold)
    assert (table.holds, table.tokens) == (True, corpus.markdown_tokens[1])
    # "high" is a label, so it occurs in every row: 3 of 3 widens.
    keyword = any_keyword(corpus)(question, gold)
    assert (keyword.holds, keyword.widened, keyword.tokens) == (True, True, table.tokens)
    named = any_keyword(corpus)("Where is Beacon?", gold)
    assert (named.holds, named.widened) == (True, False)
    bm25 = bm25_rows(corpus)(question, gold)
    assert (bm25.rank, bm25.table_first, bm25.holds, bm25.found) == (1, True, True, True)
    chonkie = chonkie_rows(corpus)("Beacon", gold)
    assert (chonkie.rank, chonkie.holds) == (1, True)
    missed = bm25_rows(corpus)("Winterreise", gold)
    assert (missed.rank, missed.table_first, missed.holds, missed.found) == (INF, False) + (
        False,
    ) * 2


def test_hits_are_over_questions_with_gold_and_tokens_over_all() -> None:
    right = Answer(1, True, True, 10, False, True, 0.002)
    wrong = Answer(4, False, False, 40, True, True, 0.004)
    silent = Answer(INF, False, True, 0, False, False, 0.003)
    asked = [
        Asked(Question("a", "targeted", (2,)), False, 40, right, wrong),
        Asked(Question("b", "targeted", (3, 4)), True, 40, wrong, wrong),
        Asked(Question("c", "synthesis", None), False, 20, silent, silent),
    ]
    numbers = measures(asked)
    assert (numbers["n"], numbers["gold"], numbers["lost"]) == (3, 2, 1)
    assert (numbers["@1"], numbers["@3"], numbers["MRR"]) == (0.5, 0.5, 0.625)
    assert (numbers["ctx"], numbers["sum"]) == (0.5, 0.5)
    assert numbers["tok"] == pytest.approx((0.25 + 1.0 + 0.0) / 3)
    assert numbers["wide"] == numbers["none"] == pytest.approx(1 / 3)
    assert numbers["p50"] == pytest.approx(3.0)
    assert (numbers["set @3"], numbers["set table"], numbers["set ctx"]) == (0.0, 0.0, 0.0)
