"""Where tables and their rows begin and end, as parsers really write them (contract section 5)."""

from __future__ import annotations

import pandas as pd
import pytest

from core import read_tables, serialize_table_rows
from tests.frames import lines, places

Tables = list[tuple[list[str], list[list[str]]]]


def tables(text: str, *, strict: bool = False) -> Tables:
    return [(read.headers, read.rows) for read in read_tables(lines(text), strict=strict)]


def notes(text: str | pd.DataFrame) -> str:
    line_df = lines(text) if isinstance(text, str) else text
    return " ".join(note for read in read_tables(line_df) for note in read.notes)


# --------------------------------------------------------------------------- rows cut into lines

CUT = """
    | Step | Note |
    |---|---|
    | 1 | drain the hold
    and
    dry it |
    | 2 | close it |
"""


def test_a_row_cut_into_text_lines_is_one_row_cited_by_its_first() -> None:
    row_df = serialize_table_rows(lines(CUT))
    assert row_df["row_cells"].tolist() == [["1", "drain the hold and dry it"], ["2", "close it"]]
    assert places(row_df) == [(1, 3), (1, 6)]
    [read] = read_tables(lines(CUT))
    assert read.line_df["row_index"].tolist() == [-1, -1, 0, 0, 0, 1]
    assert "cut into several text lines" in notes(CUT)


def test_the_box_of_a_cut_row_holds_all_its_lines() -> None:
    line_df = lines(CUT).assign(x0=[10.0, 10, 10, 50, 50, 10], y0=[0.0, 12, 24, 36, 48, 60])
    line_df = line_df.assign(x1=[200.0, 200, 190, 80, 120, 200], y1=line_df["y0"] + 10)
    row_df = serialize_table_rows(line_df)
    assert row_df[["x0", "y0", "x1", "y1"]].to_numpy().tolist() == [
        [10.0, 24.0, 190.0, 58.0],
        [10.0, 60.0, 200.0, 70.0],
    ]


def test_header_and_neighbouring_rows_may_be_cut_too() -> None:
    text = "| Ship\nname | Draught |\n|---|---|\n| Aurora\nBorealis | 7 |\n| Calypso | about\n9 |"
    assert tables(text) == [
        (["Ship name", "Draught"], [["Aurora Borealis", "7"], ["Calypso", "about 9"]])
    ]


@pytest.mark.parametrize(
    "between",
    [
        "| 2 | close | the\nlid |",  # three cells among rows of two
        "| 2 |\nclose it |",  # closed already
        "| 2 | close it",  # never closed
        "| 2 | close it\n\nand go |",  # a blank line between
        "| 2\nis a sum of bars |",  # one cell
        "| 2 | a\nb\nc\nd\ne\nf\ng |",  # too many lines
    ],
)
def test_prose_between_bars_is_no_row(between: str) -> None:
    text = f"| Step | Note |\n|---|---|\n| 1 | drain it |\n{between}"
    assert tables(text) == [(["Step", "Note"], [["1", "drain it"]])]


def test_strict_knows_no_cut_rows() -> None:
    assert tables(CUT, strict=True) == [(["Step", "Note"], [])]


# --------------------------------------------------------------------------- one column


def test_a_table_of_one_column_has_a_separator_below_its_header() -> None:
    text = "| Steps |\n|-------|\n| Drain the hold |\n| Close it |"
    assert tables(text) == [(["Steps"], [["Drain the hold"], ["Close it"]])]
    assert tables(text, strict=True) == []
    assert tables("| Steps |\n| Drain the hold |\n| Close it |") == []


def test_a_row_of_one_cell_between_rows_keeps_its_value_and_theirs() -> None:
    text = "| A | B |\n|---|---|\n| x | 1 |\n| y |\n| z | 3 |"
    assert tables(text) == [(["A", "B"], [["x", "1"], ["y", ""], ["z", "3"]])]


# --------------------------------------------------------------------------- code and pictures


@pytest.mark.parametrize("fence", ["```", "~~~~", "``` python"])
def test_a_fence_holds_code_and_no_table(fence: str) -> None:
    end = fence.split()[0]
    assert tables(f"{fence}\n| key | value |\n|---|---|\n| a | 1 |\n{end}") == []


