"""What the command line writes: results to standard output, everything else to standard error.

A document's text may hold control characters that steer a terminal: tables and messages never
pass them on, JSON escapes them, and CSV keeps them only where it does not go to a terminal.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

# C0, DEL and C1, and the marks that turn the direction of what follows.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_STEERING = re.compile(f"(?!\n){_CONTROL.pattern}")
"""The same but for line breaks."""
_SPACES = re.compile(r"[\t\r\n\x0b\x0c\x85\u2028\u2029]+")

_ENDLESS = 1_000_000
"""Width of a table that goes into a file: lines are never broken there."""


class Shape(StrEnum):
    """How results are written."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


def choose_shape(shape: Shape | None) -> Shape:
    """The one asked for, else a table on a terminal and JSON into a file or pipe."""
    return shape or (Shape.TABLE if sys.stdout.isatty() else Shape.JSON)


def plain(text: object) -> str:
    """The text on one line, control characters shown as \ufffd."""
    return _CONTROL.sub("\ufffd", _SPACES.sub(" ", str(text)))


def warn(message: object) -> None:
    """A line on standard error."""
    try:
        print(plain(message), file=sys.stderr)
    except UnicodeEncodeError:
        print(plain(message).encode("ascii", "replace").decode(), file=sys.stderr)


def write_out(text: str) -> None:
    """Write to standard output; a reader that has seen enough, as `head`, is no error."""
    try:
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        # Else Python complains about it once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_json(value: Any) -> None:
    """As JSON, two spaces deep."""
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False, default=str)
    # The line breaks are those between values: JSON escapes the ones inside of texts.
    write_out(_STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")


def write_csv(records: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> None:
    """As CSV, lists as JSON, text that could be a formula with an apostrophe before it."""
    from core.export_codec import escape_formula

    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for record in records:
        cells = [_csv_cell(record.get(name)) for name in columns]
        writer.writerow([escape_formula(c) if isinstance(c, str) else c for c in cells])
    text = out.getvalue()
    write_out(_STEERING.sub("\ufffd", text) if sys.stdout.isatty() else text)


def write_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """As a table with lines, long cells folded to the width of the terminal."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(plain(title)), title_justify="left", box=box.SIMPLE_HEAD)
    for name in columns:
        table.add_column(Text(name), overflow="fold")
    for row in rows:
        table.add_row(*(Text("" if cell is None else plain(cell)) for cell in row))
    _render(table)


def write_lines(lines: Iterable[str]) -> None:
    """Lines of plain text."""
    write_out("".join(f"{plain(line)}\n" for line in lines))


def to_records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """One mapping per row, NaN as None."""
    without = frame.astype(object).where(frame.notna(), None)
    names = [str(name) for name in frame.columns]
    return [dict(zip(names, row, strict=True)) for row in without.to_numpy().tolist()]


def print_records(
    title: str,
    records: list[dict[str, Any]],
    shape: Shape,
    *,
    columns: list[str] | None = None,
    hide: tuple[str, ...] = (),
) -> None:
    """Records in one of the three shapes, with these columns or all that they have."""
    given = columns or list(dict.fromkeys(name for record in records for name in record))
    names = [name for name in given if name not in hide]
    match shape:
        case Shape.JSON:
            write_json([{name: record.get(name) for name in names} for record in records])
        case Shape.CSV:
            write_csv(records, names)
        case Shape.TABLE:
            names = [name for name in names if any(name in record for record in records)]
            if not records:
                warn(f"{title}: none.")
                return
            write_table(
                f"{title}: {len(records):,}",
                names,
                ([record.get(name) for name in names] for record in records),
            )


def _render(table: Any) -> None:
    from rich.console import Console

    on_terminal = sys.stdout.isatty()
    out = io.StringIO()
    console = Console(
        file=out,
        force_terminal=on_terminal,
        width=None if on_terminal else _ENDLESS,
        highlight=False,
        markup=False,
        emoji=False,
    )
    console.print(table)
    write_out("\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n")


def _csv_cell(value: Any) -> Any:
    if value is None or isinstance(value, str | int | float):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)
