"""What looks wrong with a table: for each rule the smallest table that it is true of, and the
nearest one that it is not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from core import Table, lint_tables, read_tables
from core.library import SAMPLES, Library, Request
from core.lint import SEVERITIES, Lint, lint_table, worst_severity
from tests.frames import lines
from tests.strategies import PrintedDocument, line_frames, printed_documents

BERTHS = """
    | Berth | Ship | Draught |
    |---|---|---|
    | North quay | Aurora | 7.1 |
    | South quay | Borealis | 8.4 |
"""
LONG = "The keeper of the lock may refuse any ship whose papers are not in order on that day"
PAGES = pd.DataFrame({"page_num": [1, 2], "width": 595.0, "height": 842.0, "rotation": 0})


def lints(text: str) -> list[Lint]:
    """Findings on a page without boxes, that remark left out."""
    return [lint for lint in lint_tables(read_tables(lines(text))) if lint.code != "no-boxes"]


def said(text: str) -> list[tuple[str, str]]:
    return [(lint.severity, lint.code) for lint in lints(text)]


def only(text: str) -> Lint:
    found = lints(text)
    assert len(found) == 1
    return found[0]


# --------------------------------------------------------------------------- clean tables


@pytest.mark.parametrize("doc_id", [sample.doc_id for sample in SAMPLES])
def test_the_samples_raise_no_alarm(doc_id: str) -> None:
    document = Library().parsed(Request(doc_id))
    tables = read_tables(document.line_df)
    assert tables
    assert lint_tables(tables, document.page_df) == []


@pytest.mark.parametrize(
    "text",
    [
        BERTHS,
        # years, quarters, rounds, classes and thresholds are labels
        """
        | Quay | 2029 | 2030 | 2031 |
        |---|---|---|---|
        | North | 71 | 74 | 80 |
        | South | 55 | 50 | 61 |
        """,
        """
        | Quay | FY24 | Q1 | Q2 |
        |---|---|---|---|
        | North | 71 | 74 | 80 |
        | South | 55 | 50 | 61 |
        """,
        """
        | Crew | 1 | 2 | 3 |
        |---|---|---|---|
        | Red | 4 | 3 | 5 |
        | Blue | 3 | 4 | 4 |
        """,
        """
        | Quay | 0-9 t | 10-19 t | 20 |
        |---|---|---|---|
        | North | 4 | 3 | 5 |
        | South | 3 | 4 | 4 |
        """,
        # a blank corner over the row labels
        """
        | | Ships | Tons |
        |---|---|---|
        | North | 12 | 300 |
        | South | 31 | 250 |
        """,
        # a glossary of full sentences under short labels
        f"""
        | Term | Meaning |
        |---|---|
        | Lock | {LONG}. |
        | Quay | {LONG} or the day after. |
        """,
        # a value and its deviation, and numbers printed with spaces
        """
        | Quay | Depth | Width |
        |---|---|---|
        | North | 7.1 (0.2) | 12 500 |
        | South | 8.4 (0.1) | 1 250 000 |
        """,
    ],
)
def test_a_clean_table_raises_no_alarm(text: str) -> None:
    assert said(text) == []


# --------------------------------------------------------------------------- labels


def test_a_table_without_labels() -> None:
    table = """
        |---|---|
        | North quay | 7.1 |
        | South quay | 8.4 |
    """
    assert ("warning", "no-labels") in said(table)


def test_a_list_of_keys_and_values_needs_no_labels() -> None:
    keys = """
        | Harbour: | Lowport |
        |---|---|
        | Depth: | 7.1 m |
        | Lock: | north |
        | Keeper: | Ada |
    """
    tables = read_tables(lines(keys))
    assert tables[0].header.rule == "key-value"
    assert said(keys) == []


def test_a_column_of_values_without_a_label() -> None:
    found = only("""
        | Berth | Ship | | Length |
        |---|---|---|---|
        | North quay | Aurora | 7.1 | 90 |
        | South quay | Borealis | 8.4 | 84 |
    """)
    assert (found.severity, found.code, found.column) == ("warning", "empty-label", 2)
    assert (found.role, found.line_num) == ("header", 1)
    assert found.message == "1 column of 4 with values has no label: column 3."


def test_a_column_of_units_needs_no_label() -> None:
    assert (
        said("""
        | Berth | Ship | Draught | |
        |---|---|---|---|
        | North quay | Aurora | 7.1 | m |
        | South quay | Borealis | 8.4 | m |
    """)
        == []
    )


def test_two_columns_of_one_name() -> None:
    found = only("""
        | Berth | Fee | fee |
        |---|---|---|
        | North quay | 71 | 12 |
        | South quay | 84 | 15 |
    """)
    assert (found.severity, found.code, found.count) == ("warning", "duplicate-labels", 2)
    assert found.message == "2 columns are called 'Fee': columns 2, 3."


def test_a_blank_column_of_the_same_name_is_no_rival() -> None:
    table = """
        | Berth | Fee | Fee |
        |---|---|---|
        | North quay | 71 | |
        | South quay | 84 | |
    """
    assert "duplicate-labels" not in [code for _, code in said(table)]


@pytest.mark.parametrize("made_up", ["Col2", "Unnamed: 1", "nan"])
def test_a_label_that_the_parser_made_up(made_up: str) -> None:
    table = f"""
        | Berth | {made_up} | Draught |
        |---|---|---|
        | North quay | Aurora | 7.1 |
        | South quay | Borealis | 8.4 |
    """
    # Where the reading has blanked it, the column is one without a label.
    assert {code for _, code in said(table)} & {"placeholder-label", "empty-label"}


def test_a_label_of_its_own_that_ends_in_a_number() -> None:
    assert (
        said("""
        | Berth | Phase 2 | Draught |
        |---|---|---|
        | North quay | Aurora | 7.1 |
        | South quay | Borealis | 8.4 |
    """)
        == []
    )


# --------------------------------------------------------------------------- the header


def test_one_label_that_is_a_number() -> None:
    found = only("""
        | Berth | Ship | 12.5 |
        |---|---|---|
        | North quay | Aurora | 7.1 |
        | South quay | Borealis | 8.4 |
    """)
    assert (found.severity, found.code, found.column) == ("warning", "numeric-label", 2)


def test_a_row_taken_for_the_header() -> None:
    found = only("""
        | West quay | 6.5 | 1,200 |
        |---|---|---|
        | North quay | 7.1 | 1,400 |
        | South quay | 8.4 | 950 |
    """)
    assert (found.severity, found.code, found.count) == ("error", "header-is-data", 2)


def test_a_header_of_values_of_its_columns() -> None:
    found = only("""
        | Ada Lund | Harbour board | yes |
        |---|---|---|
        | Bo Falk | Harbour board | yes |
        | Cy Holm | Pilots | no |
        | Di Berg | Pilots | yes |
    """)
    assert (found.severity, found.code) == ("error", "header-is-data")


def test_a_label_that_one_row_repeats_is_no_data() -> None:
    assert (
        said("""
        | Name | Board | Vote |
        |---|---|---|
        | Bo Falk | Board | yes |
        | Cy Holm | Pilots | no |
    """)
        == []
    )


def test_a_second_header_line_left_in_the_body() -> None:
    # By hand: what the reading would fold by itself.
    tables = read_tables(
        lines("""
        | Quay | Depth | |
        |---|---|---|
        | | low tide | high tide |
        | North | 7.1 | 9.0 |
        | South | 8.4 | 10.1 |
    """),
        header_rows={"t1": 1},
    )
    found = lint_tables(tables)
    assert found[0].code == "unfolded-sub-header"
    assert (found[0].severity, found[0].row_index, found[0].role) == ("error", 0, "row")
    assert [lint.code for lint in found if lint.severity == "info"] == [
        "no-boxes",
        "header-by-hand",
    ]


def test_a_first_row_of_words_among_rows_of_words_is_a_row() -> None:
    assert (
        said("""
        | Lock | Keeper | Deputy |
        |---|---|---|
        | north | Ada | Bo |
        | south | Cy | Di |
    """)
        == []
    )


def test_a_header_printed_again_in_the_body() -> None:
    found = only("""
        | Berth | Ship | Draught |
        |---|---|---|
        | North quay | Aurora | 7.1 |
        | BERTH | SHIP | DRAUGHT |
        | South quay | Borealis | 8.4 |
    """)
    assert (found.code, found.row_index, found.line_num) == ("repeated-header", 1, 4)
    assert found.message == "1 row of 3 repeats the header."


def test_a_header_that_no_separator_marks() -> None:
    table = """
        | Berth | Ship | Draught |
        | North quay | Aurora | 7.1 |
        | South quay | Borealis | 8.4 |
    """
    assert said(table) == [("info", "weak-header")]


# --------------------------------------------------------------------------- rows


def test_values_beyond_the_labels() -> None:
    found = only("""
        | Berth | Draught |
        |---|---|
        | North quay | 7.1 |
        | South quay | 8.4 | 12 |
    """)
    assert (found.severity, found.code) == ("error", "values-without-label")
    assert (found.row_index, found.column, found.line_num) == (1, 2, 4)


def test_a_blank_cell_beyond_the_labels_is_no_value() -> None:
    assert (
        said("""
        | Berth | Draught |
        |---|---|
        | North quay | 7.1 |
        | South quay | 8.4 | |
    """)
        == []
    )


def test_a_row_with_fewer_cells() -> None:
    found = only("""
        | Berth | Ship | Draught |
        |---|---|---|
        | North quay | Aurora | 7.1 |
        | South quay | 8.4 |
    """)
    assert (found.severity, found.code, found.row_index) == ("warning", "short-rows", 1)


def test_an_escaped_bar_is_no_cell_and_a_blank_one_is() -> None:
    assert (
        said(r"""
        | Berth | Ship | Draught |
        |---|---|---|
        | North quay | Aurora \| Borealis | 7.1 |
        | South quay | Cygnus | |
        | West quay | `a|b` | 6.5 |
    """)
        == []
    )
    shorter = r"""
        | Berth | Ship | Draught |
        |---|---|---|
        | North quay | Aurora | 7.1 |
        | South quay | Cygnus \| Dorado |
    """
    assert said(shorter) == [("warning", "short-rows")]


def test_rows_as_wide_as_the_labels_are_not_short_beside_a_wider_one() -> None:
    assert said("""
        | Berth | Fee | Fine |
        |---|---|---|
        | North quay | 71 | 12 |
        | West quay | 70 | |
        | South quay | 84 | 15 | 5 |
    """) in ([("warning", "empty-label")], [("error", "values-without-label")])


def test_no_row_and_one_row() -> None:
    none = "| Berth | Draught |\n|---|---|"
    assert said(none) == [("warning", "no-rows")]
    assert said(none + "\n| North quay | 7.1 |") == [("info", "one-row")]
    assert said(none + "\n| North quay | 7.1 |\n| South quay | 8.4 |") == []


def test_a_row_with_one_filled_cell() -> None:
    found = only("""
        | Berth | Ship | Draught | Length |
        |---|---|---|---|
        | North quay | Aurora | 7.1 | 90 |
        | South quay | Borealis | 8.4 | 84 |
        | | | metres | |
        | West quay | Cygnus | 6.5 | 70 |
        | East quay | Dorado | 6.1 | 66 |
    """)
    assert (found.severity, found.code, found.row_index) == ("info", "lone-cells", 2)


def test_a_row_that_goes_on_with_the_cell_above() -> None:
    def table(rest: str) -> str:
        return f"""
            | Berth | Duty | Draught |
            |---|---|---|
            | North quay | Keep the lock, and light | 7.1 |
            | | {rest} | |
            | South quay | Sound the horn | 8.4 |
        """

    assert ("warning", "cut-rows") in said(table("the lamps at dusk"))
    assert "cut-rows" not in [code for _, code in said(table("Trim the wicks"))]


def test_several_rows_in_one() -> None:
    found = only("""
        | Berth | Draught | Length |
        |---|---|---|
        | North quay | 7.1 | 90 |
        | South quay West quay | 8.4 6.5 | 84 70 |
        | East quay | 6.1 | 66 |
    """)
    assert (found.severity, found.code, found.row_index) == ("error", "merged-rows", 1)
    assert found.message == "1 row of 3 seems to be several in one."


def test_several_rows_in_one_by_line_breaks() -> None:
    found = only("""
        | Berth | Draught | Ship |
        |---|---|---|
        | North quay | 7.1 | Aurora |
        | South quay<br>West quay | 8.4<br>6.5 | Borealis<br>Cygnus |
    """)
    assert (found.severity, found.code, found.row_index) == ("error", "merged-rows", 1)


def test_a_column_of_pairs_and_wrapped_words_are_one_row_each() -> None:
    assert (
        said("""
        | Berth | Draughts | Lengths |
        |---|---|---|
        | North quay | 7.1 7.3 | 90 91 |
        | South<br>quay | 8.4 8.1 | 84 83 |
        | East quay | 6.1 6.0 | 66 67 |
    """)
        == []
    )


# --------------------------------------------------------------------------- cells and columns


def test_a_column_without_any_value() -> None:
    def table(label: str, beside: str) -> str:
        return f"""
            | Berth | {label} | {beside} | Length |
            |---|---|---|---|
            | North quay | | 7.1 | 90 |
            | South quay | | 8.4 | 84 |
        """

    assert said(table("Pilot", "Draught")) == [("info", "empty-column")]
    # The label goes on over the next column, where its values are found under it.
    assert said(table("Draught", "")) == [("info", "empty-column")]


def test_a_mostly_empty_column() -> None:
    def table(remarks: list[str]) -> str:
        rows = [f"| Quay {at} | {at}.5 | {remark} |" for at, remark in enumerate(remarks)]
        return "\n".join(["| Berth | Draught | Remark |", "|---|---|---|", *rows])

    assert said(table(["closed", *[""] * 9])) == [("info", "mostly-empty-column")]
    assert said(table(["closed", "silted", *[""] * 8])) == []


def test_a_very_long_cell() -> None:
    def table(text: str) -> str:
        return f"| Rule | Text |\n|---|---|\n| 1 | {text} |\n| 2 | Keep to starboard. |"

    assert said(table("a" * 2_001)) == [("warning", "long-cells")]
    assert said(table("a" * 2_000)) == []
    assert said(table("a " * 400 + "a")) == [("warning", "long-cells")]


# --------------------------------------------------------------------------- no table at all


def test_a_table_of_contents() -> None:
    def table(dots: str, last: int) -> str:
        return f"""
            | Heading | Page |
            |---|---|
            | Berths {dots} | 3 |
            | Fees {dots} | 7 |
            | Pilots {dots} | {last} |
        """

    assert said(table(". . . . .", 12)) == [("warning", "table-of-contents")]
    assert said(table(".........", 12)) == [("warning", "table-of-contents")]
    assert said(table("", 12)) == []
    # Amounts after dots go up and down.
    assert said(table(". . . . .", 5)) == []


def test_a_table_of_contents_by_its_title() -> None:
    assert said("""
        | Contents | |
        |---|---|
        | Berths | 3 |
        | Fees | 7 |
        | Pilots | 12 |
    """)[-1] == ("warning", "table-of-contents")


def test_prose_in_columns() -> None:
    table = f"""
        | {LONG}, and | {LONG}, or |
        |---|---|
        | {LONG}. | {LONG}. |
        | {LONG}. | {LONG}. |
    """
    assert said(table)[0] == ("warning", "prose")


# --------------------------------------------------------------------------- two tables


def test_a_table_that_goes_on_with_the_one_before() -> None:
    def tables(header: str, between: str = "The fees apply all year.") -> str:
        return f"""
            | Berth | Ship | Draught |
            |---|---|---|
            | North quay | Aurora | 7.1 |
            | South quay | Borealis | 8.4 |
            {between}
            === 2
            {header}
            |---|---|---|
            | West quay | Cygnus | 6.5 |
            | East quay | Dorado | 6.1 |
        """

    again = lints(tables("| Berth | Ship | Draught |"))
    assert [(lint.severity, lint.code, lint.table_id) for lint in again] == [
        ("warning", "continuation", "t2")
    ]
    assert (again[0].page_num, again[0].line_num) == (2, 1)
    other = "| Island | Keeper | Height |"
    assert said(tables(other)) == []
    promoted = lints(tables("| Old quay | Aurora | 6.9 |"))
    assert ("error", "continuation") in [(lint.severity, lint.code) for lint in promoted]


def test_the_same_labels_under_another_title_are_another_table() -> None:
    def table(title: str) -> list[tuple[str, str]]:
        text = f"""
            Table 1. Berths on the quay
            | Berth | Draught |
            |---|---|
            | North quay | 7.1 |
            | South quay | 8.4 |
            All year.
            === 2
            {title}
            | Berth | Draught |
            |---|---|
            | West quay | 6.5 |
            | East quay | 6.1 |
        """
        return said(text)

    # The line above may be a title or a running head: worth knowing, no more.
    assert table("Table 1. Berths on the quay (continued)") == [("info", "continuation")]
    assert table("Table 2. Berths in the basin") == []


def test_the_same_labels_further_down_are_another_table() -> None:
    apart = "\n".join(f"Line {at} of the harbour rules." for at in range(5))
    table = "| Berth | Draught |\n|---|---|\n| North quay | 7.1 |\n| South quay | 8.4 |"
    assert said(f"{table}\n{apart}\n{table}") == []


# --------------------------------------------------------------------------- boxes


def placed(**boxes: list[float]) -> pd.DataFrame:
    """The berths, each line 12 points high, but for what is given."""
    line_df = lines(BERTHS)
    y0 = np.arange(len(line_df)) * 12.0 + 100
    return line_df.assign(x0=50.0, y0=y0, x1=500.0, y1=y0 + 10).assign(**boxes)


def box_lints(line_df: pd.DataFrame) -> list[tuple[str, str, int, int]]:
    found = lint_tables(read_tables(line_df), PAGES)
    return [(lint.severity, lint.code, lint.line_num, lint.count) for lint in found]


def test_boxes() -> None:
    nan = float("nan")
    assert box_lints(placed()) == []
    assert box_lints(placed(x0=[nan] * 4)) == [("info", "no-boxes", 1, 3)]
    assert box_lints(placed(x0=[50, 50, 50, nan])) == [("warning", "missing-boxes", 4, 1)]
    assert box_lints(placed(x1=[500, 500, 700, 700])) == [("warning", "off-page", 3, 2)]
    # No place on the page shows a separator.
    assert box_lints(placed(x0=[50, nan, 50, 50])) == []


def test_without_page_sizes_no_box_is_off_the_page() -> None:
    assert lint_tables(read_tables(placed(x1=[9_000.0] * 4))) == []


# --------------------------------------------------------------------------- the list


def test_the_worst_comes_first_in_each_table() -> None:
    found = lints("""
        | Berth | Fee | Fee |
        |---|---|---|
        | North quay | 71 | 12 |
        | West quay South quay | 70 84 | 11 15 |
        | | | dusk |
        | East quay | 68 | 10 |
        Then:
        | Ship | Draught | Draught |
        |---|---|---|
        | Aurora | 7.1 | 7.3 |
    """)
    assert [(lint.table_id, lint.severity) for lint in found] == [
        ("t1", "error"),
        ("t1", "warning"),
        ("t1", "info"),
        ("t2", "warning"),
        ("t2", "info"),
    ]
    assert worst_severity(found) == "error"
    assert worst_severity(found[1:3]) == "warning"
    assert worst_severity([]) is None


def test_one_table_is_linted_as_it_is_among_others() -> None:
    first, second = read_tables(
        lines("""
        | Berth | Draught |
        |---|---|
        | North quay | 7.1 |
        | South quay | 8.4 |
        All year.
        === 2
        | Berth | Draught |
        |---|---|
        | West quay | 6.5 |
        | East quay | 6.1 |
    """)
    )
    together = lint_tables([first, second])
    assert together == [*lint_table(first), *lint_table(second, previous=first)]
    assert "continuation" in [lint.code for lint in together]


@pytest.mark.parametrize("strict", [True, False])
@given(line_df=line_frames())
def test_any_table_can_be_linted_and_places_are_lines_of_it(
    strict: bool, line_df: pd.DataFrame
) -> None:
    check_places(line_df, strict=strict)


@given(printed_documents())
def test_places_in_printed_documents_are_lines_of_the_table(document: PrintedDocument) -> None:
    check_places(document.line_df, strict=False)


def check_places(line_df: pd.DataFrame, *, strict: bool) -> None:
    tables = read_tables(line_df, strict=strict)
    by_id = {table.table_id: table for table in tables}
    found = lint_tables(tables, PAGES)
    # No generated line has a box, and every table with a line that is printed says so.
    printed = {table.table_id for table in tables if not _is_only_separators(table)}
    assert {lint.table_id for lint in found if lint.code == "no-boxes"} == printed
    for lint in found:
        table = by_id[lint.table_id]
        frame = table.line_df
        place = (frame["page_num"] == lint.page_num) & (frame["line_num"] == lint.line_num)
        # A row of HTML and the separator below it may share a line.
        assert lint.role in frame.loc[place, "role"].tolist()
        assert lint.severity in SEVERITIES
        assert lint.row_index is None or lint.row_index in frame.loc[place, "row_index"].tolist()
        assert lint.column is None or 0 <= lint.column < len(table.headers)
        assert lint.count > 0
        assert lint.message.endswith(".")


def _is_only_separators(table: Table) -> bool:
    return set(table.line_df["role"]) <= {"separator", "dropped"}
