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

LEVELS: dict[str, tuple[Row, list[Row], Row, int]] = {
    "a span repeated in each of its columns, and the row label downwards": (
        ["Quay", "Length", "Length"],
        [["Quay", "Inner", "Outer"], ["North", "80", "120"]],
        ["Quay", "Length Inner", "Length Outer"],
        1,
    ),
    "years below a span": (
        ["Ship", "Voyages", "", "Flag"],
        [["", "2031", "2032", ""], ["Aurora", "12", "14", "NO"], ["Calypso", "9", "8", "DK"]],
        ["Ship", "Voyages 2031", "Voyages 2032", "Flag"],
        1,
    ),
    "a date that the year below it completes, and a column beyond it": (
        ["", "Year ended June 30,", "", ""],
        [["", "2031", "2030", "Change"], ["Fares", "245", "211", "16%"], ["Cargo", "9", "8", "1%"]],
        ["", "Year ended June 30, 2031", "Year ended June 30, 2030", "Change"],
        1,
    ),
    "three levels, the second one spanning in part": (
        ["Route", "Weekday", "", "", "Weekend", ""],
        [
            ["", "Trips", "Fare", "", "Trips", "Fare"],
            ["", "", "from", "to", "", ""],
            ["Elm - Oak", "12", "3.10", "4.20", "6", "5.00"],
            ["Oak - Ash", "10", "3.30", "4.40", "5", "5.10"],
        ],
        [
            "Route",
            "Weekday Trips",
            "Weekday Fare from",
            "Weekday Fare to",
            "Weekend Trips",
            "Weekend Fare",
        ],
        2,
    ),
    "units printed once for several columns": (
        ["Harbour", "2030", "2031", "2030", "2031"],
        [
            ["", "number of ships", "", "percent", ""],
            ["Elm", "1,204", "1,310", "4.1", "4.4"],
            ["Oak", "604", "640", "2.2", "2.0"],
        ],
        [
            "Harbour",
            "2030 number of ships",
            "2031 number of ships",
            "2030 percent",
            "2031 percent",
        ],
        1,
    ),
    "a label cut over two lines": (
        ["Berth", "Ship", "Depth at", "Crane"],
        [["", "", "low tide", ""], ["North", "Aurora", "7.1", "yes"], ["South", "Elba", "6", "no"]],
        ["Berth", "Ship", "Depth at low tide", "Crane"],
        1,
    ),
    "the unit of the whole table": (
        ["Account", "2031", "2030"],
        [["(in thousands)", "", ""], ["Fares", "840", "790"], ["Cargo", "12", "9"]],
        ["Account", "2031 (in thousands)", "2030 (in thousands)"],
        1,
    ),
    "a placeholder where the span was": (
        ["Ship", "Depth", "Col3", "Unnamed: 3"],
        [["", "Bow", "Stern", "Keel"], ["Aurora", "7.1", "7.4", "6.9"]],
        ["Ship", "Depth Bow", "Depth Stern", "Depth Keel"],
        1,
    ),
    "a blank line where the header should be": (
        ["", "", ""],
        [["Buoy", "Depth", "Colour"], ["A", "12", "red"], ["B", "9", "green"]],
        ["Buoy", "Depth", "Colour"],
        1,
    ),
    "a title over all columns": (
        ["Table 4. Pilots", "Table 4. Pilots", "Table 4. Pilots"],
        [["Name", "Grade", "Trips"], ["Okafor", "first", "41"], ["Lind", "second", "38"]],
        ["Name", "Grade", "Trips"],
        1,
    ),
    "the names recur under each span, the rows' label among them": (
        ["Set", "Harbours", "", "Rivers", ""],
        [
            ["Method", "Recall", "Cost", "Recall", "Cost"],
            ["Plain", "0.71", "12", "0.64", "11"],
            ["Folded", "0.83", "14", "0.79", "13"],
        ],
        ["Set Method", "Harbours Recall", "Harbours Cost", "Rivers Recall", "Rivers Cost"],
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

STILL_ONE_LINE: dict[str, tuple[Row, list[Row]]] = {
    "a section over all columns": (
        ["Item", "2032", "2031"],
        [["FREIGHT", "FREIGHT", "FREIGHT"], ["Coal", "22", "23"], ["Ore", "14", "13"]],
    ),
    "a section label alone in its row": (
        ["Item", "2032", "2031"],
        [["Freight", "", ""], ["Coal", "22", "23"], ["Ore", "14", "13"]],
    ),
    "one unit over all values": (
        ["Quay", "2031", "2032"],
        [["Quay", "metres", "metres"], ["North", "80", "80"], ["South", "95", "99"]],
    ),
    "a first row whose name is missing": (
        ["Rank", "Rower", "Club", "Time"],
        [["", "Ines Falk", "Elm", "6:41"], ["2", "Mia Lund", "Oak", "6:44"]],
    ),
    "a first row of years in a column of years": (
        ["Ship", "Built", "Refitted"],
        [["", "1998", "2011"], ["Calypso", "2003", "2019"], ["Elba", "2007", "2021"]],
    ),
    "a row of words under labels, one of them unnamed": (
        ["", "Mode", "Rate", ""],
        [
            ["Pump A", "auto", "fast", "steady"],
            ["Pump B", "manual", "20", "3"],
            ["Pump C", "manual", "40", "7"],
        ],
    ),
    "rows that bear the name of their column": (
        ["Pump", "Step"],
        [["Pump", "0"], ["Pump", "1"], ["Pump", "2"]],
    ),
    "labels that hold digits already": (
        ["Route", "Q1 2031", "Q2 2031"],
        [["Elm - Oak", "12", "13"], ["Oak - Ash", "9", "9"]],
    ),
    "a first row of none and n/a": (
        ["Site", "Count", "Trend"],
        [["", "n/a", "none"], ["Cove", "12", "down"], ["Bay", "9", "up"]],
    ),
    "ticks of a chart below a blank line": (["", "", ""], [["500", "400", "300"], ["a", "b", "c"]]),
    "keys and values below a blank line": (
        ["", ""],
        [["Owner:", "Elm Ferries"], ["Flag:", "NO"], ["Built:", "1998"]],
    ),
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


@pytest.mark.parametrize("case", LEVELS)
def test_further_levels_are_folded_by_evidence(case: str) -> None:
    headers, body, expected, eaten = LEVELS[case]
    assert fold_multirow_header(headers, body) == (expected, body[eaten:])


@pytest.mark.parametrize("case", STILL_ONE_LINE)
def test_a_first_row_that_is_no_header_line_is_kept(case: str) -> None:
    headers, body = STILL_ONE_LINE[case]
    assert fold_multirow_header(headers, body) == (headers, body)


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


CARRIED: dict[str, tuple[Row, list[Row], Row]] = {
    "the labelled column is empty": (
        ["Season", "", "Trips"],
        [["", "1", "20"], ["", "2", "52"]],
        ["Season", "Season", "Trips"],
    ),
    "label and unnamed column recur": (
        ["Date", "Home", "", "Away", ""],
        [["May 3", "Elm", "21", "Oak", "9"], ["May 9", "Ash", "28", "Elm", "14"]],
        ["Date", "Home", "Home", "Away", "Away"],
    ),
    "a currency sign in a column of its own": (
        ["", "2032", "", "2031", ""],
        [["Fares", "$", "840", "$", "790"], ["Cargo", "$", "12", "$", "9"]],
        ["", "2032", "2032", "2031", "2031"],
    ),
    "text beside text": (
        ["Line", "Piers", ""],
        [["7", "Elm quay", "Oak quay"], ["9", "Ash quay", "Fir quay"]],
        ["Line", "Piers", "Piers"],
    ),
}


@pytest.mark.parametrize("case", CARRIED)
def test_a_lone_header_line_carries_a_label_only_where_the_columns_say_so(case: str) -> None:
    headers, body, expected = CARRIED[case]
    assert fold_multirow_header(headers, body) == (expected, body)


def test_without_a_line_below_no_label_is_carried_over_numbers() -> None:
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


def test_a_list_of_keys_and_values_has_no_header() -> None:
    line_df = lines("""
        | Col1 | Elm Ferries, Pier 3 |
        |---|---|
        | Owner: | Delta Bank |
        | Flag: | NO |
    """)
    [table] = read_tables(line_df)
    assert table.headers == ["", ""]
    assert table.rows == [["", "Elm Ferries, Pier 3"], ["Owner:", "Delta Bank"], ["Flag:", "NO"]]
    assert table.header.rule == "key-value"


def test_a_table_can_be_treated_as_keys_and_values_by_hand() -> None:
    line_df = lines("""
        | Owner | Elm Ferries |
        |---|---|
        | Flag | NO |
    """)
    row_df = serialize_table_rows(line_df, header_rows={"t1": "key-value"})
    assert row_df["row_serialized"].tolist() == ["Owner | Elm Ferries", "Flag | NO"]


def test_a_title_over_all_columns_becomes_the_caption() -> None:
    line_df = lines("""
        | Table 4. Pilots | | |
        |---|---|---|
        | Name | Grade | Trips |
        | Okafor | first | 41 |
        | Lind | second | 38 |
    """)
    [table] = read_tables(line_df)
    assert table.caption == "Table 4. Pilots"
    assert table.headers == ["Name", "Grade", "Trips"]
    assert table.header.depth == 2
    assert set(serialize_table_rows(line_df)["caption"]) == {"Table 4. Pilots"}


def test_a_row_with_a_cell_too_many_gives_the_labels_no_further_column() -> None:
    [table] = read_tables(
        lines("""
            | Berth | Fee | Fee |
            |---|---|---|
            | North quay | 71 | 12 |
            | West quay | 70 | 11 | 5 |
        """)
    )
    assert table.header.folded == ("Berth", "Fee", "Fee")
    assert table.rows[1] == ["West quay", "70", "11", "5"]


def test_a_separator_may_leave_a_cell_blank() -> None:
    [table] = read_tables(
        lines("""
        | Ship | Flag | Crew |
        | --- | | --- |
        | Aurora | NO | 12 |
    """)
    )
    assert (table.headers, table.rows) == (["Ship", "Flag", "Crew"], [["Aurora", "NO", "12"]])


@pytest.mark.parametrize("header_rows", [{"t1": 6}, {"t1": -1}, {"t2": 1}, {"t1": "list"}])
def test_an_impossible_override_says_so(header_rows: dict[str, int | str]) -> None:
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
