"""line_df -> row_df by contract sections 1, 2, 3 and 5, one small page per case."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from core import read_tables, serialize_table_rows
from core.errors import LineFrameError
from tests.frames import labelled, line_frame, lines, places

BERTHS = """
    | Berth | Ship | Draught |
    |---|---|---|
    | North quay | Aurora | 7.1 m |
    | South quay | Borealis | 8.4 m |
"""


def cells(text: str, *, strict: bool = False) -> list[list[str]]:
    return serialize_table_rows(lines(text), strict=strict)["row_cells"].tolist()


def notes(text: str) -> str:
    return " ".join(note for table in read_tables(lines(text)) for note in table.notes).casefold()


# --------------------------------------------------------------------------- row_df


@pytest.mark.parametrize("strict", [True, False])
def test_each_body_row_is_a_chunk_with_its_labels_and_its_place(strict: bool) -> None:
    row_df = serialize_table_rows(lines(BERTHS, page=4), strict=strict)
    assert row_df["row_serialized"].tolist() == [
        "Berth: North quay | Ship: Aurora | Draught: 7.1 m",
        "Berth: South quay | Ship: Borealis | Draught: 8.4 m",
    ]
    assert places(row_df) == [(4, 3), (4, 4)]
    assert row_df["table_id"].tolist() == ["t1", "t1"]
    assert row_df["row_index"].tolist() == [0, 1]
    assert row_df["n_body_rows"].tolist() == [2, 2]


@pytest.mark.parametrize("strict", [True, False])
def test_a_blank_label_prints_the_bare_cell(strict: bool) -> None:
    row_df = serialize_table_rows(
        lines("""
            | | 2031 | 2032 |
            |---|---|---|
            | Fares | 245 | |
        """),
        strict=strict,
    )
    assert row_df["row_serialized"].tolist() == ["Fares | 2031: 245 | 2032: "]


def test_columns_come_in_the_order_of_the_contract() -> None:
    assert list(serialize_table_rows(lines(BERTHS)).columns) == [
        *("table_id", "page_num", "line_num", "column_headers", "row_cells", "row_serialized"),
        *("row_index", "n_body_rows", "x0", "y0", "x1", "y1", "row_group", "caption"),
    ]


@pytest.mark.parametrize("text", ["", "No table here.", "| a lone | row |"])
def test_without_a_table_the_frame_is_empty_and_complete(text: str) -> None:
    row_df = serialize_table_rows(lines(text))
    assert row_df.empty
    assert list(row_df.columns) == list(serialize_table_rows(lines(BERTHS)).columns)
    assert read_tables(lines(text)) == []


def test_a_row_carries_the_box_of_its_line() -> None:
    line_df = lines(BERTHS).assign(
        x0=72.0, y0=[100.0, 112, 124, 136], x1=300.0, y1=[110.0, 122, 134, 146]
    )
    row_df = serialize_table_rows(line_df)
    assert row_df[["x0", "y0", "x1", "y1"]].to_numpy().tolist() == [
        [72.0, 124.0, 300.0, 134.0],
        [72.0, 136.0, 300.0, 146.0],
    ]


def test_tables_are_numbered_in_reading_order_even_without_rows() -> None:
    line_df = lines("""
        | Header | alone |
        |---|---|
        Prose between the tables.
        | A | B |
        |---|---|
        | x | 1 |
    """)
    assert serialize_table_rows(line_df)["table_id"].tolist() == ["t2"]
    assert [table.n_body_rows for table in read_tables(line_df)] == [0, 1]


# --------------------------------------------------------------------------- line_df


@pytest.mark.parametrize("strict", [True, False])
def test_unsorted_lines_are_read_in_order(strict: bool) -> None:
    line_df = lines(BERTHS).iloc[[3, 1, 0, 2]]
    expected = serialize_table_rows(lines(BERTHS), strict=strict)
    pd.testing.assert_frame_equal(serialize_table_rows(line_df, strict=strict), expected)


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_missing_text_reads_as_blank_and_ends_the_table(missing: object) -> None:
    line_df = lines(BERTHS + "    | East basin | Calypso | 9.2 m |\n")
    text = line_df["text"].astype(object)
    text.iloc[3] = missing
    row_df = serialize_table_rows(line_df.assign(text=text))
    assert row_df["row_cells"].tolist() == [["North quay", "Aurora", "7.1 m"]]


def test_further_columns_do_no_harm() -> None:
    line_df = lines(BERTHS).assign(confidence=0.9, block_class="table", character_count=10)
    assert len(serialize_table_rows(line_df)) == 2


@pytest.mark.parametrize("column", ["page_num", "line_num", "text", "x0", "y0", "x1", "y1"])
def test_a_missing_column_is_named(column: str) -> None:
    with pytest.raises(LineFrameError, match=column):
        serialize_table_rows(lines(BERTHS).drop(columns=column))


def test_a_duplicate_line_names_columns_page_and_line() -> None:
    line_df = lines(BERTHS).assign(line_num=[1, 2, 2, 3])
    with pytest.raises(LineFrameError, match=r"'line_num'.*page 1, line 2"):
        serialize_table_rows(line_df)


@pytest.mark.parametrize("number", [1.5, 0, -1, np.nan, "two"])
@pytest.mark.parametrize("column", ["page_num", "line_num"])
def test_a_number_that_counts_nothing_names_column_and_row(column: str, number: object) -> None:
    values = lines(BERTHS)[column].astype(object)
    values.iloc[2] = number
    with pytest.raises(LineFrameError, match=rf"{column!r}.*row 2"):
        serialize_table_rows(lines(BERTHS).assign(**{column: values}))


@pytest.mark.parametrize(("low", "high"), [("x0", "x1"), ("y0", "y1")])
def test_a_box_of_negative_size_names_column_and_row(low: str, high: str) -> None:
    boxes = dict.fromkeys(("x0", "y0"), 10.0) | dict.fromkeys(("x1", "y1"), 20.0)
    line_df = lines(BERTHS).assign(**boxes)
    line_df = line_df.assign(**{high: [20.0, 20.0, 9.0, 20.0]})
    with pytest.raises(LineFrameError, match=rf"{high!r}.*{low}.*row 2"):
        serialize_table_rows(line_df)


def test_whole_numbers_may_come_as_floats_or_text() -> None:
    line_df = lines(BERTHS).assign(page_num=1.0, line_num=["1", "2", "3", "4"])
    assert places(serialize_table_rows(line_df)) == [(1, 3), (1, 4)]


# --------------------------------------------------------------------------- the four rules


@pytest.mark.parametrize("line", ["|a|", "| Berth | Ship", "Berth | Ship |", "||", "|", "a | b"])
def test_rule_1_what_is_no_pipe_row_ends_the_table(line: str) -> None:
    line_df = lines(BERTHS.replace("    | South", f"    {line}\n    | South"))
    assert serialize_table_rows(line_df, strict=True)["row_cells"].tolist() == [
        ["North quay", "Aurora", "7.1 m"]
    ]


@pytest.mark.parametrize("separator", ["|---|---|", "|:-:|--:|", "| - | - |", "|-----|"])
def test_rule_2_separators_in_their_variants(separator: str) -> None:
    text = f"| A | B |\n{separator}\n| x | 1 |"
    # "|-----|" has one bar too few inside, so that it is no pipe row at all.
    expected = [] if separator == "|-----|" else [["x", "1"]]
    assert cells(text, strict=True) == expected


@pytest.mark.parametrize("strict", [True, False])
def test_a_negative_number_is_no_separator(strict: bool) -> None:
    assert cells("| A | B |\n|---|---|\n| -1 | - 2 |", strict=strict) == [["-1", "- 2"]]


@pytest.mark.parametrize("strict", [True, False])
def test_rule_3_a_table_goes_on_over_an_immediate_page_break(strict: bool) -> None:
    row_df = serialize_table_rows(
        lines("""
            === 3
            | A | B |
            |---|---|
            | x | 1 |
            === 4
            | y | 2 |
        """),
        strict=strict,
    )
    assert places(row_df) == [(3, 3), (4, 1)]
    assert set(row_df["table_id"]) == {"t1"}


def test_rule_3_a_gap_of_a_page_does_not_join() -> None:
    text = """
        | A | B |
        |---|---|
        | x | 1 |
        === 3
        | y | 2 |
    """
    assert cells(text, strict=True) == [["x", "1"]]
    assert cells(text) == [["x", "1"]]


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("between", ["The second table lists the ships by their owners.", "a | b"])
def test_rule_4_prose_ends_the_table(between: str, strict: bool) -> None:
    row_df = serialize_table_rows(
        lines(f"| A | B |\n|---|---|\n| x | 1 |\n{between}\n| C | D |\n|---|---|\n| y | 2 |"),
        strict=strict,
    )
    assert row_df["row_serialized"].tolist() == ["A: x | B: 1", "C: y | D: 2"]
    assert row_df["table_id"].tolist() == ["t1", "t2"]


def test_strict_reads_every_row_between_separators_as_data() -> None:
    text = "| A | B |\n|---|---|\n| x | 1 |\n| C | D |\n|---|---|\n| y | 2 |"
    assert cells(text, strict=True) == [["x", "1"], ["C", "D"], ["y", "2"]]


# --------------------------------------------------------------------------- cells


@pytest.mark.parametrize(
    ("printed", "content"),
    [
        (r"p \| q", "p | q"),
        ("p&#124;q", "p|q"),
        ("p&vert;q", "p|q"),
        ("AT&amp;T", "AT&T"),
        ("unit<br>marker", "unit marker"),
        ("unit<br/>marker", "unit marker"),
        ("unit <BR /> marker", "unit marker"),
        ("a\u00a0b", "a b"),
        ("a\u200bb", "ab"),
        ("nul\x00l", "null"),
        ("\u200etime\u202c\u2069", "time"),
        ("ca\u00adble", "cable"),
        ("\ufefftab\tstop", "tab stop"),
        ("&amp;lt;", "&lt;"),
        (r"a\\", "a\\"),
        (r"C:\data", r"C:\data"),
        ("$5 to $9", "$5 to $9"),
        ("2 * 3 * 4", "2 * 3 * 4"),
    ],
)
def test_cells_hold_content_not_markup(printed: str, content: str) -> None:
    assert cells(f"| A | B |\n|---|---|\n| {printed} | 7 |") == [[content, "7"]]


def test_a_bar_in_a_code_span_is_content() -> None:
    [[code, value]] = cells("| A | B |\n|---|---|\n| `x|y` | 7 |")
    assert (code.strip("`"), value) == ("x|y", "7")


def test_a_bar_in_a_formula_is_content() -> None:
    [[name, formula, unit]] = cells("| A | B | C |\n|---|---|---|\n| speed | $|v|$ | m/s |")
    assert (name, formula.strip("$"), unit) == ("speed", "|v|", "m/s")


def test_headers_are_cleaned_like_cells() -> None:
    [table] = read_tables(lines("| Signal<br>name | p \\| q |\n|---|---|\n| x | 1 |"))
    assert table.headers == ["Signal name", "p | q"]


def test_one_bar_is_cut_from_each_end_so_blank_cells_stay() -> None:
    assert labelled(
        serialize_table_rows(lines("||Plan|Actual|\n|---|---|---|\n|Fuel|12|14|\n||9||"))
    ) == [
        {"": "Fuel", "Plan": "12", "Actual": "14"},
        {"": "", "Plan": "9", "Actual": ""},
    ]


def test_strict_unescapes_nothing() -> None:
    assert cells("| A | B |\n|---|---|\n| a<br>b | &amp; |", strict=True) == [["a<br>b", "&amp;"]]
    assert cells("| A | B |\n|---|---|\n| p \\| q | 7 |", strict=True) == [["p \\", "q", "7"]]


# --------------------------------------------------------------------------- ragged rows


@pytest.mark.parametrize("strict", [True, False])
def test_a_short_row_is_padded_on_the_right(strict: bool) -> None:
    row_df = serialize_table_rows(
        lines("| A | B | C |\n|---|---|---|\n| x | 1 |\n| y | 2 | 3 |"), strict=strict
    )
    assert labelled(row_df)[0] == {"A": "x", "B": "1", "C": ""}
    assert row_df["row_serialized"].iloc[0] == "A: x | B: 1 | C: "


@pytest.mark.parametrize("strict", [True, False])
def test_a_long_row_keeps_its_last_value_without_a_label(strict: bool) -> None:
    row_df = serialize_table_rows(
        lines("| A | B |\n|---|---|\n| x | 1 | extra |\n| y | 2 |"), strict=strict
    )
    assert row_df["row_serialized"].tolist() == ["A: x | B: 1 | extra", "A: y | B: 2"]
    assert row_df["column_headers"].tolist() == [["A", "B", ""], ["A", "B"]]


def test_ragged_rows_are_noted() -> None:
    assert "row" in notes("| A | B | C |\n|---|---|---|\n| x | 1 |\n| y | 2 | 3 |")
    assert notes("| A | B |\n|---|---|\n| x | 1 |\n| y | 2 |") == ""


# --------------------------------------------------------------------------- over page breaks

CODES = [["A1", "Oslo"], ["A2", "Bergen"], ["A3", "Tromsø"]]


@pytest.mark.parametrize(
    "repeat",
    [
        ["| Code | City |", "|---|---|"],
        ["| Code | City |"],
        ["| CODE | CITY |", "|---|---|"],
        ["| **Code** | **City** |", "|---|---|"],
        ["| Code (continued) | City |", "|---|---|"],
    ],
    ids=["with separator", "without separator", "in capitals", "in bold", "continued"],
)
def test_a_repeated_header_on_the_next_page_is_no_row(repeat: list[str]) -> None:
    again = "\n".join(repeat)
    first = "| Code | City |\n|---|---|\n| A1 | Oslo |\n| A2 | Bergen |"
    text = f"{first}\n=== 2\n{again}\n| A3 | Tromsø |"
    row_df = serialize_table_rows(lines(text))
    assert row_df["row_cells"].tolist() == CODES
    assert set(row_df["table_id"]) == {"t1"}
    assert set(row_df["n_body_rows"]) == {3}
    assert "repeated" in notes(text)


def test_both_lines_of_a_folded_header_are_dropped_when_repeated() -> None:
    head = "| Ship | Depth | |\n|---|---|---|\n| | Bow | Stern |\n"
    text = f"{head}| Aurora | 7.1 | 7.4 |\n=== 2\n{head}| Calypso | 9.2 | 9.9 |"
    assert cells(text) == [["Aurora", "7.1", "7.4"], ["Calypso", "9.2", "9.9"]]


def test_a_row_that_the_parser_promoted_to_a_header_stays_a_row() -> None:
    text = """
        | Code | City |
        |---|---|
        | A1 | Oslo |
        === 2
        | A2 | Bergen |
        |---|---|
        | A3 | Tromsø |
    """
    row_df = serialize_table_rows(lines(text))
    assert row_df["row_cells"].tolist() == CODES
    assert places(row_df) == [(1, 3), (2, 1), (2, 3)]
    assert notes(text)


def test_a_second_separator_is_never_a_row() -> None:
    text = "| A | B |\n|---|---|\n| x | 1 |\n|---|---|\n| y | 2 |\n|:-:|:-:|\n|---|---|\n| z | 3 |"
    assert cells(text) == [["x", "1"], ["y", "2"], ["z", "3"]]
    assert cells(text, strict=True) == [["x", "1"], ["y", "2"], ["z", "3"]]


def test_other_labels_over_a_second_separator_begin_another_table() -> None:
    row_df = serialize_table_rows(
        lines("""
            | Pump | Flow |
            |---|---|
            | P1 | 2 |
            === 2
            | Valve | State |
            |---|---|
            | V1 | open |
        """)
    )
    assert row_df["row_serialized"].tolist() == ["Pump: P1 | Flow: 2", "Valve: V1 | State: open"]
    assert row_df["table_id"].tolist() == ["t1", "t2"]


FURNITURE = {
    "running head and foot on both pages": (
        ["Harbour board, annual report", "| Code | City |", "|---|---|", "| A1 | Oslo |",
         "| A2 | Bergen |", "Printed in Oslo"],
        ["Harbour board, annual report", "| A3 | Tromsø |", "Printed in Oslo"],
    ),
    "page numbers": (
        ["| Code | City |", "|---|---|", "| A1 | Oslo |", "| A2 | Bergen |", "- 7 -"],
        ["| A3 | Tromsø |", "- 8 -"],
    ),
    "blank lines": (
        ["| Code | City |", "|---|---|", "| A1 | Oslo |", "| A2 | Bergen |", ""],
        ["", "| A3 | Tromsø |"],
    ),
    "page comments": (
        ["| Code | City |", "|---|---|", "| A1 | Oslo |", "| A2 | Bergen |",
         '<!-- PageFooter="Harbour board" -->', "<!-- PageBreak -->"],
        ['<!-- PageHeader="Annual report" -->', "| A3 | Tromsø |"],
    ),
    "head, page number and repeated header": (
        ["Harbour board", "| Code | City |", "|---|---|", "| A1 | Oslo |", "| A2 | Bergen |",
         "Page 7 of 9"],
        ["Harbour board", "| Code | City |", "|---|---|", "| A3 | Tromsø |", "Page 8 of 9"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", FURNITURE)
def test_page_furniture_between_two_halves_is_passed_over(case: str) -> None:
    first, second = FURNITURE[case]
    text = "\n".join([*first, "=== 2", *second])
    row_df = serialize_table_rows(lines(text))
    assert row_df["row_cells"].tolist() == CODES
    assert set(row_df["table_id"]) == {"t1"}
    assert "joined over page furniture" in notes(text)
    strict = serialize_table_rows(lines(text), strict=True)
    assert strict.loc[strict["table_id"] == "t1", "row_cells"].tolist() == CODES[:2]


def test_prose_between_two_halves_is_no_furniture() -> None:
    text = """
        | Code | City |
        |---|---|
        | A1 | Oslo |
        The board decided in May to close the northern office.
        === 2
        | A3 | Tromsø |
        Its staff moved to Bergen.
    """
    assert cells(text) == [["A1", "Oslo"]]


def test_furniture_does_not_join_tables_of_other_widths() -> None:
    text = """
        | Code | City |
        |---|---|
        | A1 | Oslo |
        - 7 -
        === 2
        | Ship | Berth | Draught |
        |---|---|---|
        | Aurora | North quay | 7.1 m |
    """
    assert serialize_table_rows(lines(text))["table_id"].tolist() == ["t1", "t2"]


# --------------------------------------------------------------------------- whole tables


def test_a_table_tells_its_rows_as_compact_markdown() -> None:
    [table] = read_tables(lines("| A | p \\| q |\n|---|---|\n| x | 1 |\n| y | a<br>b |"))
    assert table.markdown == "|A|p \\| q|\n|---|---|\n|x|1|\n|y|a b|"
    assert table.rows == [["x", "1"], ["y", "a b"]]
    assert table.n_body_rows == 2


def test_the_markdown_of_a_table_reads_as_the_same_table() -> None:
    [table] = read_tables(lines(BERTHS.replace("7.1 m", r"7.1 \| 7.4 m")))
    [again] = read_tables(lines(table.markdown))
    assert (again.headers, again.rows) == (table.headers, table.rows)


def test_the_caption_above_a_table_is_kept() -> None:
    line_df = lines("Table 3: Berths and ships\n| A | B |\n|---|---|\n| x | 1 |")
    assert serialize_table_rows(line_df)["caption"].tolist() == ["Table 3: Berths and ships"]


def test_a_document_of_a_thousand_pages_is_read_in_order() -> None:
    table = ["| A | B |", "|---|---|"]
    numbered = [
        (page, line, text)
        for page in range(1, 1_001)
        # Prose that differs from page to page: the same line on all would be a running foot.
        for line, text in enumerate([*table, f"| x | {page} |", "To " + "be " * page], start=1)
    ]
    row_df = serialize_table_rows(line_frame(numbered))
    assert [row[1] for row in row_df["row_cells"]] == [str(page) for page in range(1, 1_001)]
    assert row_df["table_id"].tolist() == [f"t{page}" for page in range(1, 1_001)]


def test_another_width_in_the_middle_of_a_page_is_another_table() -> None:
    df = lines("""
        | Item | Cap | Fee |
        |---|---|---|
        | a | 1 | 2 |
        | Region | 2031 | 2032 | Sum 2 |
        |---|---|---|---|
        | North | 5 | 6 | 11 |
    """)
    assert [table.headers for table in read_tables(df)] == [
        ["Item", "Cap", "Fee"],
        ["Region", "2031", "2032", "Sum 2"],
    ]


def test_a_header_of_years_starts_a_table_of_its_own() -> None:
    df = lines("""
        | Item | Cap | Fee |
        |---|---|---|
        | a | 1 | 2 |
        | Region | 2031 | 2032 |
        |---|---|---|
        | North | 5 | 6 |
    """)
    assert [table.rows for table in read_tables(df)] == [[["a", "1", "2"]], [["North", "5", "6"]]]


def test_a_running_head_in_the_top_margin_does_not_part_a_table() -> None:
    df = lines("""
        | Code | Crew |
        |---|---|
        | A1 | 120 |
        Page 1
        === 2
        Annual Review
        | A2 | 77 |
        |---|---|
        | A3 | 61 |
    """)
    df = df.assign(x0=72.0, x1=540.0, y0=[664, 678, 692, 760, 30, 90, 104, 118])
    df = df.assign(y1=df["y0"] + 11)
    assert serialize_table_rows(df)["row_serialized"].tolist() == [
        "Code: A1 | Crew: 120",
        "Code: A2 | Crew: 77",
        "Code: A3 | Crew: 61",
    ]
