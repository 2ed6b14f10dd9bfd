"""Section 6 and 7 of the contract on small tables: evidence, shape, flags, widening, counts."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from core import build_index, count_tokens, retrieve, serialize_table_rows
from core.errors import LineFrameError, OptionError, RowFrameError
from core.retrieval import MIXED, SYNTHESIS, TARGETED, Count, Decision, Savings
from tests.frames import lines

FLEET = lines("""
    1 Fleet
    Every vehicle is inspected once a year. The inspection of lorries takes two days.

    Table 1. Vehicles and their depots
    | Vehicle | Depot | Payload | Inspected |
    |---|---|---|---|
    | Lorry A | Aurora | 12,000 kg | 2031 |
    | Lorry B | Boreal | 18,000 kg | 2032 |
    | Van | Aurora | 900 kg | 2032 |
    | Trailer | Aurora | 25,000 kg | 2030 |
    | Crane | Delta | 4,000 kg | 2031 |

    Table 2. Depots
    | Depot | Town | Gates |
    |---|---|---|
    | Aurora | Arden | 4 |
    | Boreal | Birch | 2 |
    | Delta | Dane | 3 |
""")
ROWS = serialize_table_rows(FLEET)
INDEX = build_index(FLEET, ROWS)


def names(question: str, **options: object) -> list[str]:
    """First cells of the matched rows, best first."""
    return [cells[0] for cells in INDEX.retrieve(question, **options).matches["row_cells"]]  # type: ignore[arg-type]


def test_a_label_chooses_no_rows_and_a_value_does() -> None:
    answer = INDEX.retrieve("What is the payload of the crane?")
    assert [cells[0] for cells in answer.matches["row_cells"]] == ["Crane"]
    match = answer.matches.iloc[0]
    assert match["value_terms"] == ["crane"]
    assert match["label_terms"] == ["payload"]
    assert answer.context == "Vehicle: Crane | Depot: Delta | Payload: 4,000 kg | Inspected: 2031"


def test_label_evidence_alone_asks_for_the_whole_table() -> None:
    answer = INDEX.retrieve("What payload?")
    assert [(d.table_id, d.k, d.n_body_rows, d.widened) for d in answer.decisions] == [
        ("t1", 5, 5, True)
    ]


def test_words_of_one_tables_labels_are_no_values_of_another() -> None:
    answer = INDEX.retrieve("Which gates are there in each town?")
    assert [d.table_id for d in answer.decisions] == ["t2"]


def test_numbers_agree_with_and_without_separators() -> None:
    assert names("Which one carries 25000 kg?") == ["Trailer"]
    assert names("Which one carries 25,000 kg?") == ["Trailer"]


@pytest.mark.parametrize(
    ("question", "shape"),
    [
        ("What is the payload of the crane?", TARGETED),
        ("Which vehicle has the highest payload?", SYNTHESIS),
        ("How many vehicles are there?", SYNTHESIS),
        ("What is the total payload?", SYNTHESIS),
        ("List all vehicles", SYNTHESIS),
        ("Which depots are listed?", SYNTHESIS),
        ("Compare the crane with the van", MIXED),
        ("What are the payloads of the crane and the trailer?", MIXED),
    ],
)
def test_shapes_follow_the_words(question: str, shape: str) -> None:
    answer = INDEX.retrieve(question)
    assert answer.shape == shape
    assert answer.shape_reason


def test_a_superlative_in_a_label_is_a_name() -> None:
    df = lines("""
        | Layer | Maximum Path |
        |---|---|
        | Conv | 3 |
        | Pool | 9 |
    """)
    assert retrieve("Maximum path of Conv?", df, serialize_table_rows(df)).shape == TARGETED


def test_the_shape_sets_the_flag_and_says_why() -> None:
    assert INDEX.retrieve("What is the payload of the crane?").use_row_level
    synthesis = INDEX.retrieve("List all vehicles")
    assert not synthesis.use_row_level
    assert synthesis.row_level_reason.startswith("Off")
    by_hand = INDEX.retrieve("List all vehicles", use_row_level=True)
    assert by_hand.row_level_reason == "Set on by hand."


def test_a_forced_synthesis_with_few_rows_says_that_it_is_partial() -> None:
    answer = INDEX.retrieve("How many are in 2030 at Aurora?", use_row_level=True, shape=SYNTHESIS)
    assert answer.partial
    assert any(note.startswith("Partial") and "of 5 rows" in note for note in answer.notes)


def test_nothing_matched_returns_nothing() -> None:
    answer = INDEX.retrieve("Who painted the Night Watch?")
    assert not answer.found
    assert (answer.context, answer.citations, answer.decisions) == ("", [], [])
    assert len(answer.matches) == 0
    assert any("painted" in note for note in answer.notes)


@pytest.mark.parametrize("question", ["", "   ", "?!", "what is the of"])
def test_a_question_without_content_words_finds_nothing(question: str) -> None:
    assert not INDEX.retrieve(question).found


def test_without_row_level_the_answer_is_as_if_there_were_no_rows() -> None:
    empty = ROWS.head(0)
    for question in ("How long does the inspection of lorries take?", "payload of the crane"):
        with_rows = retrieve(question, FLEET, ROWS, use_row_level=False)
        without = retrieve(question, FLEET, empty, use_row_level=False)
        assert with_rows.context == without.context
        assert with_rows.citations == without.citations
        assert with_rows.found
    assert "two days" in retrieve("How long is an inspection?", FLEET, empty).context


def test_without_words_meaning_alone_finds_rows() -> None:
    answer = INDEX.retrieve("What does the crane lift?", use_keywords=False)
    assert [cells[0] for cells in answer.matches["row_cells"]][:1] == ["Crane"]
    assert answer.terms == []
    assert answer.evidence.parts["value"].max() == 0.0


def test_without_words_and_meaning_nothing_can_match() -> None:
    answer = INDEX.retrieve("payload of the crane", use_keywords=False, use_dense=False)
    assert not answer.found
    assert any("nothing can match" in note for note in answer.notes)


def test_without_meaning_no_similarity_is_worked_out() -> None:
    answer = INDEX.retrieve("What is the payload of the crane?", use_dense=False)
    assert [cells[0] for cells in answer.matches["row_cells"]] == ["Crane"]
    assert answer.evidence.parts["meaning"].max() == 0.0


def test_lines_above_a_table_choose_it_only_with_headings_on() -> None:
    df = lines("""
        Harbour dues
        | Item | Price |
        |---|---|
        | Quay | 5 |
        | Crane | 7 |

        Airport charges
        | Item | Price |
        |---|---|
        | Stand | 9 |
        | Tug | 4 |
    """)
    index = build_index(df, serialize_table_rows(df))
    asked = "What prices are there in the airport charges?"
    assert index.retrieve(asked).table_ranking["table_id"].tolist()[:1] == ["t2"]
    scores = index.retrieve(asked, use_toc=False, use_dense=False).table_ranking["score"]
    assert len(set(scores)) <= 1


@pytest.mark.parametrize(
    ("k", "n", "threshold", "widened"),
    [
        (3, 5, 0.6, True),
        (2, 5, 0.6, False),
        (7, 10, 0.7, True),
        (1, 40, 0.0, True),
        (39, 40, 1.0, False),
        (40, 40, 1.0, True),
        (1, 1, 0.6, False),
        (29, 100, 0.29, True),
    ],
)
def test_widening_is_inclusive_and_free_of_float_traps(
    k: int, n: int, threshold: float, widened: bool
) -> None:
    decision = Decision("t1", k, n, threshold)
    assert decision.widened is widened
    assert n == 1 or (decision.margin <= 0) is widened


def test_a_row_df_read_back_from_parquet_answers_the_same(tmp_path: Path) -> None:
    ROWS.to_parquet(tmp_path / "row_df.parquet")
    again = pd.read_parquet(tmp_path / "row_df.parquet")
    question = "What is the payload of the crane?"
    fresh, read = retrieve(question, FLEET, ROWS), retrieve(question, FLEET, again)
    assert (fresh.context, fresh.citations, fresh.tokens) == (
        read.context,
        read.citations,
        read.tokens,
    )


def test_counts_are_those_of_the_lines() -> None:
    answer = INDEX.retrieve("What is the payload of the crane?")
    row = answer.context
    assert (answer.tokens.context.characters, answer.tokens.context.tokens) == (
        len(row),
        count_tokens([row])[0],
    )
    in_table = ROWS.loc[ROWS["table_id"] == "t1", "row_serialized"]
    assert answer.tokens.rows.characters == in_table.str.len().sum()
    assert answer.tokens.rows.tokens == sum(count_tokens(in_table.tolist()))
    assert answer.tokens.document.tokens == sum(count_tokens(FLEET["text"].tolist()))


def test_break_even_is_where_rows_cost_as_much_as_the_table() -> None:
    saved = INDEX.retrieve("What is the payload of the crane?").tokens
    k = saved.break_even_k
    assert k is not None
    assert (k - 1) * saved.rows.tokens / 5 < saved.markdown.tokens <= k * saved.rows.tokens / 5


def test_a_ratio_below_one_is_shown_as_it_is() -> None:
    size, smaller = Count(100, 20), Count(90, 15)
    saved = Savings("o200k_base", size, size, smaller, size, size, None)
    assert saved.ratio("markdown") == 0.75
    assert saved.ratio("markdown", "characters") == 0.9


@pytest.mark.parametrize(
    ("options", "names_it"),
    [
        ({"widen_threshold": 1.5}, "widen_threshold"),
        ({"widen_threshold": float("nan")}, "widen_threshold"),
        ({"shape": "sideways"}, "targeted_lookup, synthesis, mixed"),
        ({"encoding": "p50k"}, "o200k_base"),
    ],
)
def test_options_outside_their_range_say_what_is_possible(
    options: dict[str, object], names_it: str
) -> None:
    with pytest.raises(OptionError, match=names_it):
        INDEX.retrieve("payload", **options)  # type: ignore[arg-type]


def test_frames_that_break_their_contract_are_named() -> None:
    with pytest.raises(LineFrameError, match="text"):
        retrieve("payload", FLEET.drop(columns="text"), ROWS)
    with pytest.raises(RowFrameError, match="row_cells"):
        retrieve("payload", FLEET, ROWS.drop(columns="row_cells"))
    uneven = ROWS.assign(row_cells=[cells[:-1] for cells in ROWS["row_cells"]])
    with pytest.raises(RowFrameError, match="4 labels but 3 cells in row 0"):
        retrieve("payload", FLEET, uneven)


def test_the_number_of_a_caption_answers_no_question() -> None:
    assert not INDEX.retrieve("1").found


def test_rows_that_words_find_alike_are_all_kept_whatever_they_are_called() -> None:
    rows = [f"| Bolt {at} | {'red' if at % 3 else 'blue'} | {at} |" for at in range(1, 301)]
    lines = ["| Part | Colour | Stock |", "|---|---|---|", *rows]
    line_df = pd.DataFrame(
        [
            {"page_num": 1, "line_num": at, "text": text, "x0": 0.0, "y0": at, "x1": 9.0, "y1": at}
            for at, text in enumerate(lines, start=1)
        ]
    )
    answer = retrieve("Which parts are red?", line_df, serialize_table_rows(line_df))
    assert [(one.k, one.n_body_rows) for one in answer.decisions] == [(200, 300)]
