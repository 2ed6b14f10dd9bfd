"""HTML tables in line_df are read like pipe tables (contract section 5): lines in, tables out."""

from __future__ import annotations

import pytest

from core import read_tables, serialize_table_rows
from core.tables.html_grid import Cell, spread_spans
from tests.frames import line_frame, lines, places

QUAYS = """
    <table>
    <caption>Table 4. Quays</caption>
    <thead>
    <tr>
    <th>Quay</th>
    <th>Ship</th>
    </tr>
    </thead>
    <tbody>
    <tr>
    <td>North</td>
    <td>Aurora</td>
    </tr>
    <tr>
    <td>South</td>
    <td>Borealis</td>
    </tr>
    </tbody>
    </table>
"""


def table(html: str) -> tuple[list[str], list[list[str]]]:
    [read] = read_tables(lines(html))
    return read.headers, read.rows


def notes(text: str) -> str:
    return " ".join(note for read in read_tables(lines(text)) for note in read.notes)


def test_each_row_is_cited_by_the_line_its_tr_stands_on() -> None:
    row_df = serialize_table_rows(lines(QUAYS, page=3))
    assert row_df["row_serialized"].tolist() == [
        "Quay: North | Ship: Aurora",
        "Quay: South | Ship: Borealis",
    ]
    assert places(row_df) == [(3, 10), (3, 14)]
    assert row_df["caption"].tolist() == ["Table 4. Quays"] * 2


def test_several_tables_may_stand_on_one_line() -> None:
    row_df = serialize_table_rows(
        lines(
            "See <table border='1'><tr><th>A</th><th>B</th></tr><tr><td>x</td><td>1</td></tr>"
            "</table> and <TABLE><TR><TH>C</TH></TR><TR><TD>y</TD></TR></TABLE> below."
        )
    )
    assert row_df["row_serialized"].tolist() == ["A: x | B: 1", "C: y"]
    assert row_df["table_id"].tolist() == ["t1", "t2"]
    assert places(row_df) == [(1, 1), (1, 1)]


def test_a_row_has_the_box_of_all_its_lines() -> None:
    line_df = lines("""
        <table><tr><th>A</th><th>B</th></tr>
        <tr><td>x</td>
        <td>1</td></tr>
        </table>
    """)
    line_df = line_df.assign(x0=[10.0, 20, 15, 10], y0=[0.0, 20, 40, 60])
    line_df = line_df.assign(x1=line_df["x0"] + 50, y1=line_df["y0"] + 10)
    row_df = serialize_table_rows(line_df.iloc[:3])
    assert row_df[["x0", "y0", "x1", "y1"]].to_numpy().tolist() == [[15.0, 20.0, 70.0, 50.0]]


def test_the_lines_of_a_row_are_told_by_role() -> None:
    [read] = read_tables(lines(QUAYS))
    told = read.line_df[["line_num", "role", "row_index"]]
    rows = told[told["role"] == "row"]
    assert rows["line_num"].tolist() == [*range(10, 14), *range(14, 20)]
    assert rows["row_index"].tolist() == [0] * 4 + [1] * 6
    assert "separator" not in told["role"].tolist()


# --------------------------------------------------------------------------- headers


def test_spans_are_repeated_in_the_slots_they_cover() -> None:
    assert table("""
        <table>
        <tr><th rowspan="2">Port</th><th colspan="2">Tons</th></tr>
        <tr><th>2031</th><th>2032</th></tr>
        <tr><td rowspan="2">Arden</td><td>4</td><td>5</td></tr>
        <tr><td>6</td><td>7</td></tr>
        </table>
    """) == (["Port", "Tons 2031", "Tons 2032"], [["Arden", "4", "5"], ["Arden", "6", "7"]])


def test_row_labels_in_th_are_no_header() -> None:
    assert table("""
        <table>
        <tr><td></td><th>Plan</th><th>Actual</th></tr>
        <tr><th>Fuel</th><td>12</td><td>14</td></tr>
        </table>
    """) == (["", "Plan", "Actual"], [["Fuel", "12", "14"]])


