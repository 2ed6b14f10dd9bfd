"""The commands and their help. Libraries are imported when a command runs."""

from __future__ import annotations

import sys
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.options import (
    Beside,
    Exit,
    FileFormat,
    Files,
    Format,
    HeaderRows,
    Ocr,
    OneFile,
    PageNumbers,
    ParserName,
    Strict,
    header_lines,
    page_numbers,
)
from core.cli.printing import (
    Shape,
    choose_shape,
    print_records,
    to_records,
    warn,
    write_csv,
    write_json,
    write_lines,
)
from core.cli.reading import PASSWORD_VARIABLE, Reading
from core.errors import OptionError, UnknownParserError

if TYPE_CHECKING:
    import pandas as pd

_EXIT_CODES = f"""
**Exit codes**: 0 fine; 1 `lint` found errors, or `ask` found nothing; 2 wrong usage; 3 a document
could not be read (the others are done, standard error says why); 4 a result could not be written;
70 a fault of this program; 130 interrupted.

**Passwords** are asked for on a terminal, or taken from the variable {PASSWORD_VARIABLE}; never
from the command line, where other users could see them.

Results go to standard output: as a table on a terminal, as JSON into a file or pipe, unless
`--format` says otherwise. Notes, errors and progress go to standard error.
"""

app = typer.Typer(
    name="python -m core",
    help="See what a retrieval pipeline sees in the tables of a document.\n" + _EXIT_CODES,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run the command line; ends the process with one of the exit codes."""
    try:
        app(prog_name="python -m core")
    except Exception:
        traceback.print_exc()
        sys.exit(Exit.FAULT)


@app.command()
def parse(
    files: Files,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write line_df, page_df, toc_df and row_df into DIR/<name of the file>/.",
        ),
    ] = None,
    file_format: Annotated[
        FileFormat, typer.Option("--format", help="Kind of the files written.")
    ] = FileFormat.PARQUET,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace what an earlier run wrote.")
    ] = False,
    parser: ParserName = "auto",
    ocr: Ocr = False,
    beside: Beside = None,
    pages: PageNumbers = None,
    strict: Strict = False,
    header_rows: HeaderRows = None,
) -> None:
    """Read documents into frames, and say what is in them.

    A line_df written here opens again as a document: with --parser frame, or in the app.
    """
    from core.cli.files import Output, OutputError

    reading = Reading(parser, ocr, beside, page_numbers(pages))
    by_hand = header_lines(header_rows)
    output = None if out is None else Output(out, file_format, overwrite=overwrite)
    summary, unwritten = [], 0
    with _usage_errors():
        begun = time.monotonic()
        for path, document in reading.read_all(files):
            row_df = _rows(document.line_df, strict, by_hand)
            folder = None
            if output is not None:
                frames = {n: getattr(document, n) for n in ("line_df", "page_df", "toc_df")}
                try:
                    folder = output.write(path, {**frames, "row_df": row_df})
                except OutputError as error:
                    unwritten += 1
                    warn(f"{path}: {error}")
            summary.append(
                {
                    "file": str(path),
                    "parser": document.parser,
                    "pages": len(document.page_df),
                    "lines": len(document.line_df),
                    "tables": int(row_df["table_id"].nunique()),
                    "rows": len(row_df),
                    "seconds": round(time.monotonic() - begun, 2),
                    "folder": None if folder is None else str(folder),
                }
            )
            begun = time.monotonic()
    print_records("Documents", summary, choose_shape(None), hide=() if out else ("folder",))
    _end(reading, Exit.UNWRITTEN if unwritten else Exit.FINE)


@app.command()
def rows(
    file: OneFile,
    table: Annotated[
        str | None, typer.Option(metavar="t2", help="Only the rows of this table.")
    ] = None,
    parser: ParserName = "auto",
    ocr: Ocr = False,
    beside: Beside = None,
    pages: PageNumbers = None,
    strict: Strict = False,
    header_rows: HeaderRows = None,
    shape: Format = None,
) -> None:
    """Print the rows of all tables as retrieval sees them: `col: val | col: val`."""
    reading = Reading(parser, ocr, beside, page_numbers(pages))
    by_hand = header_lines(header_rows)
    with _usage_errors():
        for _, document in reading.read_all([file]):
            row_df = _rows(document.line_df, strict, by_hand)
            if table is not None:
                if table not in set(row_df["table_id"]):
                    raise OptionError(
                        f"--table is {table!r}, but {file.name} has "
                        f"{', '.join(row_df['table_id'].unique()) or 'no tables'}."
                    )
                row_df = row_df[row_df["table_id"] == table]
            shown = choose_shape(shape)
            keep = ["table_id", "page_num", "line_num", "row_serialized"]
            records = to_records(row_df if shown is not Shape.TABLE else row_df[keep])
            print_records("Rows", records, shown, columns=row_df.columns.tolist())
    _end(reading)


@app.command()
def ask(
    file: OneFile,
    question: Annotated[str, typer.Argument(help="In words.", show_default=False)],
    threshold: Annotated[
        float,
        typer.Option(
            min=0.0, max=1.0, help="Share of matched rows from which a table is returned whole."
        ),
    ] = 0.6,
    parser: ParserName = "auto",
    ocr: Ocr = False,
    beside: Beside = None,
    pages: PageNumbers = None,
    strict: Strict = False,
    header_rows: HeaderRows = None,
    shape: Format = None,
) -> None:
    """Ask a document: the rows, or the whole tables, that answer, each with page and line."""
    from core.cli.answers import answer_to_dict, answer_to_lines, answer_to_records

    reading = Reading(parser, ocr, beside, page_numbers(pages))
    by_hand = header_lines(header_rows)
    found = False
    with _usage_errors():
        for _, document in reading.read_all([file]):
            from core.retrieval import retrieve

            row_df = _rows(document.line_df, strict, by_hand)
            answer = retrieve(question, document.line_df, row_df, widen_threshold=threshold)
            found = answer.found
            for note in answer.notes:
                warn(note)
            match choose_shape(shape):
                case Shape.JSON:
                    write_json(answer_to_dict(answer))
                case Shape.CSV:
                    write_csv(answer_to_records(answer), ("page_num", "line_num", "text"))
                case Shape.TABLE:
                    write_lines(answer_to_lines(answer))
    _end(reading, Exit.FINE if found else Exit.FOUND)


@app.command()
def lint(
    files: Files,
    parser: ParserName = "auto",
    ocr: Ocr = False,
    beside: Beside = None,
    pages: PageNumbers = None,
    strict: Strict = False,
    header_rows: HeaderRows = None,
    shape: Format = None,
) -> None:
    """List what looks wrong with the tables of documents, worst first in each table.

    Ends with code 1 if anything is an error, where wrong answers are likely.
    """
    reading = Reading(parser, ocr, beside, page_numbers(pages))
    by_hand = header_lines(header_rows)
    records = []
    with _usage_errors():
        for path, document in reading.read_all(files):
            from dataclasses import asdict

            from core.lint import lint_tables
            from core.tables import read_tables

            tables = read_tables(document.line_df, strict=strict, header_rows=by_hand)
            lints = lint_tables(tables, document.page_df)
            records += [{"file": str(path), **asdict(found)} for found in lints]
    names = ["file", "table_id", "page_num", "line_num", "severity", "code", "message"]
    shown = choose_shape(shape)
    extra = ["why", "remedy", "role", "row_index", "column", "count"]
    columns = names if shown is Shape.TABLE else [*names, *extra]
    print_records("Findings", records, shown, columns=columns)
    errors = any(record["severity"] == "error" for record in records)
    _end(reading, Exit.FOUND if errors else Exit.FINE)


class _usage_errors:
    """Options that do not fit the document are wrong usage, as those that fit none."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, OptionError | UnknownParserError):
            warn(f"Error: {error}")
            raise typer.Exit(Exit.USAGE) from error


def _rows(
    line_df: pd.DataFrame, strict: bool, header_rows: dict[str, int | str] | None
) -> pd.DataFrame:
    from core.tables import serialize_table_rows

    return serialize_table_rows(line_df, strict=strict, header_rows=header_rows)


def _end(reading: Reading, code: Exit = Exit.FINE) -> None:
    """Leave with the code that matters most: unwritten, unread, then what was found."""
    if reading.failed and code is not Exit.UNWRITTEN:
        code = Exit.UNREAD
    if code is not Exit.FINE:
        raise typer.Exit(int(code))