def test_the_text_of_a_picture_is_no_table() -> None:
    text = """
        <!-- Start of picture text -->
        ||||
        |---|---|---|
        |10|20|30|
        <!-- End of picture text -->
        | A | B |
        |---|---|
        | x | 1 |
    """
    assert tables(text) == [(["A", "B"], [["x", "1"]])]


@pytest.mark.parametrize("opened", ["```", "<!-- Start of picture text -->", "```\n=== 4\n```"])
def test_what_is_never_closed_hides_nothing(opened: str) -> None:
    assert tables(f"{opened}\n| A | B |\n|---|---|\n| x | 1 |") == [(["A", "B"], [["x", "1"]])]


def test_a_page_written_as_a_fence_of_markdown_is_text() -> None:
    text = "```markdown\n| A | B |\n|---|---|\n| x | 1 |\n```"
    assert tables(text) == [(["A", "B"], [["x", "1"]])]


# --------------------------------------------------------------------------- two columns of text


def two_columns(x0: float, x1: float) -> pd.DataFrame:
    line_df = lines("""
        | Code | City |
        |---|---|
        | A1 | Oslo |
        The northern office was closed in May.
        | A2 | Bergen |
    """)
    line_df = line_df.assign(x0=[60.0] * 3 + [x0, 60.0], x1=[280.0] * 3 + [x1, 280.0])
    return line_df.assign(y0=line_df["line_num"] * 12.0, y1=line_df["line_num"] * 12.0 + 10)


@pytest.mark.parametrize(("x0", "x1"), [(300.0, 520.0), (10.0, 58.0)])
def test_text_of_another_column_does_not_part_a_table(x0: float, x1: float) -> None:
    row_df = serialize_table_rows(two_columns(x0, x1))
    assert row_df["row_cells"].tolist() == [["A1", "Oslo"], ["A2", "Bergen"]]
    assert "another column" in notes(two_columns(x0, x1))


def test_text_over_the_table_or_without_a_place_parts_it() -> None:
    nowhere = two_columns(300, 520).assign(x0=float("nan"), x1=float("nan"))
    for line_df in (two_columns(60, 280), two_columns(270, 520), nowhere):
        assert serialize_table_rows(line_df)["row_cells"].tolist() == [["A1", "Oslo"]]
    strict = serialize_table_rows(two_columns(300, 520), strict=True)
    assert strict["row_cells"].tolist() == [["A1", "Oslo"]]


# --------------------------------------------------------------------------- over page breaks

FIRST = "| Code | City | Crew |\n|---|---|---|\n| A1 | Oslo | 12 |\n| A2 | Bergen | 9 |\n"


def test_a_column_lost_on_the_next_page_is_found_by_the_kinds_of_its_neighbours() -> None:
    first = FIRST.replace("City", "Year").replace("Oslo", "2031").replace("Bergen", "2032")
    first = first.replace("12 |", "calm |").replace("9 |", "rough |")
    text = f"{first}=== 2\n| A3 | windy |\n| A4 | calm |"
    [(_, rows)] = tables(text)
    assert rows[2:] == [["A3", "", "windy"], ["A4", "", "calm"]]
    assert "column that the rows above have is missing" in notes(text)


def test_a_column_that_was_blank_before_is_the_one_that_is_lost() -> None:
    first = FIRST.replace("Oslo", "").replace("Bergen", "")
    [(_, rows)] = tables(f"{first}- 1 -\n=== 2\n| A3 | 7 |\n| A4 | 8 |")
    assert rows[2:] == [["A3", "", "7"], ["A4", "", "8"]]


def test_where_it_is_not_clear_which_column_is_lost_the_rows_stand_apart() -> None:
    text = f"{FIRST}=== 2\n| A3 | Moss |\n| A4 | Hamar |"
    first = FIRST.replace("12 |", "calm |").replace("9 |", "rough |")
    text = text.replace(FIRST, first)
    assert tables(text)[1:] == [(["", ""], [["A3", "Moss"], ["A4", "Hamar"]])]
    assert "Probably continues t1" in notes(text)


def test_a_header_repeated_without_the_lost_column_says_which_it_is() -> None:
    [(labels, rows)] = tables(f"{FIRST}=== 2\n| Code | Crew |\n| A3 | 7 |")
    assert labels == ["Code", "City", "Crew"]
    assert rows[2:] == [["A3", "", "7"]]