def test_without_header_cells_the_first_row_is_the_header_as_in_a_pipe_table() -> None:
    html = "<table><tr><td>Name</td><td>Age</td></tr><tr><td>Okoro</td><td>41</td></tr></table>"
    assert table(html) == (["Name", "Age"], [["Okoro", "41"]])
    assert "No cell is marked as a header" in notes(html)


def test_a_lone_row_of_values_stays_a_row() -> None:
    assert table("<table><tr><td>Total</td><td>5</td></tr></table>") == (
        ["", ""],
        [["Total", "5"]],
    )


def test_a_table_of_header_cells_alone_keeps_its_rows() -> None:
    html = "<table><tr><th>A</th><th>B</th></tr><tr><th>x</th><th>1</th></tr></table>"
    assert table(html) == (["A", "B"], [["x", "1"]])


def test_one_cell_over_all_columns_is_no_column_more() -> None:
    [read] = read_tables(
        lines(
            "<table><tr><th>Item</th><th>Tons</th></tr><tr><td colspan='99'>FREIGHT</td></tr>"
            "<tr><td>Coal</td><td>22</td></tr></table>"
        )
    )
    assert read.headers == ["Item", "Tons"]
    assert read.rows[-1] == ["Coal", "22"]


# --------------------------------------------------------------------------- cells


@pytest.mark.parametrize(
    ("printed", "content"),
    [
        ("a<br>b", "a b"),
        ("<p>a</p><p>b</p>", "a b"),
        ("x<sup>2</sup>", "x2"),
        ("<b>Total</b>", "Total"),
        ("R&amp;D &#124; x", "R&D | x"),
        ("&amp;lt;", "&lt;"),
        ("p<0.05", "p<0.05"),
        ("x<y and z>w", "x<y and z>w"),
        ("a<!-- not shown -->b", "ab"),
        ("in\n  two   lines", "in two lines"),
        ("nul\x00l&nbsp;x", "null x"),
        ("| a | b |", "| a | b |"),
        (r"C:\data **x**", r"C:\data **x**"),
        ("&undefined;", "&undefined;"),
    ],
)
def test_cells_hold_what_a_browser_shows(printed: str, content: str) -> None:
    html = f"<table><tr><th>A</th><th>B</th></tr><tr><td>{printed}</td><td>7</td></tr></table>"
    df = line_frame([(1, at, text) for at, text in enumerate(html.split("\n"), start=1)])
    assert serialize_table_rows(df)["row_cells"].tolist() == [[content, "7"]]


def test_pipe_rows_within_a_cell_are_its_text() -> None:
    assert table("""
        <table><tr><th>A</th><th>B</th></tr><tr><td>
        | x | y |
        |---|---|
        </td><td>1</td></tr></table>
    """) == (["A", "B"], [["| x | y | |---|---|", "1"]])


def test_a_nested_table_is_text_of_its_cell() -> None:
    assert table("""
        <table><tr><th>Part</th><th>Fees</th></tr>
        <tr><td>Port</td><td>per <table><tr><td>Day</td><td>10</td></tr></table> paid</td></tr>
        </table>
    """) == (["Part", "Fees"], [["Port", "per Day 10 paid"]])


def test_end_tags_may_be_left_out() -> None:
    assert table("<table><tr><th>A<th>B<tr><td>x<td>1<tr><td>y<td>2</table>") == (
        ["A", "B"],
        [["x", "1"], ["y", "2"]],
    )


def test_short_rows_are_filled_up_on_the_right() -> None:
    html = "<table><tr><th>A</th><th>B</th></tr><tr><td>x</td></tr><tr></tr></table>"
    assert table(html) == (["A", "B"], [["x", ""]])


# --------------------------------------------------------------------------- borders

HALVES = """
    <table>
    <tr><th>Code</th><th>City</th></tr>
    <tr><td>A1</td><td>Oslo</td></tr>
    </table>

    <!-- PageNumber="7" -->
    <!-- PageBreak -->
    === 2
    <!-- PageHeader="Harbour board" -->

    <table>
    {second}
    </table>
"""


