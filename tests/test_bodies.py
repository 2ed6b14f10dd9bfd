"""Bodies of tables by contract sections 3 and 5: sections, spans, cut rows, notes, totals."""

from __future__ import annotations

from itertools import groupby

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import read_tables, retrieve, serialize_table_rows
from core.tables import Table, table_to_markdown
from tests.frames import line_frame, lines, pipe_row, places


def grouped(text: str) -> list[tuple[str, list[str]]]:
    """The first cell of each row, by its group."""
    row_df = serialize_table_rows(lines(text))
    rows = zip(row_df["row_group"], row_df["row_cells"], strict=True)
    return [
        (group, [cells[0] for _, cells in part])
        for group, part in groupby(rows, lambda row: row[0])
    ]


def rows(text: str) -> list[list[str]]:
    return serialize_table_rows(lines(text))["row_cells"].tolist()


def table(text: str) -> Table:
    [only] = read_tables(lines(text))
    return only


# --------------------------------------------------------------------------- sections

FLEET = """
    | Ship | Built | Crew |
    |---|---|---|
    | TUGS | TUGS | TUGS |
    | Heron | 1998 | 6 |
    | Osprey | 2004 | 7 |
    | FERRIES | FERRIES | FERRIES |
    | Petrel | 2011 | 19 |
"""


def test_a_label_repeated_in_every_cell_is_the_group_of_the_rows_below() -> None:
    assert grouped(FLEET) == [("TUGS", ["Heron", "Osprey"]), ("FERRIES", ["Petrel"])]
    row_df = serialize_table_rows(lines(FLEET))
    assert row_df["row_serialized"].iloc[0] == "Ship: Heron | Built: 1998 | Crew: 6"
    assert places(row_df) == [(1, 4), (1, 5), (1, 7)]
    assert row_df["n_body_rows"].tolist() == [3, 3, 3]


def test_section_lines_keep_their_place_in_the_table() -> None:
    fleet = table(FLEET)
    assert fleet.groups == ["TUGS", "TUGS", "FERRIES"]
    roles = fleet.line_df[["line_num", "role", "row_index"]].to_numpy().tolist()
    assert roles == [
        [1, "header", -1],
        [2, "separator", -1],
        [3, "section", -1],
        [4, "row", 0],
        [5, "row", 1],
        [6, "section", -1],
        [7, "row", 2],
    ]
    assert "2 section rows" in " ".join(fleet.notes)


def test_strict_knows_no_sections() -> None:
    row_df = serialize_table_rows(lines(FLEET), strict=True)
    assert row_df["row_cells"].iloc[0] == ["TUGS", "TUGS", "TUGS"]
    assert set(row_df["row_group"]) == {""}


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("| Bolt | spare | 4 |\n| Nut | | |\n| Screw | used | 9 |", id="no data yet"),
        pytest.param("| Bolt | spare | 4 |\n| Nut | | |", id="last row"),
        pytest.param(
            "| Ash | 1 | 4 |\n| Birch | 2 | 5 |\n| Cedar | | |\n| Elm | 3 | 6 |\n| Fir | | |\n"
            "| Oak | 4 | 7 |",
            id="in alphabetical order",
        ),
        pytest.param("| x | 1 | 2 |\n| - | - | - |\n| y | 3 | 4 |", id="dashes"),
        pytest.param("| x | 1 | 2 |\n| n/a | n/a | n/a |\n| y | 3 | 4 |", id="n/a"),
        pytest.param("| x | 1 | 2 |\n| 0 | 0 | 0 |\n| y | 3 | 4 |", id="zeros"),
        pytest.param("| pass | pass | pass |\n| fail | pass | fail |", id="values of other rows"),
        pytest.param("| Bolt | 1 | 2 |\n| | spare parts | |\n| Nut | 3 | 4 |", id="other column"),
    ],
)
def test_a_row_that_may_be_data_stays_a_row(body: str) -> None:
    text = f"| Part | Note | Count |\n|---|---|---|\n{body}"
    printed = [[cell.strip() for cell in line[1:-1].split("|")] for line in body.split("\n")]
    assert rows(text) == printed
    assert set(table(text).groups) == {""}


