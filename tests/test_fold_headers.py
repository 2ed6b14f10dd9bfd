"""Header lines -> one label per column: contract section 4, one small table per case."""

from __future__ import annotations

import pytest

from core import fold_multirow_header, read_tables, serialize_table_rows
from core.errors import OptionError
from tests.frames import lines

Row = list[str]

FOLDED: dict[str, tuple[Row, list[Row], Row, int]] = {
    "spans left blank over a line of labels": (
        ["Ship", "Depth", "", "Crew", ""],
        [["", "Bow", "Stern", "Day", "Night"], ["Aurora", "7.1", "7.4", "12", "4"]],
        ["Ship", "Depth Bow", "Depth Stern", "Crew Day", "Crew Night"],
        1,
    ),
    "one span in the middle": (
        ["Port", "Fee", "", "Berths"],
        [["", "Weekday", "Weekend", ""], ["Elm", "20 EUR", "35 EUR", "3"]],
        ["Port", "Fee Weekday", "Fee Weekend", "Berths"],
        1,
    ),
}

UNTOUCHED: dict[str, tuple[Row, list[Row]]] = {
    "an ordinary header": (
        ["Berth", "Ship", "Draught"],
        [["North quay", "Aurora", "7.1 m"], ["South quay", "Borealis", "8.4 m"]],
    ),
    "a glossary without a digit": (
        ["Term", "Meaning"],
        [["Cap", "the most we pay"], ["Deductible", "what you pay first"]],
    ),
    "words above numbers under a full header": (
        ["Valve", "State"],
        [["Inlet", "closed"], ["Outlet", "2 bar"]],
    ),
    "a single row of words": (["Valve", "State"], [["Inlet", "closed"]]),
}

NOT_EATEN: dict[str, tuple[Row, list[Row]]] = {
    "a first row of words beside a blank corner": (
        ["", "State", "Since"],
        [["Inlet", "closed", "May"], ["Outlet", "open", "12 June"]],
    ),
    "n/a in the first row": (
        ["Sensor", "Count", ""],
        [["North", "n/a", "n/a"], ["South", "12", "ok"]],
    ),
    "check marks": (
        ["Plan", "Theft", ""],
        [["Basic", "✓", "—"], ["Plus", "✓", "500 EUR"]],
    ),
}


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("case", FOLDED)
def test_a_sub_header_becomes_part_of_the_labels(case: str, strict: bool) -> None:
    headers, body, expected, eaten = FOLDED[case]
    assert fold_multirow_header(headers, body, strict=strict) == (expected, body[eaten:])


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("case", UNTOUCHED)
def test_a_table_without_a_sign_of_folding_comes_through(case: str, strict: bool) -> None:
    headers, body = UNTOUCHED[case]
    assert fold_multirow_header(headers, body, strict=strict) == (headers, body)


@pytest.mark.parametrize("case", NOT_EATEN)
def test_a_first_row_of_words_stays_a_row(case: str) -> None:
    headers, body = NOT_EATEN[case]
    assert fold_multirow_header(headers, body)[1] == body


def test_the_arguments_are_left_as_they_are() -> None:
    headers, body = ["Ship", "Depth", ""], [["", "Bow", "Stern"], ["Aurora", "7.1", "7.4"]]
    fold_multirow_header(headers, body)
    assert (headers, body) == (
        ["Ship", "Depth", ""],
        [["", "Bow", "Stern"], ["Aurora", "7.1", "7.4"]],
    )


def test_the_literal_guard_fills_to_the_right_even_where_it_does_not_fold() -> None:
    headers, body = ["Ship", "Depth", ""], [["Aurora", "7.1", "7.4"], ["Calypso", "9.2", "9.9"]]
    assert fold_multirow_header(headers, body, strict=True) == (["Ship", "Depth", "Depth"], body)


def test_without_a_line_below_no_label_is_carried_to_the_right() -> None:
    headers, body = ["Ship", "Depth", ""], [["Aurora", "7.1", "7.4"], ["Calypso", "9.2", "9.9"]]
    assert fold_multirow_header(headers, body) == (headers, body)


