"""Exports come back as they were, and what a document says is never a formula or a link."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import parse_document, read_tables, retrieve, serialize_table_rows
from core.errors import LineFrameError, OptionError, RowFrameError
from core.export import (
    FORMATS,
    frame_to_bytes,
    read_row_df,
    table_to_csv,
    table_to_markdown,
    tables_to_xlsx,
)
from core.export_codec import escape_formula, unescape_formula
from core.export_tables import as_number, escape_cell, sheet_name
from core.frames import check_line_df, check_row_df
from core.parsers import Source
from core.tables import Table
from tests.frames import line_frame, lines

# Anything that a line_df may hold: lone surrogates it cannot, for its text is UTF-8.
TEXT = st.text(
    st.one_of(
        st.sampled_from("=+-@\t\r\n'\"\\,;|＝\x00\x1b\u2028\ufeff "),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=12,
)
FLOATS = st.floats(allow_infinity=False, allow_nan=True, width=64)


@st.composite
def any_line_df(draw: st.DrawFn) -> pd.DataFrame:
    """A line_df with columns of every kind beside those of the contract."""
    size = draw(st.integers(0, 5))

    def column(values: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(values, min_size=size, max_size=size))

    missing_or = st.one_of(st.none(), TEXT)
    x, y = (np.array(column(st.floats(0, 9_000)), dtype=float) for _ in range(2))
    boxed = np.array(column(st.booleans()), dtype=bool)
    return pd.DataFrame(
        {
            "page_num": np.array(column(st.integers(1, 3)), dtype=np.int64),
            "line_num": np.arange(1, size + 1),
            "text": pd.Series(column(TEXT), dtype="str"),
            "x0": np.where(boxed, x, np.nan),
            "y0": np.where(boxed, y, np.nan),
            "x1": np.where(boxed, x + 100, np.nan),
            "y1": np.where(boxed, y + 12, np.nan),
            "character_count": np.array(column(st.integers(0, 2**62)), dtype=np.int64),
            "parsing_method": pd.Series(column(st.sampled_from(["pymupdf", "=x"])), dtype="str"),
            "confidence": np.array(column(FLOATS), dtype=float),
            "source": pd.Series(column(missing_or), dtype="str"),
            "rank": pd.array(column(st.one_of(st.none(), st.integers(-9, 9))), dtype="Int64"),
            "kind": pd.Categorical(
                column(st.sampled_from(["=a", "'=a", None])), categories=["=a", "'=a", "b"]
            ),
            "flag": np.array(column(st.booleans()), dtype=bool),
            "=cell": pd.Series(column(missing_or), dtype="string"),
        }
    ).sample(frac=1, random_state=draw(st.integers(0, 9)))


@pytest.mark.parametrize("format", FORMATS)
@given(line_df=any_line_df())
def test_an_exported_line_df_opens_as_the_same_frame(format: str, line_df: pd.DataFrame) -> None:
    data = frame_to_bytes(line_df, format)
    opened = parse_document(Source(f"lines.{format}", data), "frame").line_df
    pd.testing.assert_frame_equal(opened, check_line_df(line_df))


@pytest.mark.parametrize("format", FORMATS)
def test_boxes_come_back_to_the_last_digit(format: str) -> None:
    line_df = line_frame([(1, 1, "a"), (1, 2, "b")]).assign(
        x0=[0.1 + 0.2, np.nan], y0=[1 / 3, np.nan], x1=[100 / 7, np.nan], y1=[12.5, np.nan]
    )
    opened = parse_document(Source("lines", frame_to_bytes(line_df, format)), "frame").line_df
    assert opened[["x0", "y0", "x1", "y1"]].to_numpy()[0].tolist() == [
        0.1 + 0.2,
        1 / 3,
        100 / 7,
        12.5,
    ]


@pytest.mark.parametrize("format", FORMATS)
def test_nested_values_dates_and_categories_of_numbers_come_back(format: str) -> None:
    line_df = lines("a\nb").assign(
        words=pd.Series([["x", "=y"], []], dtype=object),
        where=pd.Series([{"cell": [1, 2]}, None], dtype=object),
        read=pd.Series(["2026-01-02 03:04:05.123456", None]).astype("datetime64[us]"),
        level=pd.Categorical([2, 1], categories=[2, 1], ordered=True),
        when=pd.to_datetime(["2026-07-01 10:00", "2026-01-01 10:00"]).tz_localize("Europe/Paris"),
    )
    opened = parse_document(Source("lines", frame_to_bytes(line_df, format)), "frame").line_df
    pd.testing.assert_frame_equal(opened[line_df.columns], check_line_df(line_df))


@given(TEXT)
def test_the_escape_is_undone_exactly(text: str) -> None:
    escaped = escape_formula(text)
    assert unescape_formula(escaped) == text
    assert escaped[:1] not in {"=", "+", "-", "@", "\t", "\r", "\n", "＝"} or not escaped


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("=1+1", "'=1+1"),
        ("-5", "'-5"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("'=1", "''=1"),
        ("'quoted'", "'quoted'"),
        ("a=1", "a=1"),
        ("", ""),
    ],
)
def test_texts_that_could_be_formulas_get_an_apostrophe(text: str, escaped: str) -> None:
    assert escape_formula(text) == escaped


@given(line_df=any_line_df())
def test_no_field_of_a_csv_export_begins_as_a_formula_does(line_df: pd.DataFrame) -> None:
    text = frame_to_bytes(
        line_df[["page_num", "line_num", "text", "=cell", "kind"]], "csv"
    ).decode()
    fields = [field for row in csv.reader(io.StringIO(text, newline="")) for field in row]
    assert [field for field in fields if field[:1] in set("=+-@\t\r\n＝")] == []


def test_a_csv_from_elsewhere_keeps_its_apostrophes() -> None:
    data = b"page_num,line_num,text\n1,1,'=1\n1,2,''=2\n1,3,=3\n"
    assert parse_document(data, "frame").line_df["text"].tolist() == ["'=1", "''=2", "=3"]


def test_a_csv_export_that_was_edited_says_which_types_are_gone() -> None:
    data = frame_to_bytes(lines("a\nb").assign(rank=[1, 2]), "csv").decode()
    edited = data.replace('"b",,,,,"2"', '"b",,,,,"many"')
    document = parse_document(edited.encode(), "frame")
    assert document.line_df["rank"].tolist() == ["1", "many"]
    assert any("'rank'" in note and "int64" in note for note in document.notes)


def test_texts_beyond_utf8_are_replaced() -> None:
    frame = pd.DataFrame({"text": pd.Series(["a\ud800b", "\ud83d\ude00"], dtype=object)})
    text = frame_to_bytes(frame, "csv").decode().split("\n")
    assert text[1].startswith('"a\ufffdb"')
    assert text[2].startswith('"😀"')


def test_an_export_needs_distinct_names_and_a_known_format() -> None:
    with pytest.raises(OptionError, match="'a'"):
        frame_to_bytes(pd.DataFrame([[1, 2]], columns=["a", "a"]), "csv")
    with pytest.raises(OptionError, match="parquet, csv, json"):
        frame_to_bytes(pd.DataFrame(), "xlsx")


# --------------------------------------------------------------------------- row_df

CONTRACT = """
    | Covered event | Cap | Deductible |
    |---|---|---|
    | Vehicle theft | 25,000 EUR | 500 EUR |
    | Fire | 30,000 EUR | =HYPERLINK("x") |
    | Glass | -5 | '+1 |