def test_a_list_of_keys_and_values_has_no_sections_by_blanks_alone() -> None:
    text = "| Key | Value |\n|---|---|\n| Owner | |\n| Port | Arden |\n| Flag | |\n| Built | 1998 |"
    assert [cells[0] for cells in rows(text)] == ["Owner", "Port", "Flag", "Built"]


@pytest.mark.parametrize("label", ["Running costs:", "RUNNING COSTS", "**Running costs**"])
def test_in_two_columns_the_print_of_a_label_is_evidence(label: str) -> None:
    text = f"| Item | 2031 |\n|---|---|\n| Rent | 40 |\n| {label} | |\n| Fuel | 12 |\n| Crew | 31 |"
    assert grouped(text) == [("", ["Rent"]), (label.strip("*"), ["Fuel", "Crew"])]


def test_a_total_that_names_a_label_is_evidence_too() -> None:
    text = """
        | Item | 2031 |
        |---|---|
        | Running costs | |
        | Fuel | 12 |
        | Total running costs | 12 |
        | Result | 9 |
    """
    assert grouped(text) == [
        ("Running costs", ["Fuel", "Total running costs"]),
        ("", ["Result"]),
    ]


def test_labels_that_begin_again_are_told_apart_by_a_section() -> None:
    text = """
        | Item | 2031 | 2032 |
        |---|---|---|
        | Calls | 20 | 25 |
        | Tons | 11 | 12 |
        | Crew | 7 | 8 |
        | Staff | 3 | 4 |
        | Subsidiary | | |
        | Calls | 2 | 5 |
        | Tons | 1 | 2 |
    """
    assert grouped(text) == [
        ("", ["Calls", "Tons", "Crew", "Staff"]),
        ("Subsidiary", ["Calls", "Tons"]),
    ]


@pytest.mark.parametrize("label", ["Arden to", "Berths, sheds and", "Quays (north"])
def test_a_label_that_goes_on_in_the_next_row_is_no_section(label: str) -> None:
    text = f"""
        | Item | 2031 | 2032 | 2033 |
        |---|---|---|---|
        | {label} | | | |
        | cranes | 1 | 2 | 3 |
        | Staff | 3 | 4 | 5 |
    """
    assert grouped(text) == [("", [label, "cranes", "Staff"])]


def test_words_among_years_are_a_section() -> None:
    text = """
        | Year | Regatta | Place |
        |---|---|---|
        | Sailing for Norway | | |
        | 2019 | Kiel | second |
        | 2021 | Cowes | third |
    """
    assert grouped(text) == [("Sailing for Norway", ["2019", "2021"])]


# --------------------------------------------------------------------------- paths


def test_a_section_directly_below_a_section_is_deeper() -> None:
    text = """
        | Item | 2031 | 2032 |
        |---|---|---|
        | Assets: | | |
        | Current assets: | | |
        | Cash | 20 | 25 |
        | Total current assets | 20 | 25 |
        | Fixed assets: | | |
        | Cranes | 70 | 65 |
        | Total fixed assets | 70 | 65 |
        | Total assets | 90 | 90 |
        | Staff | 12 | 14 |
    """
    assert grouped(text) == [
        ("Assets: > Current assets:", ["Cash", "Total current assets"]),
        ("Assets: > Fixed assets:", ["Cranes", "Total fixed assets"]),
        ("Assets:", ["Total assets"]),
        ("", ["Staff"]),
    ]