def test_the_literal_guard_wants_a_row_below_that_holds_a_digit() -> None:
    headers = ["Ship", "Depth", ""]
    words = [["", "Bow", "Stern"], ["Aurora", "deep", "deeper"]]
    assert fold_multirow_header(headers, words, strict=True)[1] == words
    assert fold_multirow_header(headers, words[:1], strict=True)[1] == words[:1]


def test_the_literal_guard_wants_the_same_width() -> None:
    body = [["Bow", "Stern"], ["7.1", "7.4"]]
    assert fold_multirow_header(["Ship", "Depth", ""], body, strict=True)[1] == body


def test_the_literal_guard_takes_a_year_for_a_value() -> None:
    body = [["", "2031", "2032"], ["Aurora", "7.1", "7.4"]]
    assert fold_multirow_header(["Ship", "Depth", ""], body, strict=True)[1] == body


THREE_LINES = lines("""
    | Ship | Depth | |
    |---|---|---|
    | | Bow | Stern |
    | Aurora | 7.1 | 7.4 |
    | Calypso | 9.2 | 9.9 |
""")


@pytest.mark.parametrize(
    ("count", "headers", "first_cells"),
    [
        (0, ["", "", ""], ["Ship", "", "Aurora", "Calypso"]),
        (1, ["Ship", "Depth", ""], ["", "Aurora", "Calypso"]),
        (2, ["Ship", "Depth Bow", "Depth Stern"], ["Aurora", "Calypso"]),
        (3, ["Ship Aurora", "Depth Bow 7.1", "Depth Stern 7.4"], ["Calypso"]),
    ],
)
def test_the_number_of_header_lines_can_be_set_by_hand(
    count: int, headers: Row, first_cells: list[str]
) -> None:
    row_df = serialize_table_rows(THREE_LINES, header_rows={"t1": count})
    assert row_df["column_headers"].iloc[0] == headers
    assert [cells[0] for cells in row_df["row_cells"]] == first_cells
    assert set(row_df["n_body_rows"]) == {len(first_cells)}
    [table] = read_tables(THREE_LINES, header_rows={"t1": count})
    assert (table.headers, table.n_body_rows) == (headers, len(first_cells))
    assert table.header.depth == count
    assert table.header.reason


@pytest.mark.parametrize("header_rows", [{"t1": 6}, {"t1": -1}, {"t2": 1}])
def test_an_impossible_override_says_so(header_rows: dict[str, int]) -> None:
    with pytest.raises(OptionError, match=next(iter(header_rows))):
        serialize_table_rows(THREE_LINES, header_rows=header_rows)


def test_an_override_leaves_the_other_tables_alone() -> None:
    line_df = lines("""
        | A | B |
        |---|---|
        | x | 1 |
        Some prose between the two.
        | C | D |
        |---|---|
        | y | 2 |
        | z | 3 |
    """)
    row_df = serialize_table_rows(line_df, header_rows={"t2": 2})
    assert row_df["column_headers"].tolist() == [["A", "B"], ["C y", "D 2"]]


def test_the_steps_of_a_fold_are_kept_for_the_inspector() -> None:
    [table] = read_tables(THREE_LINES)
    assert table.header.raw == (("Ship", "Depth", ""), ("", "Bow", "Stern"))
    assert table.header.filled == (("Ship", "Depth", "Depth"), ("", "Bow", "Stern"))
    assert table.header.folded == ("Ship", "Depth Bow", "Depth Stern")
    assert table.header.rule
    assert table.header.reason


def test_header_lines_above_the_separator_are_levels_of_one_header() -> None:
    [table] = read_tables(
        lines("""
            | Ship | Depth | |
            | | Bow | Stern |
            |---|---|---|
            | Aurora | 7.1 | 7.4 |
        """)
    )
    assert table.headers == ["Ship", "Depth Bow", "Depth Stern"]
    assert table.rows == [["Aurora", "7.1", "7.4"]]