@pytest.mark.parametrize("repeat", ["", "<tr><th>Code</th><th>City</th></tr>"])
def test_a_table_goes_on_over_a_page_break(repeat: str) -> None:
    text = HALVES.format(second=f"{repeat}<tr><td>A2</td><td>Bergen</td></tr>")
    row_df = serialize_table_rows(lines(text))
    assert row_df["row_serialized"].tolist() == [
        "Code: A1 | City: Oslo",
        "Code: A2 | City: Bergen",
    ]
    assert places(row_df) == [(1, 3), (2, 4)]
    assert "page furniture" in notes(text)


def test_another_header_on_the_next_page_begins_another_table() -> None:
    second = "<tr><th>Valve</th><th>Size</th></tr><tr><td>V1</td><td>2</td></tr>"
    row_df = serialize_table_rows(lines(HALVES.format(second=second)))
    assert row_df["row_serialized"].tolist() == ["Code: A1 | City: Oslo", "Valve: V1 | Size: 2"]


def test_tables_that_touch_on_one_page_stay_two() -> None:
    text = """
        <table><tr><th>A</th><th>B</th></tr><tr><td>x</td><td>1</td></tr></table>
        <table><tr><td>y</td><td>2</td></tr><tr><td>z</td><td>3</td></tr></table>
        | C | D |
        |---|---|
        | v | 4 |
    """
    assert [read.rows[0] for read in read_tables(lines(text))][::2] == [["x", "1"], ["v", "4"]]
    assert len(read_tables(lines(text))) == 3


def test_a_table_never_closed_swallows_nothing() -> None:
    row_df = serialize_table_rows(
        lines("""
            <table><tr><th>A</th><th>B</th></tr>
            <tr><td>x</td><td>1
            Prose, and a table of its own.
            | C | D |
            |---|---|
            | y | 2 |
            <table><tr><th>E</th></tr><tr><td>z</td></tr></table>
        """)
    )
    assert row_df["row_serialized"].tolist() == ["A: x | B: 1", "C: y | D: 2", "E: z"]


@pytest.mark.parametrize(
    "text",
    [
        "The <table> element holds rows.",
        "<table></table>",
        "<tablet>a</tablet>",
        "&lt;table&gt;&lt;tr&gt;",
        "```\n<table><tr><td>a</td><td>1</td></tr></table>\n```",
    ],
)
def test_what_holds_no_row_is_no_table(text: str) -> None:
    assert read_tables(lines(text)) == []


def test_strict_reads_no_html() -> None:
    assert read_tables(lines(QUAYS), strict=True) == []


# --------------------------------------------------------------------------- hostile input


def test_spans_that_would_fill_memory_are_left_out() -> None:
    rows = "<tr><td colspan='1000' rowspan='65534'>abcdefgh</td></tr>" * 500
    text = f"<table><tr><th>A</th></tr>{rows}</table>"
    row_df = serialize_table_rows(lines(text))
    assert len(row_df) == 500
    assert row_df["row_cells"].map(len).max() == 1


def test_a_span_adds_no_rows_and_ends_with_its_group() -> None:
    rows = [[Cell("a", rowspan=65534), Cell("1")], [Cell("2")], [Cell("b"), Cell("3")]]
    grid = spread_spans(rows, ["head", "head", "body"], most_repeated=100)
    assert grid.rows == [["a", "1"], ["a", "2"], ["b", "3"]]


def test_a_rowspan_of_nought_reaches_to_the_end_of_its_group() -> None:
    rows = [[Cell("a", rowspan=0), Cell("1")], [Cell("2")], [Cell("3")]]
    grid = spread_spans(rows, [0, 0, 0], most_repeated=100)
    assert grid.rows == [["a", "1"], ["a", "2"], ["a", "3"]]


def test_bottomless_nesting_stays_text() -> None:
    html = "<table><tr><td>" * 3_000 + "x" + "</td></tr></table>" * 3_000
    assert read_tables(lines(html)) == []


def test_entities_of_the_document_are_not_expanded() -> None:
    [read] = read_tables(
        lines(
            '<!DOCTYPE t [<!ENTITY a "lol"><!ENTITY b SYSTEM "file:///etc/passwd">]>'
            "<table><tr><th>A</th></tr><tr><td>&a;&b;</td></tr></table>"
        )
    )
    assert read.rows == [["&a;&b;"]]