def test_capitals_over_plain_labels_are_two_levels() -> None:
    text = """
        | Port | 2031 | 2032 |
        |---|---|---|
        | NORTH | | |
        | Dry cargo | | |
        | Arden | 1 | 2 |
        | Liquid cargo | | |
        | Birch | 3 | 4 |
        | SOUTH | | |
        | Bulk cargo | | |
        | Cole | 5 | 6 |
    """
    assert grouped(text) == [
        ("NORTH > Dry cargo", ["Arden"]),
        ("NORTH > Liquid cargo", ["Birch"]),
        ("SOUTH > Bulk cargo", ["Cole"]),
    ]


def test_a_label_said_twice_belongs_to_the_one_above_it() -> None:
    text = """
        | Port | 2031 | 2032 |
        |---|---|---|
        | Imports | | |
        | Arden | 1 | 2 |
        | By rail | | |
        | Birch | 3 | 4 |
        | Exports | | |
        | Arden | 5 | 6 |
        | By rail | | |
        | Birch | 7 | 8 |
    """
    assert [group for group, _ in grouped(text)] == [
        "Imports",
        "Imports > By rail",
        "Exports",
        "Exports > By rail",
    ]


def test_where_the_depth_is_unknown_the_last_label_alone_is_the_path() -> None:
    text = """
        | Port | 2031 | 2032 |
        |---|---|---|
        | Number of calls | | |
        | in thousands | | |
        | Arden | 1 | 2 |
        | Share of calls | | |
        | Birch | 3 | 4 |
    """
    assert grouped(text) == [
        ("Number of calls > in thousands", ["Arden"]),
        ("Share of calls", ["Birch"]),
    ]


@pytest.mark.parametrize("indent", ["   ", "&nbsp;&nbsp;", "\u2003", "- "])
def test_indented_labels_belong_to_the_row_above_them(indent: str) -> None:
    text = f"""
        | Item | 2031 |
        |---|---|
        | Assets | 90 |
        | {indent}Current assets | 20 |
        | {indent}{indent}Cash | 15 |
        | {indent}{indent}Stock | 5 |
        | {indent}Cranes | 70 |
        | Staff | 12 |
    """
    assert [group for group, _ in grouped(text)] == [
        "",
        "Assets",
        "Assets > Current assets",
        "Assets",
        "",
    ]


def test_labels_set_flush_right_are_not_indented() -> None:
    text = "|  Item | 2031 |\n|---|---|\n| Cargo | 90 |\n|  Rail | 20 |\n|   Sea | 15 |"
    assert [group for group, _ in grouped(text)] == [""]


def test_a_row_of_sums_without_a_label_ends_its_section() -> None:
    text = """
        | Item | 2031 | 2032 |
        |---|---|---|
        | Short-term deposits: | | |
        | Bonds | 5 | 6 |
        | Notes due | 7 | 8 |
        | | 12 | 14 |
        | Restricted cash | 3 | 3 |
    """
    assert grouped(text) == [
        ("Short-term deposits:", ["Bonds", "Notes due", ""]),
        ("", ["Restricted cash"]),
    ]


def test_the_total_in_the_last_row_is_of_the_whole_table() -> None:
    text = FLEET + "    | Total | | 32 |\n"
    assert grouped(text)[-1] == ("", ["Total"])


# --------------------------------------------------------------------------- spans


def test_a_span_is_filled_column_by_column_and_noted() -> None:
    text = """
        | Year | Quarter | Month | Tons |
        |---|---|---|---|
        | 2031 | Q1 | January | 134 |
        | | | February | 150 |
        | | Q2 | April | 210 |
        | 2032 | Q1 | January | 137 |
    """
    assert rows(text) == [
        ["2031", "Q1", "January", "134"],
        ["2031", "Q1", "February", "150"],
        ["2031", "Q2", "April", "210"],
        ["2032", "Q1", "January", "137"],
    ]
    assert "Year carried down into 2 rows." in table(text).notes
    row_df = serialize_table_rows(lines(text))
    assert row_df["row_serialized"].iloc[1] == (
        "Year: 2031 | Quarter: Q1 | Month: February | Tons: 150"
    )


