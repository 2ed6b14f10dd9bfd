"""The bytes of a Parquet, CSV or JSON file -> the frame in it, columns as they are called there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn

import pandas as pd

from core.errors import DocumentError, LimitExceeded, LineFrameError
from core.export_codec import PARQUET_MARK, load_dtypes, restore_column
from core.limits import get_limits
from core.parsers.base import Source
from core.parsers.column_names import is_row_df
from core.parsers.formats import Format

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class RawFrame:
    """A frame as it stands in a file."""

    line_df: pd.DataFrame
    """Any columns, names distinct."""
    page_df: pd.DataFrame | None = None
    """Page sizes, where the file holds them."""
    notes: list[str] = field(default_factory=list)
    is_export: bool = False
    """Written by `core.export`, so that its boxes are those of the contract already."""


def read_frame(source: Source, format_: Format, *, row_df: bool = False) -> RawFrame:
    """The line_df in a file of one of the three formats, or with `row_df` the row_df.

    Raises:
        DocumentError: damaged, or it holds no frame.
        LineFrameError: columns that cannot be those of a line_df.
        LimitExceeded: too many lines.
    """
    if format_ is Format.PARQUET:
        return _read_parquet(source, row_df)
    if format_ is Format.FRAME_JSON:
        from core.parsers.ready.json import read_json

        return read_json(source, row_df=row_df)
    from core.parsers.ready.csv import read_csv

    return read_csv(source, row_df=row_df)


def check_size(name: str, n_lines: int) -> None:
    """Let a frame pass that is not too long.

    Raises:
        LimitExceeded: it is.
    """
    most = get_limits().lines
    if n_lines > most:
        raise LimitExceeded.of(name, f"holds {n_lines:,} lines", "lines", most, "lines")


def check_names(name: str, columns: Sequence[str], *, row_df: bool = False) -> None:
    """Let columns pass that may be those of a line_df, or of the row_df that is wanted.

    Raises:
        LineFrameError: they are those of a row_df.
    """
    if is_row_df(columns) and not row_df:
        refuse_row_df(name)


def refuse_row_df(name: str) -> NoReturn:
    """Say that a row_df is no line_df.

    Raises:
        LineFrameError: always.
    """
    raise LineFrameError(
        f"{name} is a row_df (it has the column 'row_serialized'), but line_df is needed: the "
        f"lines of the document, one text per line. Export line_df, or read the row_df with "
        f"core.export.read_row_df."
    )


def distinct_names(columns: Sequence[object]) -> tuple[list[str], list[str]]:
    """Column names as text, each once, and notes on those that had to be changed."""
    names: list[str] = []
    notes = []
    for column in columns:
        name = wanted = str(column)
        at = 2
        while name in names:
            name, at = f"{wanted}_{at}", at + 1
        if name != wanted:
            notes.append(f"There are several columns {wanted!r}: a further one is called {name!r}.")
        names.append(name)
    return names, notes


def decode(source: Source) -> tuple[str, list[str]]:
    """A text file's text, by its byte order mark, as UTF-8 or as Windows-1252, and notes.

    Raises:
        DocumentError: the bytes are no text.
    """
    data = source.data
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            text = data.decode(encoding, "replace")
            return text.removeprefix("\ufeff"), _damage(text, encoding.upper())
    try:
        return data.decode(), []
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    # A UTF-8 file with a fault has many characters beyond ASCII that are right; one in a
    # one-byte encoding has hardly any that look so.
    right = sum(not character.isascii() for character in text) - wrong
    if wrong > len(text) // 4:
        raise DocumentError(
            f"{source.name} is no text: {wrong:,} of its {len(text):,} characters are none in "
            f"UTF-8. Check what kind of file it is."
        )
    if right > wrong:
        return text, _damage(text, "UTF-8")
    return data.decode("cp1252", "replace"), ["The file is not UTF-8: read as Windows-1252."]


_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
    (b"\xef\xbb\xbf", "utf-8"),
)


def _damage(text: str, encoding: str) -> list[str]:
    wrong = text.count("\ufffd")
    what = "1 character is" if wrong == 1 else f"{wrong:,} characters are"
    return [f"{what} damaged ({encoding}): shown as \ufffd."] if wrong else []


def _read_parquet(source: Source, row_df: bool) -> RawFrame:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(pa.BufferReader(source.data))
        check_size(source.name, file.metadata.num_rows)
        groups = [file.metadata.row_group(at) for at in range(file.metadata.num_row_groups)]
        unpacked = sum(group.total_byte_size for group in groups) / MEGABYTE
        most = get_limits().unzipped_mb
        if unpacked > most:
            raise LimitExceeded.of(
                source.name, f"unpacks to {unpacked:,.0f} MB", "unzipped_mb", most, "MB"
            )
        check_names(source.name, file.schema_arrow.names, row_df=row_df)
        table = file.read()
        table.validate(full=True)
        line_df = table.to_pandas()
    except (LimitExceeded, LineFrameError):
        raise
    except Exception as error:  # Arrow raises several unrelated types here
        raise DocumentError(
            f"{source.name} is a damaged Parquet file ({_short(error)}). Write it again, for "
            f"instance with DataFrame.to_parquet."
        ) from error
    kept = [name for name in line_df.index.names if name is not None]
    line_df = line_df.reset_index(kept) if kept else line_df
    names, notes = distinct_names(line_df.columns.tolist())
    line_df = line_df.set_axis(names, axis=1).reset_index(drop=True)
    dtypes = load_dtypes((table.schema.metadata or {}).get(PARQUET_MARK, b""))
    for name, dtype in (dtypes or {}).items():
        if name in names:
            try:
                line_df = line_df.assign(**{name: restore_column(line_df[name], dtype)})
            except (ValueError, TypeError, RecursionError):
                notes.append(f"Column {name!r} holds values that are not {dtype!r} any more.")
    return RawFrame(line_df, notes=notes, is_export=dtypes is not None)


def _short(error: Exception) -> str:
    return str(error).strip().split("\n")[0][:200] or type(error).__name__
