"""Two readings of a document: tables in, differences out."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Table, read_tables
from core.compare import Comparison, TableDiff, TablePair, compare_tables, diff_tables
from core.compare.model import AlignedRow
from core.compare.summary import Names, summary, table_name, table_sentences
from tests.frames import lines, pipe_row

NAMES = Names("PyMuPDF", "Docling")

GUARANTEES = [
    ["Covered event", "Cap", "Deductible"],
    ["Vehicle theft", "25,000 EUR", "500 EUR"],
    ["Fire and explosion", "40,000 EUR", "300 EUR"],
    ["Broken windscreen", "1,500 EUR", "75 EUR"],
    ["Storm and flood", "30,000 EUR", "750 EUR"],
]
SALARIES = [
    ["Department", "Head", "Budget"],
    ["Accounting", "M. Weber", "1.2 million"],
    ["Research", "A. Okafor", "4.7 million"],
    ["Logistics", "J. Lindqvist", "2.0 million"],
]


def tables(
    *grids: Sequence[Sequence[str]], boxes: dict[int, Sequence[float]] | None = None
) -> list[Table]:
    """Tables as the reader makes them of pipe lines; `boxes` gives one box to all lines of the
    table at that place."""
    texts, owners = [], []
    for at, (head, *body) in enumerate(grids):
        block = [pipe_row(head), "|" + "---|" * len(head), *map(pipe_row, body), "Text between."]
        texts += block
        owners += [at] * len(block)
    frame = lines("\n".join(texts))
    for at, box in (boxes or {}).items():
        frame.loc[np.array(owners) == at, ["x0", "y0", "x1", "y1"]] = box
    return read_tables(frame)


def pairs(comparison: Comparison) -> list[str]:
    return [diff.pair.pair_id for diff in comparison.tables]


def only_diff(a: Sequence[Sequence[str]], b: Sequence[Sequence[str]]) -> TableDiff:
    (diff,) = compare_tables(tables(a), tables(b)).tables
    return diff


def said(diff: TableDiff) -> list[str]:
    return table_sentences(diff, "the table", NAMES)


def states(row: AlignedRow) -> list[str]:
    return [cell.state for cell in row.cells]


# Pairing ------------------------------------------------------------------------------------------


def test_tables_are_paired_by_what_they_say_not_by_number() -> None:
    comparison = compare_tables(tables(GUARANTEES, SALARIES), tables(SALARIES, GUARANTEES))
    assert pairs(comparison) == ["t1-t2", "t2-t1"]
    assert comparison.is_same


def test_places_decide_between_tables_that_say_the_same() -> None:
    above, below = (50, 100, 500, 200), (50, 400, 500, 500)
    a = tables(GUARANTEES, GUARANTEES, boxes={0: above, 1: below})
    b = tables(GUARANTEES, GUARANTEES, boxes={0: below, 1: above})
    assert pairs(compare_tables(a, b)) == ["t1-t2", "t2-t1"]


def test_a_table_without_a_partner_is_listed() -> None:
    comparison = compare_tables(tables(GUARANTEES, SALARIES), tables(SALARIES))
    assert pairs(comparison) == ["t2-t1"]
    assert (comparison.only_a, comparison.only_b) == (("t1",), ())
    assert summary(comparison, NAMES, {"t2": "table t2"}) == "1 table is only in PyMuPDF."


def test_a_table_cut_in_two_is_one_pair() -> None:
    upper, lower = GUARANTEES[:3], [GUARANTEES[0], *GUARANTEES[3:]]
    comparison = compare_tables(tables(GUARANTEES, SALARIES), tables(upper, lower, SALARIES))
    assert pairs(comparison) == ["t1-t1.t2", "t2-t3"]
    first = comparison.tables[0]
    assert said(first) == ["Docling cuts the table into 2 tables."]
    assert first.counts["row.only_a"] == first.counts["row.only_b"] == 0
    assert pairs(compare_tables(tables(upper, lower, SALARIES), tables(GUARANTEES, SALARIES))) == [
        "t1.t2-t1",
        "t3-t2",
    ]


def test_tables_of_different_things_are_not_paired() -> None:
    comparison = compare_tables(tables(GUARANTEES), tables(SALARIES))
    assert pairs(comparison) == []
    assert (comparison.only_a, comparison.only_b) == (("t1",), ("t1",))


def test_no_tables_at_all_is_said() -> None:
    comparison = compare_tables([], [])
    assert comparison.is_same
    assert summary(comparison, NAMES, {}) == (
        "Neither PyMuPDF nor Docling finds a table in this document."
    )


# Rows ---------------------------------------------------------------------------------------------


def test_the_same_table_reads_the_same() -> None:
    diff = only_diff(GUARANTEES, GUARANTEES)
    assert diff.is_same
    assert said(diff) == ["PyMuPDF and Docling read the table the same."]


def test_a_changed_cell_is_found_in_its_row() -> None:
    other = [list(row) for row in GUARANTEES]
    other[2][1] = "4,000 EUR"
    diff = only_diff(GUARANTEES, other)
    (changed,) = [row for row in diff.rows if row.differs]
    assert (changed.a[0].row_id, changed.b[0].row_id) == ("t1:1", "t1:1")
    assert [(cell.a, cell.b, cell.state) for cell in changed.cells] == [
        ("Fire and explosion", "Fire and explosion", "same"),
        ("40,000 EUR", "4,000 EUR", "changed"),
        ("300 EUR", "300 EUR", "same"),
    ]
    assert said(diff) == ["1 of 12 cells differs."]


@pytest.mark.parametrize(
    ("a", "b", "state"),
    [
        ("O(n · d²)", "O(n·d²)", "spacing"),
        ("ﬁve", "five", "spacing"),
        ("caf\u00e9", "cafe\u0301", "spacing"),
        ("2.3 · 10¹⁹", "2.3 · 1019", "changed"),
        ("½", "12", "changed"),
        ("Yes", "yes", "changed"),
        ("None", "", "only_a"),
        ("", "None", "only_b"),
    ],
)
def test_states_of_a_cell(a: str, b: str, state: str) -> None:
    one = [*GUARANTEES[:3], ["Hail", a, "900 EUR"]]
    other = [*GUARANTEES[:3], ["Hail", b, "900 EUR"]]
    diff = only_diff(one, other)
    assert states(diff.rows[-1]) == ["same", state, "same"]
    assert diff.is_same == (state == "spacing")


def test_a_missing_row_is_named_by_the_side_that_has_it() -> None:
    diff = only_diff(GUARANTEES, [row for row in GUARANTEES if row[0] != "Broken windscreen"])
    assert [row.relation for row in diff.rows] == ["paired", "paired", "paired", "only_a", "paired"]
    assert said(diff) == ["1 row is only in PyMuPDF."]


def test_a_row_split_over_two_lines_is_one_row() -> None:
    other = [
        *GUARANTEES[:2],
        ["Fire and", "40,000 EUR", "300 EUR"],
        ["explosion", "", ""],
        *GUARANTEES[3:],
    ]
    a = tables(GUARANTEES)
    b = read_tables(tables_frame(other), strict=True)
    (diff,) = compare_tables(a, b).tables
    (row,) = [row for row in diff.rows if row.relation == "split"]
    assert [line.row_index for line in row.a] == [1]
    assert [line.row_index for line in row.b] == [1, 2]
    assert states(row) == ["same", "same", "same"]
    assert said(diff) == ["Docling splits 1 row into 2."]


def test_rows_merged_cell_by_cell_are_told_from_a_split_row() -> None:
    merged = [f"{upper} {lower}" for upper, lower in zip(GUARANTEES[2], GUARANTEES[3], strict=True)]
    diff = only_diff(GUARANTEES, [*GUARANTEES[:2], merged, GUARANTEES[4]])
    (row,) = [row for row in diff.rows if row.relation == "merged"]
    assert [line.row_index for line in row.a] == [1, 2]
    assert states(row) == ["same", "same", "same"]
    assert said(diff) == ["Docling merges 2 rows into 1."]
    back = only_diff([*GUARANTEES[:2], merged, GUARANTEES[4]], GUARANTEES)
    assert said(back) == ["PyMuPDF merges 2 rows into 1."]


def test_a_merge_is_found_beside_rows_that_differ() -> None:
    merged = [f"{upper} {lower}" for upper, lower in zip(GUARANTEES[2], GUARANTEES[3], strict=True)]
    other = [*GUARANTEES[:2], merged, ["Attack by wild boar", "1 EUR", "2 EUR"]]
    assert said(only_diff(GUARANTEES, other)) == [
        "Docling merges 2 rows into 1.",
        "1 row is only in PyMuPDF.",
        "1 row is only in Docling.",
    ]


def test_a_name_printed_once_for_its_group_does_not_part_rows() -> None:
    filled = [
        ["Model variant", "Layers", "Score"],
        ["Deep and narrow", "4", "25.3"],
        ["Deep and narrow", "8", "25.5"],
        ["Shallow and wide", "2", "24.5"],
    ]
    printed = [*filled[:2], ["", *filled[2][1:]], filled[3]]
    a = read_tables(tables_frame(filled), strict=True)
    b = read_tables(tables_frame(printed), strict=True)
    (diff,) = compare_tables(a, b).tables
    assert [row.relation for row in diff.rows] == ["paired"] * 4
    assert states(diff.rows[2]) == ["only_a", "same", "same"]


def test_a_row_in_three_pieces_none_of_which_is_like_it() -> None:
    whole = ["Total loss of the insured vehicle abroad", "60,000 EUR", "1,000 EUR"]
    pieces = [
        ["Total loss of", "60,000 EUR", "1,000 EUR"],
        ["the insured", "", ""],
        ["vehicle abroad", "", ""],
    ]
    a = read_tables(tables_frame([*GUARANTEES, whole]), strict=True)
    b = read_tables(tables_frame([*GUARANTEES, *pieces]), strict=True)
    (diff,) = compare_tables(a, b).tables
    assert [(len(row.a), len(row.b)) for row in diff.rows][-1] == (1, 3)
    assert states(diff.rows[-1]) == ["same", "same", "same"]


def test_a_header_line_that_became_a_row_is_recognised() -> None:
    two_lines = [["", "Limits", "Limits"], *GUARANTEES]
    a = read_tables(tables_frame(two_lines), header_rows={"t1": 2})
    b = read_tables(tables_frame(two_lines), header_rows={"t1": 1})
    (diff,) = compare_tables(a, b).tables
    assert [row.kinds for row in diff.rows][:3] == [
        ("header", "header"),
        ("header", "row"),
        ("row", "row"),
    ]
    assert said(diff)[0] == "Docling takes a header line for a row."
    (back,) = compare_tables(b, a).tables
    assert said(back)[0] == "PyMuPDF takes a header line for a row."


def test_a_header_on_more_lines_is_said() -> None:
    flat = [["Model", "BLEU EN-DE", "BLEU EN-FR"], ["GNMT", "24.6", "39.92"], ["MoE", "26", "40.5"]]
    two = [["Model", "BLEU", "BLEU"], ["", "EN-DE", "EN-FR"], *flat[1:]]
    a = read_tables(tables_frame(flat))
    b = read_tables(tables_frame(two), header_rows={"t1": 2})
    (diff,) = compare_tables(a, b).tables
    assert said(diff) == ["Docling splits the header into 2 lines."]
    assert [label.state for label in diff.labels] == ["same", "same", "same"]


# Columns ------------------------------------------------------------------------------------------


def test_a_moved_column_is_moved_not_changed() -> None:
    diff = only_diff(GUARANTEES, [[row[0], row[2], row[1]] for row in GUARANTEES])
    assert [(column.a, column.b) for column in diff.columns] == [
        ((0,), (0,)),
        ((1,), (2,)),
        ((2,), (1,)),
    ]
    assert sum(column.moved for column in diff.columns) == 1
    assert said(diff) == ["1 column stands elsewhere."]


def test_a_split_column_is_one_with_its_parts() -> None:
    split = [
        ["Covered event", "Cap", "", "Deductible"],
        *([row[0], *row[1].split(), row[2]] for row in GUARANTEES[1:]),
    ]
    diff = only_diff(GUARANTEES, split)
    assert [(column.a, column.b) for column in diff.columns] == [
        ((0,), (0,)),
        ((1,), (1, 2)),
        ((2,), (3,)),
    ]
    assert "Docling splits 1 column into 2." in said(diff)
    assert all(not row.changed_cells for row in diff.rows)


def test_a_column_only_one_side_has() -> None:
    wider = [
        [*row, extra] for row, extra in zip(GUARANTEES, ["Note", "a", "b", "c", "d"], strict=True)
    ]
    diff = only_diff(wider, GUARANTEES)
    assert [(column.a, column.b) for column in diff.columns][-1] == ((3,), ())
    assert said(diff) == ["1 column is only in PyMuPDF."]


# In words -----------------------------------------------------------------------------------------


def test_a_caption_names_its_table() -> None:
    frame = lines("Table 2. BLEU scores\n| Model | BLEU |\n|---|---|\n| GNMT | 24.6 |")
    (numbered,), (plain,) = read_tables(frame), tables(GUARANTEES)
    assert (table_name(numbered), table_name(plain)) == ("Table 2", "table t1")


def test_the_summary_says_the_worst_first_and_joins_what_is_alike() -> None:
    merged = [f"{x} {y}" for x, y in zip(GUARANTEES[1], GUARANTEES[2], strict=True)]
    shorter = SALARIES[:-1]
    comparison = compare_tables(
        tables(GUARANTEES, SALARIES), tables([GUARANTEES[0], merged, *GUARANTEES[3:]], shorter)
    )
    assert summary(comparison, NAMES, {"t1": "Table 1", "t2": "Table 2"}) == (
        "Docling merges 2 rows of Table 1 into 1; 1 row of Table 2 is only in PyMuPDF."
    )


# Invariants ---------------------------------------------------------------------------------------

_cells = st.sampled_from(
    ["", "Theft", "Fire", "theft of a vehicle", "vehicle", "500 EUR", "EUR", "2019", "2020", "27.3"]
)


@st.composite
def grids(draw: st.DrawFn) -> list[list[str]]:
    width = draw(st.integers(1, 4))
    body = draw(st.lists(st.lists(_cells, min_size=width, max_size=width), max_size=8))
    return [["Name", "Cap", "Deductible", "Note"][:width], *body]


@st.composite
def documents(draw: st.DrawFn) -> list[Table]:
    return tables(*draw(st.lists(grids(), max_size=3)))


@given(documents())
def test_a_document_compared_with_itself_is_the_same(document: list[Table]) -> None:
    comparison = compare_tables(document, document)
    assert comparison.is_same
    assert len(comparison.tables) == len(document)


@given(documents(), documents())
def test_every_table_and_line_is_in_exactly_one_place(a: list[Table], b: list[Table]) -> None:
    comparison = compare_tables(a, b)
    for side, document in (("a", a), ("b", b)):
        only = comparison.only_a if side == "a" else comparison.only_b
        placed = [name for diff in comparison.tables for name in getattr(diff.pair, side)]
        assert sorted([*placed, *only]) == sorted(table.table_id for table in document)
        rows = [
            line.row_id
            for diff in comparison.tables
            for row in diff.rows
            for line in getattr(row, side)
            if line.row_id
        ]
        paired = [table for table in document if table.table_id in placed]
        expected = [
            f"{table.table_id}:{at}"
            for table in paired
            for at, cells in enumerate(table.rows)
            if any(cells)
        ]
        assert sorted(rows) == sorted(expected)


@given(documents(), documents())
def test_sides_exchanged_give_the_mirrored_diff(a: list[Table], b: list[Table]) -> None:
    there, back = compare_tables(a, b), compare_tables(b, a)
    assert (there.only_a, there.only_b) == (back.only_b, back.only_a)
    assert {d.pair.mirrored() for d in there.tables} == {d.pair for d in back.tables}
    returned = {diff.pair: diff for diff in back.tables}
    for diff in there.tables:
        other = returned[diff.pair.mirrored()]
        assert [(row.a, row.b) for row in diff.rows if row.a and row.b] == [
            (row.b, row.a) for row in other.rows if row.a and row.b
        ]
        assert {column.mirrored() for column in diff.columns} == set(other.columns)
        assert diff.is_same == other.is_same


def test_five_thousand_rows_are_compared_in_two_seconds() -> None:
    rng = np.random.default_rng(0)
    words = np.array(
        [
            "theft",
            "fire",
            "flood",
            "storm",
            "glass",
            "vehicle",
            "tracker",
            "garage",
            "night",
            "driver",
        ]
    )
    body = [
        [f"{name} {at}", f"{cap},000 EUR", " ".join(rng.choice(words, 3))]
        for at, (name, cap) in enumerate(
            zip(rng.choice(words, 5_000), rng.integers(1, 99, 5_000), strict=True)
        )
    ]
    other = [
        [row[0] + ("e" if at % 3 else ""), row[1], row[2] + "."] for at, row in enumerate(body)
    ]
    del other[100:110]
    head = GUARANTEES[0]
    a, b = tables([head, *body]), tables([head, *other])
    start = time.perf_counter()
    diff = diff_tables(TablePair(("t1",), ("t1",)), a, b)
    assert time.perf_counter() - start < 2.0
    assert (diff.counts["row.only_a"], diff.counts["row.changed"]) == (10, 4_990)


def tables_frame(grid: Sequence[Sequence[str]]) -> pd.DataFrame:
    head, *body = grid
    return lines("\n".join([pipe_row(head), "|" + "---|" * len(head), *map(pipe_row, body)]))