def test_a_total_of_each_group_is_filled_and_one_at_the_end_is_not() -> None:
    head = "| Region | City | Pop |\n|---|---|---|\n| North | Arden | 12 |\n| | Birch | 9 |\n"
    assert rows(f"{head}| | Total | 21 |") == [
        ["North", "Arden", "12"],
        ["North", "Birch", "9"],
        ["", "Total", "21"],
    ]
    south = "| | Total | 21 |\n| South | Cole | 7 |\n| | Total | 7 |"
    assert [cells[0] for cells in rows(head + south)] == ["North"] * 3 + ["South"] * 2


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("| Bolt | spare | 4 |\n| Nut | | 9 |", id="value column"),
        pytest.param("| Bolt | 3 | 4 |\n| | 9 | 2 |", id="figures beside the blank"),
        pytest.param("| | North | 4 |\n| Bolt | Arden | 2 |\n| | Birch | 5 |", id="blank at first"),
        pytest.param("| Bolt | kept dry | |\n| | and cool | |", id="second line of text"),
        pytest.param(
            "| A | x | 1 |\n| B | y | 2 |\n| C | z | 3 |\n| | w | 4 |\n| D | v | 5 |\n"
            "| E | u | 6 |",
            id="one gap in many rows",
        ),
        pytest.param("| A | x | 1 |\n| A | y | 2 |\n| | z | 3 |", id="labels printed each time"),
    ],
)
def test_a_blank_that_may_be_meant_stays_blank(body: str) -> None:
    text = f"| Part | Note | Count |\n|---|---|---|\n{body}"
    printed = [[cell.strip() for cell in line[1:-1].split("|")] for line in body.split("\n")]
    assert rows(text) == printed


def test_no_label_is_carried_over_a_section() -> None:
    text = """
        | Area | City | Pop |
        |---|---|---|
        | North | Arden | 12 |
        | | Birch | 9 |
        | COAST | COAST | COAST |
        | | Cole | 7 |
        | South | Dale | 5 |
        | | Elm | 4 |
    """
    assert [cells[0] for cells in rows(text)] == ["North", "North", "", "South", "South"]


# --------------------------------------------------------------------------- cut rows


def test_a_row_cut_by_the_page_break_is_one_row() -> None:
    text = """
        | No | Duty | Days |
        |---|---|---|
        | R7 | the valve must be | 12 |
        === 2
        | | checked every year | |
        | R8 | hoses renewed | 30 |
    """
    assert rows(text) == [
        ["R7", "the valve must be checked every year", "12"],
        ["R8", "hoses renewed", "30"],
    ]
    duties = table(text)
    body = duties.line_df[duties.line_df["role"] == "row"]
    assert body[["page_num", "row_index"]].to_numpy().tolist() == [[1, 0], [2, 0], [2, 1]]
    assert "page 2" in " ".join(duties.notes)
    assert places(serialize_table_rows(lines(text))) == [(1, 3), (2, 2)]


@pytest.mark.parametrize(
    ("upper", "lower"),
    [
        ("| R7 | The valve is checked. | 12 |", "| | hoses too | |"),
        ("| R7 | valve | 12 |", "| | Hoses | |"),
        ("| R7 | valve | 12 |", "| | | 14 |"),
        ("| R7 | | 12 |", "| | and hoses | |"),
    ],
)
def test_what_does_not_read_on_is_a_row_of_its_own(upper: str, lower: str) -> None:
    text = f"| No | Duty | Days |\n|---|---|---|\n{upper}\n=== 2\n{lower}\n| R8 | pump | 30 |"
    assert len(rows(text)) == 3


def test_a_row_over_three_pages_is_one_row() -> None:
    text = """
        | No | Duty | Days |
        |---|---|---|
        | R7 | the valve must be | 12 |
        === 2
        | | checked by hand | |
        === 3
        | | every year | |
        | R8 | hoses renewed | 30 |
    """
    assert rows(text)[0] == ["R7", "the valve must be checked by hand every year", "12"]


