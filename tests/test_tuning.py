"""Every threshold at once is the same as each by itself."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import Retrieval, build_index, serialize_table_rows
from core.errors import OptionError
from core.evaluation import Expectation, judge
from core.library import Library, Request
from core.retrieval import Index
from core.tuning import (
    QuestionSet,
    Sweep,
    TuneQuestion,
    keep_answer,
    questions_to_csv,
    questions_to_jsonl,
    read_questions,
    recommend,
    resolve,
    sweep,
)
from core.tuning.expectations import RowFinder
from core.tuning.samples import SAMPLE_SETS, sample_questions

FLEET = [
    "Fleet in 2024",
    "| Vehicle | Depot | Fuel |",
    "|---|---|---|",
    "| Van A | Lyon | diesel |",
    "| Van B | Lyon | diesel |",
    "| Van C | Lyon | electric |",
    "| Tram | Porto | electric |",
    "| Bus | Bonn | diesel |",
    "",
    "Depots",
    "| Depot | Head | Places |",
    "|---|---|---|",
    "| Lyon | Moreau | 40 |",
    "| Porto | Silva | 25 |",
    "| Bonn | Weber | 12 |",
]
QUESTIONS = [
    ("Which depot has the tram?", "Tram"),
    ("Who is head of the Lyon depot?", "Lyon"),
    ("Vehicles in Lyon", "t1:0; t1:1; t1:2"),
    ("Which vehicles are there?", "whole table t1"),
    ("diesel vehicles in Bonn and Lyon", "p1 l4; p1 l5; p1 l8"),
    ("How many depots are there?", "whole table: Porto"),
    ("What does zymurgy cost?", "nothing"),
    ("Weber", ""),
]


def line_df(lines: list[str]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"page_num": 1, "line_num": at, "text": text}
            | {"x0": 50.0, "y0": 20.0 * at, "x1": 500.0, "y1": 20.0 * at + 12}
            for at, text in enumerate(lines, start=1)
        ]
    )


@pytest.fixture(scope="module")
def fleet() -> Index:
    lines = line_df(FLEET)
    return build_index(lines, serialize_table_rows(lines))


def asked(
    index: Index, questions: list[tuple[str, str]], threshold: float = 0.6
) -> tuple[list[Retrieval], list[Expectation]]:
    finder = RowFinder(index.row_df)
    answers = [index.retrieve(text, widen_threshold=threshold) for text, _ in questions]
    return answers, [resolve(expect, finder).expectation for _, expect in questions]


def swept(index: Index, questions: list[tuple[str, str]], threshold: float = 0.6) -> Sweep:
    answers, expectations = asked(index, questions, threshold)
    return sweep([keep_answer(one) for one in answers], expectations, index.row_df)


def thresholds_to_try(result: Sweep) -> list[float]:
    """Every flip, the middle of every stretch, and a little beside."""
    steps = result.steps
    tried = {0.0, 1.0, *steps["upper"], *((steps["lower"] + steps["upper"]) / 2)}
    tried |= {min(1.0, upper + 1e-6) for upper in steps["upper"]}
    return sorted(tried)


def assert_as_each_by_itself(index: Index, questions: list[tuple[str, str]]) -> None:
    result = swept(index, questions)
    _, expectations = asked(index, questions)
    for threshold in thresholds_to_try(result):
        at = result.at(threshold)
        for place, (text, _) in enumerate(questions):
            answer = index.retrieve(text, widen_threshold=threshold)
            outcome = judge(answer, expectations[place])
            row = at.iloc[place]
            assert row["tokens"] == outcome.tokens, (threshold, text)
            assert row["n_rows"] == outcome.n_rows, (threshold, text)
            assert (row["n_whole"] > 0) == outcome.widened, (threshold, text)
            assert row["precision"] == pytest.approx(outcome.precision, nan_ok=True)
            known = None if np.isnan(row["returned_all"]) else bool(row["returned_all"])
            assert known == outcome.returned_all, (threshold, text)


def test_all_thresholds_at_once_are_as_each_by_itself(fleet: Index) -> None:
    assert_as_each_by_itself(fleet, QUESTIONS)


@settings(max_examples=8)
@given(data=st.data())
def test_it_holds_for_any_tables(data: st.DataObject) -> None:
    words = st.sampled_from(["alder", "birch", "cedar", "elm", "fir", "oak"])
    lines, questions = [], []
    for table in range(data.draw(st.integers(1, 3))):
        lines += [f"Trees of wood {table}", "| Tree | Soil | Use |", "|---|---|---|"]
        for _ in range(data.draw(st.integers(1, 6))):
            lines.append("| " + " | ".join(data.draw(words) for _ in range(3)) + " |")
        lines.append("")
    for _ in range(data.draw(st.integers(1, 4))):
        text = " ".join(data.draw(st.lists(words, min_size=1, max_size=3)))
        expect = data.draw(st.sampled_from(["", "nothing", "t1:0", "whole table t1", "t1:0; t2:0"]))
        questions.append((text, expect))
    frame = line_df(lines)
    assert_as_each_by_itself(build_index(frame, serialize_table_rows(frame)), questions)


def test_the_answer_asked_at_any_threshold_tells_the_same(fleet: Index) -> None:
    first, second = swept(fleet, QUESTIONS, 0.0), swept(fleet, QUESTIONS, 1.0)
    pd.testing.assert_frame_equal(first.states, second.states)
    pd.testing.assert_frame_equal(first.curve, second.curve)


def test_flips_are_the_coverages_and_nothing_else(fleet: Index) -> None:
    result = swept(fleet, [("Vehicles in Lyon", ""), ("Which depot has the tram?", "")])
    coverages = set(result.pairs.loc[result.pairs["flip"].between(0, 0.999), "coverage"])
    assert set(result.flips) == coverages
    assert 0.6 in coverages  # three of five vans


def test_a_curve_says_what_the_whole_set_gets(fleet: Index) -> None:
    curve = swept(fleet, QUESTIONS).curve
    assert curve["lower"].iloc[0] == 0.0
    assert curve["upper"].iloc[-1] == 1.0
    assert (curve["lower"].iloc[1:].to_numpy() == curve["upper"].iloc[:-1].to_numpy()).all()
    assert curve["n_widened"].is_monotonic_decreasing


def test_what_changes_between_two_thresholds(fleet: Index) -> None:
    result = swept(fleet, [("Vehicles in Lyon", "t1:0; t1:1; t1:2"), ("Weber", "")])
    (change,) = result.changes(0.6, 0.61).to_dict("records")
    assert change["question"] == "Vehicles in Lyon"
    assert (change["outcome_before"], change["outcome_after"]) == ("whole table", "rows")
    assert (change["returned_all_before"], change["returned_all_after"]) == (1.0, 1.0)
    assert result.changes(0.61, 0.7).empty


# Recommending


@pytest.mark.parametrize("weight", [None, 0.0, 0.3, 2.0])
def test_no_threshold_does_better_than_the_recommended_one(
    fleet: Index, weight: float | None
) -> None:
    result = swept(fleet, QUESTIONS)
    chosen = recommend(result, weight)
    assert chosen is not None
    _, expectations = asked(fleet, QUESTIONS)

    def measured(threshold: float) -> tuple[float, float]:
        outcomes = [
            judge(fleet.retrieve(text, widen_threshold=threshold), expected)
            for (text, _), expected in zip(QUESTIONS, expectations, strict=True)
        ]
        known = [one for one in outcomes if one.returned_all is not None]
        return (
            float(np.mean([one.returned_all for one in known])),
            float(np.mean([one.tokens for one in known])),
        )

    tried = {at: measured(at) for at in {*thresholds_to_try(result), chosen.value}}
    most = max(tokens for _, tokens in tried.values())

    def worth(at: float) -> tuple[float, float]:
        recall, tokens = tried[at]
        return (recall, -tokens) if weight is None else (recall - weight * tokens / most, 0.0)

    assert worth(chosen.value) == pytest.approx(max(map(worth, tried)))
    assert (chosen.recall, chosen.mean_tokens) == pytest.approx(tried[chosen.value])
    inside = [at for at in tried if chosen.lower < at <= chosen.upper]
    assert inside
    assert all(worth(at) == pytest.approx(worth(chosen.value)) for at in inside)


def test_the_default_is_recommended_where_it_is_as_good_as_any(fleet: Index) -> None:
    flat = recommend(swept(fleet, [("Which depot has the tram?", "Tram")]))
    assert flat is not None
    assert flat.n_questions == 1
    tied = recommend(swept(fleet, [("What does zymurgy cost?", "nothing")]))
    assert tied is not None
    assert tied.is_flat
    assert (tied.value, tied.lower, tied.upper) == (0.6, 0.0, 1.0)


def test_without_expectations_nothing_is_recommended(fleet: Index) -> None:
    assert recommend(swept(fleet, [("Weber", "")])) is None
    assert recommend(sweep([], [], fleet.row_df)) is None


def test_how_sure_it_is_lies_between_never_and_always(fleet: Index) -> None:
    chosen = recommend(swept(fleet, QUESTIONS))
    assert chosen is not None
    low, high = chosen.interval
    assert 0 <= low <= high <= 1
    assert 0 < chosen.agreement <= 1
    assert recommend(swept(fleet, QUESTIONS)) == chosen


def test_a_weight_below_nought_is_refused(fleet: Index) -> None:
    with pytest.raises(OptionError, match="from 0"):
        recommend(swept(fleet, QUESTIONS), -1.0)


# What is expected


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("t1:3", {("t1", 3)}),
        ("t1:0; t2:2", {("t1", 0), ("t2", 2)}),
        ("p1 l7", {("t1", 3)}),
        ("p. 1, l. 7", {("t1", 3)}),
        ("page 1 line 7; p1 l8", {("t1", 3), ("t1", 4)}),
        ("tram", {("t1", 3)}),
        ("Vehicle: Tram | Depot: Porto | Fuel: electric", {("t1", 3)}),
        ("vehicle: tram | depot: porto | fuel: electrik", {("t1", 3)}),
        ("Tram\nBus", {("t1", 3), ("t1", 4)}),
    ],
)
def test_rows_are_named_by_id_place_or_text(
    fleet: Index, text: str, rows: set[tuple[str, int]]
) -> None:
    assert resolve(text, RowFinder(fleet.row_df)).expectation == Expectation.of_rows(rows)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("Zeppelin", "No row is “Zeppelin”."),
        ("t9:1", "No row is “t9:1”."),
        ("Van", "No row is “Van”."),
        ("whole table", "“whole table” could be any of 2: add its id or a row."),
        ("whole table t7", "There is no table t7."),
    ],
)
def test_what_is_not_there_is_said_and_not_guessed(fleet: Index, text: str, note: str) -> None:
    found = resolve(text, RowFinder(fleet.row_df))
    assert (found.expectation, found.note) == (Expectation.unknown(), note)


# Files

SET: QuestionSet = (
    TuneQuestion("What, “exactly”?", "Tram\nBus"),
    TuneQuestion("=1+1", "nothing"),
    TuneQuestion("Wie viele?", ""),
)


def test_sets_come_back_from_csv_and_jsonl() -> None:
    assert read_questions("set.csv", questions_to_csv(SET).encode()) == SET
    assert read_questions("set.jsonl", questions_to_jsonl(SET).encode()) == SET
    assert "'=1+1" in questions_to_csv(SET)


@given(st.lists(st.tuples(st.text(max_size=40), st.text(max_size=40)), min_size=1, max_size=5))
def test_any_set_comes_back(pairs: list[tuple[str, str]]) -> None:
    kept = tuple(
        TuneQuestion(" ".join(question.split()), "\n".join(expect.split()))
        for question, expect in pairs
        if question.split() and "\0" not in question + expect
    )
    if kept:
        encoded = questions_to_jsonl(kept).encode("utf-8", "surrogatepass")
        assert read_questions("set.jsonl", encoded) == kept


@pytest.mark.parametrize(
    ("name", "data", "questions"),
    [
        ("a.csv", b"q;expected\r\nHow?;nothing\r\n\r\n", [("How?", "nothing")]),
        ("a.txt", b"How?\nWhy?\n", [("Why?", "")]),
        ("a.json", b'[{"query": "How?", "rows": ["t1:0", "t1:2"]}]', [("How?", "t1:0\nt1:2")]),
        ("a.csv", "\ufeffQuestion,Expect\nHöw?,\n".encode(), [("Höw?", "")]),
    ],
)
def test_usual_columns_are_known(name: str, data: bytes, questions: list[tuple[str, str]]) -> None:
    found = [(one.question, one.expect) for one in read_questions(name, data)]
    assert found[-len(questions) :] == questions


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.csv", b"\xff\xfe\x00", "no UTF-8"),
        ("a.csv", b"", "no question"),
        ("a.csv", b"name,age\nx,1\n", "no column “question” but name, age"),
        ("a.jsonl", b'{"question": "x"}\n{oops\n', "line 2: no JSON"),
        ("a.jsonl", b"[1, 2]", "line 1: give an object"),
        ("a.csv", b"question\n" + b"x" * 2001, "2,001 characters"),
        ("a.csv", b"question\n" + b"x\n" * 10_001, "10,001 questions"),
    ],
)
def test_files_that_cannot_be_read_say_why(name: str, data: bytes, says: str) -> None:
    with pytest.raises(OptionError, match=says):
        read_questions(name, data)


def test_the_samples_questions_all_resolve() -> None:
    library = Library()
    for doc_id in SAMPLE_SETS:
        row_df = serialize_table_rows(library.parsed(Request(doc_id)).line_df)
        questions = sample_questions(doc_id)
        assert len(questions) == 20
        finder = RowFinder(row_df)
        assert [note for one in questions if (note := resolve(one.expect, finder).note)] == []