"""


@pytest.mark.parametrize("format", FORMATS)
def test_an_exported_row_df_reads_back_and_answers_as_before(format: str) -> None:
    line_df = lines(CONTRACT)
    row_df = serialize_table_rows(line_df)
    back = read_row_df(frame_to_bytes(row_df, format), format)
    pd.testing.assert_frame_equal(back, check_row_df(row_df))
    assert back["row_cells"].tolist()[1] == ["Fire", "30,000 EUR", '=HYPERLINK("x")']
    question = "What is the cap for vehicle theft?"
    answer, before = (retrieve(question, line_df, rows) for rows in (back, row_df))
    assert answer.context == before.context
    assert answer.context == (
        "Covered event: Vehicle theft | Cap: 25,000 EUR | Deductible: 500 EUR"
    )


@pytest.mark.parametrize("format", FORMATS)
@given(cells=st.lists(st.lists(TEXT, min_size=2, max_size=2), min_size=1, max_size=4))
def test_any_cells_of_a_row_df_come_back(format: str, cells: list[list[str]]) -> None:
    row_df = pd.DataFrame(
        {
            "table_id": "t1",
            "page_num": 1,
            "line_num": range(1, len(cells) + 1),
            "column_headers": [["=a", ""]] * len(cells),
            "row_cells": cells,
            "row_serialized": pd.Series([" | ".join(row) for row in cells], dtype="str"),
        }
    )
    back = read_row_df(frame_to_bytes(row_df, format), format)
    assert back["row_cells"].tolist() == cells
    assert back["row_serialized"].tolist() == row_df["row_serialized"].tolist()


def test_a_row_df_without_its_columns_is_refused() -> None:
    with pytest.raises(RowFrameError, match="row_serialized"):
        read_row_df(b"table_id,page_num\nt1,1\n", "csv")
    names = b"table_id,page_num,line_num,column_headers,row_cells,row_serialized\n"
    with pytest.raises(RowFrameError, match=r"'row_cells'.*row 0"):
        read_row_df(names + b't1,1,1,"[""a""]",no list,x\n', "csv")
    with pytest.raises(RowFrameError, match="Parquet"):
        read_row_df(b"PAR1 and nothing else", "parquet")


def test_a_row_df_is_no_line_df() -> None:
    row_df = serialize_table_rows(lines(CONTRACT))
    for format in FORMATS:
        with pytest.raises(LineFrameError, match="line_df is needed"):
            parse_document(frame_to_bytes(row_df, format), "frame")


# --------------------------------------------------------------------------- tables


def table(text: str) -> Table:
    """The only table of some lines."""
    [found] = read_tables(lines(text))
    return found


def test_a_table_as_csv_escapes_formulas_and_keeps_numbers() -> None:
    data = table_to_csv(table(CONTRACT)).decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(data))) == [
        ["Covered event", "Cap", "Deductible"],
        ["Vehicle theft", "25,000 EUR", "500 EUR"],
        ["Fire", "30,000 EUR", '\'=HYPERLINK("x")'],
        ["Glass", "-5", "''+1"],
    ]


@pytest.mark.parametrize("number", ["-5", "-0.5", "+3%", "-1,234.50", "-.5", "-2e5", "+3 %"])
def test_a_number_with_a_sign_is_no_formula(number: str) -> None:
    assert escape_cell(number) == number


@pytest.mark.parametrize("text", ["-2+3", "-A1", "=5", "+49 30 1234", "--5", "-", "-5\n=1", "@1"])
def test_whatever_else_begins_with_a_sign_is_escaped(text: str) -> None:
    assert escape_cell(text) == f"'{text}"


def test_sections_of_a_table_have_a_column() -> None:
    text = """
        | Item | 2023 | 2024 |
        |---|---|---|
        | Assets | | |
        | Cash | 1 | 2 |
        | Stock | 3 | 4 |
        | Debts | | |
        | Loans | 5 | 6 |
        | Bills | 7 | 8 |
    """
    rows = list(csv.reader(io.StringIO(table_to_csv(table(text)).decode("utf-8-sig"))))
    assert rows[0] == ["Section", "Item", "2023", "2024"]
    assert rows[1] == ["Assets", "Cash", "1", "2"]
    assert rows[4] == ["Debts", "Bills", "7", "8"]


def test_a_workbook_holds_texts_and_numbers_but_no_formulas_and_no_links() -> None:
    text = """
        | =A1 | Value | Link |
        |---|---|---|
        | =1+1 | 12 | https://example.org |
        | -A1 | 007 | mailto:a@b.example |
        | +x | -0.5 | internal:Sheet1!A1 |
        | {=1} | 2.50 | x |
    """
    data = tables_to_xlsx([table(text), table(CONTRACT)])
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    sheets = [parts[name] for name in sorted(parts) if name.startswith("xl/worksheets/sheet")]
    assert len(sheets) == 2
    assert not any("<f>" in sheet or "<hyperlink" in sheet for sheet in sheets)
    assert "quotePrefix" in parts["xl/styles.xml"]
    read = pd.read_excel(io.BytesIO(data), sheet_name=0, dtype=object, engine="openpyxl")
    assert read.columns.tolist() == ["=A1", "Value", "Link"]
    assert read["=A1"].tolist() == ["=1+1", "-A1", "+x", "{=1}"]
    assert read["Value"].tolist() == [12, "007", -0.5, "2.50"]


def test_a_workbook_without_tables_says_so() -> None:
    read = pd.read_excel(io.BytesIO(tables_to_xlsx([])), header=None)
    assert read.iloc[0, 0] == "The document has no tables."


def test_control_characters_and_endless_cells_fit_a_workbook() -> None:
    text = f"| a | b |\n|---|---|\n| x\x01y | {'z' * 40_000} |"
    read = pd.read_excel(io.BytesIO(tables_to_xlsx([table(text)])))
    assert read["b"].tolist() == ["z" * 32_763 + " […]"]


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("t1 Caps [EUR]: a/b\\c?*", "t1 Caps EUR a b c"),
        ("x" * 40, "x" * 31),
        ("'quoted'", "quoted"),
        ("History", "History (2)"),
        ("T1", "T1 (2)"),
        ("/", "Table"),
    ],
)
def test_sheets_have_names_that_excel_accepts(wanted: str, name: str) -> None:
    assert sheet_name(wanted, ["t1"]) == name


@given(st.lists(st.text(max_size=40), max_size=8))
def test_names_of_sheets_are_distinct(captions: list[str]) -> None:
    names: list[str] = []
    for caption in captions:
        names.append(sheet_name(caption, names))
    assert len({name.lower() for name in names}) == len(names)
    assert all(0 < len(name) <= 31 and not set(name) & set("[]:*?/\\") for name in names)


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", 12), ("-5", -5), ("0.5", 0.5), ("-0.25", -0.25), ("0", 0)]
    + [(text, None) for text in ("007", "2.50", "1,000", "1.", "٣", "-0", "1e5", "12%", "9" * 16)],
)
def test_a_number_is_one_only_if_it_prints_the_same(text: str, number: float | None) -> None:
    assert as_number(text) == number


def test_a_table_as_markdown_is_the_compact_one() -> None:
    assert table_to_markdown(table("| a | b |\n|---|---|\n| 1 | x |")) == (
        "|a|b|\n|---|---|\n|1|x|"
    )


def test_json_is_one_record_per_line() -> None:
    data = frame_to_bytes(lines("a\nb"), "json").decode()
    assert [record["text"] for record in json.loads(data)["line_df"]] == ["a", "b"]
    assert len(data.strip().split("\n")) == 5