# --------------------------------------------------------------------------- notes


@pytest.mark.parametrize(
    "note", ["* estimated", "† by rail only", "1) without transit", "Source: harbour board"]
)
def test_notes_at_the_end_are_caption_and_no_rows(note: str) -> None:
    text = f"Table 4. Calls\n| Port | Tons |\n|---|---|\n| Arden | 12 |\n| {note} | |"
    calls = table(text)
    assert calls.rows == [["Arden", "12"]]
    assert calls.footnotes == (note,)
    assert calls.caption == f"Table 4. Calls {note}"
    assert calls.line_df["role"].tolist()[-1] == "note"
    assert calls.markdown.endswith(f"|{note}||")


def test_a_list_that_numbers_its_rows_keeps_the_last_one() -> None:
    text = "| Duty | Days |\n|---|---|\n| 1) valves | 12 |\n| 2) hoses | 30 |\n| 3) pumps | |"
    assert [cells[0] for cells in rows(text)] == ["1) valves", "2) hoses", "3) pumps"]


def test_a_marked_row_with_values_is_never_a_note() -> None:
    text = "| Port | Tons |\n|---|---|\n| Arden | 12 |\n| * Birch | 9 |"
    assert len(rows(text)) == 2


# --------------------------------------------------------------------------- whole tables


def test_a_widened_table_keeps_its_section_labels() -> None:
    line_df = lines(FLEET)
    found = retrieve("Which ships are there?", line_df, serialize_table_rows(line_df))
    expected = [
        "|Ship|Built|Crew|",
        "|---|---|---|",
        "|TUGS|||",
        "|Heron|1998|6|",
        "|Osprey|2004|7|",
        "|FERRIES|||",
        "|Petrel|2011|19|",
    ]
    assert found.context.split("\n") == expected
    assert found.citations == [(1, 4), (1, 5), (1, 7)]
    assert table(FLEET).markdown.split("\n") == expected


def test_a_row_that_heads_its_group_is_not_said_twice() -> None:
    markdown = table_to_markdown(
        ["Item", "2031"], [["Assets", "90"], ["Cash", "15"]], ["", "Assets"]
    )
    assert markdown.split("\n")[2:] == ["|Assets|90|", "|Cash|15|"]


def test_a_group_answers_for_its_rows() -> None:
    line_df = lines(FLEET)
    found = retrieve("What is the crew of the ferries?", line_df, serialize_table_rows(line_df))
    assert [cells[0] for cells in found.matches["row_cells"]] == ["Petrel"]


# --------------------------------------------------------------------------- whatever the body

WIDTH = 4
_LABELS = ["Region {}", "PART {}", "Costs {}:", "Total {}", "* note {}", "by rail {}", "   Deep {}"]
_VALUES = ["city {}", "1{}", "until the {}", ""]


@st.composite
def _bodies(draw: st.DrawFn) -> pd.DataFrame:
    """A table with one header line whose body holds every odd row there is, each text once."""
    numbered = [(1, 1, pipe_row(["A", "B", "C", "D"])), (1, 2, "|---|---|---|---|")]
    page, line = 1, 2
    for at in range(draw(st.integers(1, 12))):
        if draw(st.integers(0, 5)) == 0:
            page, line = page + 1, 0
        line += 1
        mark = [f"{at}{column}" for column in range(WIDTH)]
        label = draw(st.sampled_from(_LABELS)).format(mark[0])
        kind = draw(st.sampled_from(["row", "row", "row", "alone", "same", "unnamed"]))
        values = [draw(st.sampled_from(_VALUES)).format(text) for text in mark[1:]]
        cells = {
            "row": [label, *values],
            "alone": [label, "", "", ""],
            "same": [label] * WIDTH,
            "unnamed": ["", *values],
        }[kind]
        numbered.append((page, line, pipe_row(cells)))
    return line_frame(numbered)


