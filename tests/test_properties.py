"""What holds for every input: strict is the literal reading, and the default loses nothing."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings

from core import read_tables, serialize_table_rows
from tests import literal
from tests.strategies import PrintedDocument, line_frames, printed_documents

ROW_COLUMNS = [
    "table_id",
    "page_num",
    "line_num",
    "column_headers",
    "row_cells",
    "row_serialized",
]


def as_literal_rows(row_df: pd.DataFrame) -> list[literal.LiteralRow]:
    names = [column.name for column in fields(literal.LiteralRow)]
    return [literal.LiteralRow(**record) for record in records(row_df[names])]


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


@settings(max_examples=4 * settings().max_examples)
@given(line_frames())
def test_strict_is_the_literal_reading_of_the_four_rules(line_df: pd.DataFrame) -> None:
    row_df = serialize_table_rows(line_df, strict=True)
    assert as_literal_rows(row_df) == literal.read_line_df(line_df)


@pytest.mark.parametrize("strict", [True, False])
@given(line_df=line_frames())
def test_a_frame_is_never_mutated(strict: bool, line_df: pd.DataFrame) -> None:
    before = line_df.copy(deep=True)
    serialize_table_rows(line_df, strict=strict)
    read_tables(line_df, strict=strict)
    pd.testing.assert_frame_equal(line_df, before)


@pytest.mark.parametrize("strict", [True, False])
@given(line_df=line_frames())
def test_every_row_df_keeps_its_contract(strict: bool, line_df: pd.DataFrame) -> None:
    row_df = serialize_table_rows(line_df, strict=strict)
    assert list(row_df.columns[:6]) == ROW_COLUMNS
    cited = zip(line_df["page_num"], line_df["line_num"], strict=True)
    assert set(zip(row_df["page_num"], row_df["line_num"], strict=True)) <= set(cited)
    for row in records(row_df):
        labels, cells = row["column_headers"], row["row_cells"]
        assert len(labels) == len(cells)
        assert row["row_serialized"] == literal.serialize(labels, cells)
    by_table = row_df.groupby("table_id", sort=False)
    assert row_df["row_index"].tolist() == by_table.cumcount().tolist()
    assert row_df["n_body_rows"].tolist() == by_table["table_id"].transform("size").tolist()


@given(line_df=line_frames())
def test_tables_and_rows_tell_the_same(line_df: pd.DataFrame) -> None:
    row_df = serialize_table_rows(line_df)
    tables = read_tables(line_df)
    assert [table.table_id for table in tables] == [f"t{at}" for at in range(1, len(tables) + 1)]
    told = {table.table_id: table.n_body_rows for table in tables if table.n_body_rows}
    assert row_df.groupby("table_id", sort=False).size().to_dict() == told


@given(printed_documents())
def test_every_row_is_read_once_where_it_is_printed(document: PrintedDocument) -> None:
    row_df = serialize_table_rows(document.line_df)
    printed = [
        (f"t{number}", row.page_num, row.line_num)
        for number, table in enumerate(document.tables, start=1)
        for row in table.rows
    ]
    found = row_df[["table_id", "page_num", "line_num"]].itertuples(index=False, name=None)
    assert list(found) == printed


@given(printed_documents())
def test_no_value_is_lost_and_none_stands_under_a_wrong_label(document: PrintedDocument) -> None:
    row_df = serialize_table_rows(document.line_df)
    assert len(row_df) == sum(len(table.rows) for table in document.tables)
    rows = iter(records(row_df))
    for table in document.tables:
        for printed in table.rows:
            row = next(rows)
            found = _filled(row["column_headers"], row["row_cells"])
            assert found == _filled(table.headers, printed.cells)


@given(printed_documents())
def test_each_value_occurs_in_its_own_row_alone(document: PrintedDocument) -> None:
    row_df = serialize_table_rows(document.line_df)
    places = {
        cell: (row.page_num, row.line_num)
        for table in document.tables
        for row in table.rows
        for cell in row.cells
        if cell
    }
    found = row_df.explode("row_cells")
    found = found[found["row_cells"] != ""]
    assert len(found) == len(places)
    for row in records(found):
        assert places[row["row_cells"]] == (row["page_num"], row["line_num"])


def _filled(labels: list[str], cells: list[str]) -> list[tuple[str, str]]:
    """(label, value) of every cell that holds a value; a cell beyond the labels has none."""
    beyond = [""] * (len(cells) - len(labels))
    return [(label, cell) for label, cell in zip([*labels, *beyond], cells, strict=False) if cell]
