"""Why a row is in or out: true to the answer for every row, and said in a sentence."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Retrieval, build_index, serialize_table_rows
from core.errors import OptionError
from core.retrieval.ambiguity import ambiguity
from core.retrieval.evidence import PARTS
from core.retrieval.explain import Explanation, TermFound, explain, matched_cells
from tests.frames import lines

YARD = lines("""
    Machines of the yard
    | Machine | Keeper | Payload | Checked |
    |---|---|---|---|
    | Lorry A | Aurora Works | 12,000 kg | 2031 |
    | Lorry B | Boreal Works | 18,000 kg | 2032 |
    | Delivery van | Aurora Works | 900 kg | 2032 |
    | Crane | Delta Works | 4,000 kg | 2030/31 |
    | Cost per available seat mile | Delta Works | 11 | 2030 |
    | Payload scale | Aurora Works | 50 kg | 2031 |

    Towns of the keepers
    | Keeper | Town | Gates |
    |---|---|---|
    | Aurora Works | Arden | 4 |
    | Boreal Works | Birch | 2 |
    | Delta Works | Dane | 3 |
""")
ROWS = serialize_table_rows(YARD)
INDEX = build_index(YARD, ROWS)
LORRY_A, LORRY_B, VAN, CRANE, SEAT_MILE, SCALE, AURORA = range(7)


def ask(question: str, **options: Any) -> Retrieval:
    """By words alone: what embeddings add is tested where it matters."""
    return INDEX.retrieve(question, **{"use_dense": False, **options})


def why(position: int, question: str, **options: Any) -> Explanation:
    return explain(ask(question, **options), ROWS, position)


def term(explanation: Explanation, text: str) -> TermFound:
    return next(one for one in explanation.terms if one.text == text)


def test_each_term_says_where_it_hits() -> None:
    found = why(CRANE, "What is the payload of the Delta crane?")
    assert [(one.text, one.where, one.words) for one in found.terms] == [
        ("payload", "label", ("Payload",)),
        ("Delta", "value", ("Delta",)),
        ("crane", "name", ("Crane",)),
    ]
    assert [(one.columns, one.label_columns) for one in found.terms] == [
        ((), (2,)),
        ((1,), ()),
        ((0,), ()),
    ]
    assert (found.table_id, found.row_index, found.rank) == ("t1", 3, 1)
    assert (found.matched, found.returned) == (True, True)
    assert (
        found.reason
        == "Matched: it holds “Delta” and “crane”, all that any row holds of the question."
    )


def test_a_row_below_the_line_says_what_it_lacks_and_by_how_much() -> None:
    found = why(SEAT_MILE, "What is the payload of the Delta crane?")
    assert (found.matched, found.returned) == (False, False)
    assert found.line is not None
    assert found.score < found.line
    assert found.reason == (
        f"Left out: it holds “Delta” but not “crane”, and its score {found.score:.2f} is below "
        f"{found.line:.2f}, 60% of the best row's {found.best:.2f}."
    )


def test_a_label_alone_chooses_no_row() -> None:
    found = why(VAN, "What is the payload of the crane?")
    assert found.reason.startswith(
        "Left out: no word of the question hits its cells (“payload” is only a label), and its "
        f"score {found.score:.2f} is below"
    )


def test_a_value_that_is_also_a_label_says_both() -> None:
    found = why(SCALE, "What is the payload of the crane?")
    payload = term(found, "payload")
    assert (payload.where, payload.is_label, payload.label_columns) == ("name", True, (2,))
    assert payload.weight > 0
    assert "tells it from other rows (“payload” is a label too)" in found.reason


def test_the_best_row_says_what_it_lacks() -> None:
    found = why(CRANE, "crane of Boreal Works")
    assert found.reason == (
        f"Matched: it has the best score, {found.score:.2f}. It holds “crane” and “Works”, though "
        "not “Boreal”."
    )


def test_a_row_of_another_table_says_which_one_is_meant() -> None:
    found = why(AURORA, "What is the payload of the crane?")
    assert found.reason == (
        "Left out: the question is about t1; t2, this row's table, reaches only "
        f"{ask('What is the payload of the crane?').evidence.strength[1]:.2f} of the 0.25 needed."
    )
    assert found.line is None


def test_where_no_table_fits_every_row_says_so() -> None:
    for position in range(len(ROWS)):
        found = why(position, "Who painted the night watch?")
        assert found.reason.startswith("Left out: no table holds enough of the question; t")
        assert found.reason.endswith("reaches 0.00 of the 0.25 needed.")


def test_a_typo_is_named_as_what_it_was_taken_for() -> None:
    found = why(CRANE, "payload of the cranne")
    typo = term(found, "cranne")
    assert (typo.how, typo.where, typo.words, typo.columns) == ("typo", "name", ("Crane",), (0,))
    assert found.reason == "Matched: it holds “Crane”, all that any row holds of the question."


def test_initials_are_found_in_a_name() -> None:
    found = why(SEAT_MILE, "What is the CASM?")
    acronym = term(found, "CASM")
    assert (acronym.how, acronym.where, acronym.columns) == ("acronym", "name", (0,))
    assert acronym.words == ("Cost per available seat mile",)
    assert matched_cells(ask("What is the CASM?"), ROWS) == {SEAT_MILE: (0,)}


def test_a_year_is_found_in_a_span_of_years() -> None:
    asked = "crane checked 2030/31"
    assert term(why(CRANE, asked), "2030/31").columns == (3,)
    assert matched_cells(ask(asked), ROWS)[CRANE] == (0, 3)


def test_the_cells_of_a_page_alone_can_be_asked_for() -> None:
    answer = ask("Compare the payload of Lorry B with that of the crane")
    assert matched_cells(answer, ROWS) == {LORRY_B: (0,), CRANE: (0,)}
    assert matched_cells(answer, ROWS, np.array([CRANE, VAN])) == {CRANE: (0,)}
    assert matched_cells(answer, ROWS, np.empty(0, dtype=np.int64)) == {}


def test_label_evidence_alone_means_every_row() -> None:
    found = why(VAN, "What payload?")
    assert found.matched
    assert found.line is None
    assert found.reason == (
        "Matched: no row is told from the others (“payload” is only a label), so every row counts."
    )


def test_a_question_about_the_whole_table_matches_all_its_rows() -> None:
    question = "Which machines are checked?"
    assert why(VAN, question).reason == (
        "Matched: the question is about the whole table, so every row of t1 counts."
    )
    assert why(AURORA, question).reason.startswith("Left out: the question is about t1")


def test_a_row_that_widening_brings_along_is_returned_though_not_matched() -> None:
    found = why(VAN, "What is the payload of the crane?", widen_threshold=0.15)
    assert (found.matched, found.returned) == (False, True)
    assert found.reason.startswith(
        "Returned with the whole table: 1 of 6 rows match, and from 1 on all come. By itself it "
        "would be left out: no word of the question hits its cells"
    )


def test_with_the_row_level_off_rows_are_not_asked() -> None:
    found = why(CRANE, "What is the payload of the crane?", use_row_level=False)
    assert found.reason == (
        "Left out: the row level is set off, so that only paragraphs are searched."
    )
    assert not found.returned


def test_with_words_and_meaning_off_there_is_nothing_to_match_by() -> None:
    found = why(CRANE, "crane", use_keywords=False)
    assert found.reason.startswith("Left out: nothing to match by.")
    assert found.terms == []
    assert found.similarity is None


def test_meaning_alone_names_the_cosine() -> None:
    question = "A vehicle for lifting heavy loads"
    answer = INDEX.retrieve(question, use_keywords=False)
    found = [explain(answer, ROWS, position) for position in range(len(ROWS))]
    assert all(one.similarity is not None for one in found)
    for one in found:
        if one.matched and one.rank == 1 and answer.use_row_level and answer.cut.rows.size:
            assert f"cosine {one.similarity:.2f}" in one.reason


def test_each_named_item_brings_its_best_row() -> None:
    question = "Compare the payload of Lorry B with that of the crane"
    answer = ask(question)
    assert answer.shape == "mixed"
    matched = [explain(answer, ROWS, position) for position in (LORRY_B, CRANE)]
    assert [one.matched for one in matched] == [True, True]


def test_several_rows_at_the_top_are_named() -> None:
    assert ambiguity(ask("payload of the lorry")) == "2 rows score the same: Lorry A, Lorry B."
    assert ambiguity(ask("payload of the crane")) is None
    assert ambiguity(ask("What payload?")) is None
    assert ambiguity(ask("payload of the lorry", use_row_level=False)) is None


def test_many_rows_at_the_top_are_counted_and_namesakes_told_apart() -> None:
    frame = lines("""
        | Part | Hall | Stock |
        |---|---|---|
        | Bolt | East | 4 |
        | Bolt | East | 5 |
        | Washer | East | 6 |
        | Nut | East | 7 |
        | Nail | West | 8 |
        | Rivet | West | 9 |
        | Screw | West | 9 |
    """)
    row_df = serialize_table_rows(frame)
    answer = build_index(frame, row_df).retrieve("stock of East", use_dense=False)
    assert ambiguity(answer) == (
        "4 rows score the same: Bolt (row 1), Bolt (row 2), Washer and 1 more."
    )


def test_a_row_that_does_not_exist_is_refused() -> None:
    with pytest.raises(OptionError, match="There is no row 9; the index has 9 rows, from 0"):
        why(9, "crane")
    with pytest.raises(OptionError):
        why(-1, "crane")


VOCABULARY = """
    crane cranne lorry A B van aurora works delta payload gates town total kg 2032 2030/31
    CASM seat mile nothing compare and highest which are keeper machine checked yard
