"""Tables as people take them away: XLSX, CSV, Markdown; cells as texts, never as formulas."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from core.export_codec import escape_formula
from core.tables.model import Table

# A number with its sign, as "-5", "-1,234.50", "+3%", "-2e5": spreadsheets calculate nothing.
_NUMBER = re.compile(r"[+-](?:\d[\d.,]*|[.,]\d+)(?:[eE][+-]?\d+)?[ \u00a0]?%?")
_STARTS = re.compile("[=+\\-@\t\r\n＝＋－＠]")
_SHEET_FORBIDDEN = re.compile(r"[\[\]:*?/\\\x00-\x1f]+")

_MAX_NAME = 31
_MAX_CELL = 32_767
"""Characters that a cell of an Excel sheet holds."""
_MAX_ROWS = 1_048_576
_CUT = " […]"
_WIDEST = 60
"""Columns are made as wide as their texts, up to so many characters."""

SECTION = "Section"
"""Label of the column that holds the section each row stands in, for tables that have sections."""


def table_to_markdown(table: Table) -> str:
    """The table as compact Markdown, sections and notes in place."""
    return table.markdown


def table_to_csv(table: Table) -> bytes:
    """The table as CSV in UTF-8 with a byte order mark, as spreadsheets like it.

    A cell that could be a formula has an apostrophe before it; numbers with a sign stay numbers.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerows([[escape_cell(cell) for cell in row] for row in _grid(table)])
    return out.getvalue().encode("utf-8-sig")


def tables_to_xlsx(tables: Sequence[Table]) -> bytes:
    """One sheet per table, named by its id and caption; a sheet that says so if there is none.

    Cells are text. A number is one if it reads the same when it is printed again: "12" and
    "-0.5", but not "007", "2.50" or "1,000". What is longer than a cell can be ends in […].
    """
    import xlsxwriter  # type: ignore[import-untyped]

    out = io.BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    with xlsxwriter.Workbook(out, options) as book:
        names: list[str] = []
        for table in tables:
            names.append(sheet_name(f"{table.table_id} {table.caption}", names))
            _write_sheet(book, names[-1], _grid(table))
        if not tables:
            book.add_worksheet("No tables").write_string(0, 0, "The document has no tables.")
    return out.getvalue()


def escape_cell(text: str) -> str:
    """The text, with an apostrophe in front if it could be a formula and is not just a number."""
    return text if _NUMBER.fullmatch(text) else escape_formula(text)


def sheet_name(wanted: str, taken: Sequence[str]) -> str:
    """A name that Excel accepts for a sheet and that no other one has."""
    plain = " ".join(_SHEET_FORBIDDEN.sub(" ", wanted).split()).strip("' ")
    name = plain = plain[:_MAX_NAME].strip("' ") or "Table"
    used = {"history", *(other.lower() for other in taken)}
    at = 2
    while name.lower() in used:
        end = f" ({at})"
        name, at = plain[: _MAX_NAME - len(end)] + end, at + 1
    return name


def _grid(table: Table) -> list[list[str]]:
    """Labels and rows, all of one width, with the section of each row if there is any."""
    width = len(table.headers)
    rows = [table.headers, *([*row, *[""] * (width - len(row))] for row in table.rows)]
    if not any(table.groups):
        return rows
    return [[group, *row] for group, row in zip([SECTION, *table.groups], rows, strict=True)]


def _write_sheet(book: object, name: str, grid: Sequence[Sequence[str]]) -> None:
    sheet = book.add_worksheet(name)  # type: ignore[attr-defined]
    bold = book.add_format({"bold": True, "text_wrap": True, "valign": "top"})  # type: ignore[attr-defined]
    plain = book.add_format({"valign": "top"})  # type: ignore[attr-defined]
    # Without it, a text would become a formula once somebody edits the cell.
    quoted = book.add_format({"quote_prefix": True, "valign": "top"})  # type: ignore[attr-defined]
    bold_quoted = book.add_format({"quote_prefix": True, "bold": True})  # type: ignore[attr-defined]
    for at, row in enumerate(grid[:_MAX_ROWS]):
        for column, cell in enumerate(row):
            number = None if at == 0 else as_number(cell)
            if number is not None:
                sheet.write_number(at, column, number, plain)
                continue
            text = cell if len(cell) <= _MAX_CELL else cell[: _MAX_CELL - len(_CUT)] + _CUT
            styles = (bold_quoted, quoted) if _STARTS.match(text) else (bold, plain)
            sheet.write_string(at, column, text, styles[0] if at == 0 else styles[1])
    for column, cells in enumerate(zip(*grid[:1000], strict=True)):
        sheet.set_column(column, column, min(max(map(len, cells)) + 2, _WIDEST))
    sheet.freeze_panes(1, 0)


def as_number(text: str) -> float | int | None:
    """The number that a cell is, if nothing of its text is lost by that."""
    if re.fullmatch(r"-?(?:0|[1-9]\d{0,14})", text, re.ASCII) and text != "-0":
        return int(text)
    if re.fullmatch(r"-?(?:0|[1-9]\d{0,9})\.\d{1,6}", text, re.ASCII) and str(float(text)) == text:
        return float(text)
    return None