def _printed(line_df: pd.DataFrame) -> dict[tuple[int, int], list[str]]:
    cells = [[cell.strip() for cell in text[1:-1].split("|")] for text in line_df["text"]]
    keys = zip(line_df["page_num"], line_df["line_num"], strict=True)
    return dict(list(zip(keys, cells, strict=True))[2:])


@given(_bodies())
def test_no_text_of_a_body_is_lost(line_df: pd.DataFrame) -> None:
    row_df = serialize_table_rows(line_df, header_rows={"t1": 1})
    kept = " ".join(
        [*row_df["row_cells"].explode().astype(str), *row_df["row_group"], *row_df["caption"]]
    )
    for cells in _printed(line_df).values():
        for cell in cells:
            assert len(row_df) == 0 or cell in kept


@given(_bodies())
def test_a_row_holds_what_was_printed_in_its_columns_and_labels_from_above(
    line_df: pd.DataFrame,
) -> None:
    printed = _printed(line_df)
    order = list(printed)
    row_df = serialize_table_rows(line_df, header_rows={"t1": 1})
    for place, cells in zip(places(row_df), row_df["row_cells"], strict=True):
        at = order.index(place)
        for column, (before, cell) in enumerate(zip(printed[place], cells, strict=True)):
            below = printed[order[at + 1]][column] if at + 1 < len(order) else ""
            above = [printed[earlier][column] for earlier in order[:at]]
            if before:
                assert cell in (before, f"{before} {below}")
            else:
                assert cell == "" or cell in above


@given(_bodies())
def test_reading_the_markdown_again_loses_nothing(line_df: pd.DataFrame) -> None:
    [first] = read_tables(line_df, header_rows={"t1": 1})
    filled = line_frame(
        (1, at, text) for at, text in enumerate(first.markdown.split("\n"), start=1)
    )
    [again] = read_tables(filled, header_rows={"t1": 1})
    texts = {cell for row in again.rows for cell in row} | set(again.footnotes)
    told = texts | {label for group in again.groups for label in [group, *group.split(" > ")]}
    assert {cell for row in first.rows for cell in row if cell} <= told


NOT_CARRIED = {
    "a sum of figures alone": """
        | Sector | Jobs | Share |
        |---|---|---|
        | Farming | 400 | 4.0 |
        | Mining | 120 | 1.2 |
        | | 520 | 5.2 |
    """,
    "the foot of an invoice": """
        | Item | Qty | Price | Sum |
        |---|---|---|---|
        | Desk | 2 | 150.00 | 300.00 |
        | Chair | 4 | 60.00 | 240.00 |
        | | | Net | 540.00 |
        | | | VAT | 102.60 |
    """,
    "a mark that is printed again": """
        | Open | Ticket | Days |
        |---|---|---|
        | yes | T-1 | 2 |
        | | T-2 | 7 |
        | yes | T-3 | 1 |
        | | T-4 | 9 |
    """,
}


@pytest.mark.parametrize("text", NOT_CARRIED.values(), ids=NOT_CARRIED.keys())
def test_a_blank_that_is_no_span_stays_blank(text: str) -> None:
    line_df = lines(text)
    [table] = read_tables(line_df)
    printed = [line.strip().strip("|").split("|") for line in line_df["text"][2:]]
    assert [row[0] for row in table.rows] == [cells[0].strip() for cells in printed]


def test_a_sum_within_a_group_takes_the_group_and_no_inner_label() -> None:
    [table] = read_tables(
        lines("""
            | Region | City | Shops | Sales |
            |---|---|---|---|
            | North | Alba | 4 | 40 |
            | | Bria | 6 | 60 |
            | | | 10 | 100 |
            | South | Cora | 3 | 30 |
            | | Dima | 5 | 50 |
            | | | 8 | 80 |
        """)
    )
    assert [row[:2] for row in table.rows] == [
        ["North", "Alba"],
        ["North", "Bria"],
        ["North", ""],
        ["South", "Cora"],
        ["South", "Dima"],
        ["South", ""],
    ]