"""
WORDS = st.sampled_from(VOCABULARY.split())


@given(
    words=st.lists(WORDS, min_size=1, max_size=6),
    keywords=st.booleans(),
    dense=st.booleans(),
    toc=st.booleans(),
    row_level=st.sampled_from([None, True, False]),
    shape=st.sampled_from([None, "targeted_lookup", "synthesis", "mixed"]),
    threshold=st.sampled_from([0.0, 0.2, 0.6, 1.0]),
)
def test_every_explanation_agrees_with_the_answer(
    words: list[str],
    keywords: bool,
    dense: bool,
    toc: bool,
    row_level: bool | None,
    shape: str | None,
    threshold: float,
) -> None:
    answer = INDEX.retrieve(
        " ".join(words),
        use_keywords=keywords,
        use_dense=dense,
        use_toc=toc,
        use_row_level=row_level,
        shape=shape,
        widen_threshold=threshold,
    )
    matches = set(zip(answer.matches["table_id"], answer.matches["row_index"], strict=True))
    widened = {decision.table_id for decision in answer.decisions if decision.widened}
    cells = matched_cells(answer, ROWS)
    for position in range(len(ROWS)):
        found = explain(answer, ROWS, position)
        row = (found.table_id, found.row_index)
        assert found.matched == (row in matches)
        assert found.returned == (row in matches or found.table_id in widened)
        verdict = found.reason.partition(":")[0]
        assert verdict == (
            "Matched"
            if found.matched
            else "Returned with the whole table"
            if found.returned
            else "Left out"
        )
        assert tuple(found.parts) == PARTS
        assert np.isclose(sum(found.parts.values()), found.score)
        assert np.isclose(sum(one.weight for one in found.terms), found.parts["value"])
        hit = sorted({column for one in found.terms for column in one.columns})
        assert cells.get(position, ()) == (tuple(hit) if found.matched else ())
        if found.rank is not None:
            assert answer.ranking["position"].iloc[found.rank - 1] == position
        if "is below" in found.reason and found.line is not None:
            assert found.score < found.line


def test_hostile_text_stays_text() -> None:
    nasty = "<img src=x onerror=alert(1)> **bold**"
    frame = lines(f"| Name | Note |\n|---|---|\n| {nasty} | one |\n| Other | two |")
    row_df = serialize_table_rows(frame)
    found = explain(build_index(frame, row_df).retrieve("onerror bold"), row_df, 0)
    assert {word for one in found.terms for word in one.words} == {"onerror", "bold"}


def test_one_row_of_many_is_explained_at_once() -> None:
    n_rows = 200_000
    row_df = pd.DataFrame(
        {
            "table_id": "t1",
            "row_index": range(n_rows),
            "page_num": 1,
            "line_num": range(1, n_rows + 1),
            "column_headers": [["Part", "Stock"]] * n_rows,
            "row_cells": [[f"Bolt {number}", "in stock"] for number in range(n_rows)],
            "row_serialized": [
                f"Part: Bolt {number} | Stock: in stock" for number in range(n_rows)
            ],
            "n_body_rows": n_rows,
            "row_group": "",
            "caption": "",
            **dict.fromkeys(("x0", "y0", "x1", "y1"), np.nan),
        }
    )
    index = build_index(YARD, row_df)
    answer = index.retrieve("stock of bolt 77777", use_dense=False)
    explain(answer, index.row_df, 5)
    start = time.perf_counter()
    assert explain(answer, index.row_df, 77777).rank == 1
    assert time.perf_counter() - start < 0.25