def test_one_short_row_after_a_page_break_is_padded() -> None:
    [(_, rows)] = tables(f"{FIRST}=== 2\n| A3 | Moss |\n| A4 | Hamar | 3 |")
    assert rows[2:] == [["A3", "Moss", ""], ["A4", "Hamar", "3"]]


def test_rows_as_wide_as_the_header_go_on_below_a_ragged_half() -> None:
    first = "| Code | City | Crew |\n|---|---|---|\n| A1 | Oslo |\n| A2 | Moss |\n"
    [(labels, rows)] = tables(f"{first}=== 2\n| A3 | Hamar | 3 |\n| A4 | Bergen | 9 |")
    assert labels == ["Code", "City", "Crew"]
    assert rows[2:] == [["A3", "Hamar", "3"], ["A4", "Bergen", "9"]]


def test_a_promoted_row_of_words_is_known_by_a_value_of_its_column() -> None:
    text = """
        | Berth | State |
        |---|---|
        | North | open |
        | South | shut |
        === 2
        | East | open |
        |---|---|
        | West | shut |
    """
    [(_, rows)] = tables(text)
    assert rows == [["North", "open"], ["South", "shut"], ["East", "open"], ["West", "shut"]]


def test_a_row_of_words_that_may_be_a_header_begins_a_table_that_says_so() -> None:
    text = """
        | Berth | State |
        |---|---|
        | North | open |
        === 2
        | East | shut |
        |---|---|
        | West | closed |
    """
    assert [labels for labels, _ in tables(text)] == [["Berth", "State"], ["East", "shut"]]
    assert "Probably continues t1" in notes(text)


# --------------------------------------------------------------------------- on one page


@pytest.mark.parametrize("label", ["Q1 2031", "H2O", "Rev. 2", "2031", "Sum"])
def test_labels_over_numbers_begin_another_table(label: str) -> None:
    text = f"| Item | Cap |\n|---|---|\n| a | 1 |\n| Site | {label} |\n|---|---|\n| North | 5 |"
    assert tables(text) == [(["Item", "Cap"], [["a", "1"]]), (["Site", label], [["North", "5"]])]


@pytest.mark.parametrize("value", ["7", "-3.5 %", "EUR 20", "n/a"])
def test_a_row_with_a_value_over_a_separator_stays_a_row(value: str) -> None:
    text = f"| Item | Cap |\n|---|---|\n| a | 1 |\n| b | {value} |\n|---|---|\n| c | 5 |"
    assert tables(text) == [(["Item", "Cap"], [["a", "1"], ["b", value], ["c", "5"]])]


def test_single_dashes_below_a_longer_separator_are_values() -> None:
    text = "| Item | Cap |\n|---|---|\n| a | 1 |\n| - | - |\n| c | 5 |"
    assert tables(text) == [(["Item", "Cap"], [["a", "1"], ["-", "-"], ["c", "5"]])]


ORPHANS = "| Item | Cap |\n|---|---|\n| a | 1 |\nThe board met in May.\n"


def test_rows_that_lost_their_table_have_no_header() -> None:
    text = f"{ORPHANS}| b | 2 |\n| c | 3 |"
    assert tables(text) == [(["Item", "Cap"], [["a", "1"]]), (["", ""], [["b", "2"], ["c", "3"]])]
    assert "Probably continues t1" in notes(text)


def test_a_lone_row_that_lost_its_table_is_told_of() -> None:
    assert tables(f"{ORPHANS}| b | 2 |") == [(["Item", "Cap"], [["a", "1"]])]
    assert "lone pipe row" in notes(f"{ORPHANS}| b | 2 |")


def test_a_header_that_lost_its_separator_is_still_one() -> None:
    text = f"{ORPHANS}| Ship | Crew |\n| Aurora | 12 |"
    assert tables(text)[1:] == [(["Ship", "Crew"], [["Aurora", "12"]])]


@pytest.mark.parametrize(
    "text",
    [
        "Name | Age\n--- | ---\nOkoro | 41",
        "｜Name｜Age｜\n｜---｜---｜\n｜Okoro｜41｜",
        "│ Name │ Age │\n│---│---│\n│ Okoro │ 41 │",
    ],
)
def test_other_forms_of_tables_stay_text(text: str) -> None:
    assert tables(text) == []
