"""A line_df as CSV: comma, semicolon, tab or bar, in any usual encoding, or as we export it."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from core.errors import DocumentError
from core.export_codec import (
    MARK,
    Dtype,
    is_text,
    mark_to_dtypes,
    texts_to_column,
    unescape_all,
    unescape_formula,
)
from core.parsers.base import Source
from core.parsers.column_names import map_columns, split_header, without_separator_line
from core.parsers.ready.read import RawFrame, check_names, check_size, decode, distinct_names

_NUMBER = r"^-?(0|[1-9][0-9]{0,14})(\.[0-9]+)?([eE][+-]?[0-9]+)?$"
"""Numbers that lose nothing as numbers: "007" and "1,5" stay text."""
_WITH_COMMA = r"^-?[0-9]+,[0-9]+$|" + _NUMBER


def read_csv(source: Source, *, row_df: bool = False) -> RawFrame:
    """The frame in a CSV file, types restored if it is an export of ours.

    Raises:
        DocumentError: rows and header do not fit, or there is no header.
        LineFrameError: columns that cannot be those of a line_df.
        LimitExceeded: too many lines.
    """
    text, notes = decode(source)
    table, delimiter = _read_table(source.name, text)
    check_size(source.name, table.num_rows)
    dtypes = None
    if table.num_columns and (marks := [at for at, n in enumerate(table.column_names) if _is(n)]):
        dtypes = mark_to_dtypes(table.column_names[marks[-1]])
        table = table.remove_column(marks[-1])
    names, renamed = distinct_names(table.column_names)
    if dtypes is None:
        frame = _foreign(table, names, delimiter, notes)
    else:
        names = [unescape_formula(name) for name in names]
        frame = _own(table, names, dtypes, notes)
    check_names(source.name, names, row_df=row_df)
    return RawFrame(frame, notes=[*notes, *renamed], is_export=dtypes is not None)


def _is(name: str) -> bool:
    return name.startswith(MARK) and mark_to_dtypes(name) is not None


def _read_table(name: str, text: str) -> tuple[pa.Table, str]:
    """All columns as text; an empty field is null, a quoted empty one is ""."""
    text = without_separator_line(text.lstrip("\r\n"))
    header, delimiter = split_header(text)
    data = text.encode("utf-8", "replace")
    # The header is read as a row like any other, since names may occur twice.
    places = [str(at) for at in range(max(len(header), 1))]
    try:
        table = pa_csv.read_csv(
            pa.BufferReader(data),
            read_options=pa_csv.ReadOptions(
                column_names=places,
                use_threads=False,  # else errors do not name their row
                # One block: no row may be longer than a block, and texts may be long.
                block_size=min(max(len(data) + 1, 1024), 2**31 - 1),
            ),
            parse_options=pa_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            convert_options=pa_csv.ConvertOptions(
                column_types=dict.fromkeys(places, pa.large_string()),
                null_values=[""],
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )
    except pa.ArrowException as error:
        raise DocumentError(
            f"{name} is no well-formed CSV file ({str(error).splitlines()[0][:200]}). Give each "
            f"row as many fields as the header has, and put text with {delimiter!r}, quotes or "
            f"line breaks in quotes."
        ) from error
    names = [column[0].as_py() or "" for column in table.columns]
    return table.slice(1).rename_columns(names), delimiter


def _own(
    table: pa.Table, names: list[str], dtypes: dict[str, Dtype], notes: list[str]
) -> pd.DataFrame:
    columns = {}
    for name, column in zip(names, table.columns, strict=True):
        texts = column.combine_chunks()
        dtype = dtypes.get(name, "str")
        columns[name] = restore(
            name, unescape_all(texts) if is_text(dtype) else texts, dtype, notes
        )
    return pd.DataFrame(columns)


def restore(name: str, texts: pa.Array, dtype: Dtype, notes: list[str]) -> pd.Series:
    """A column with the type it was exported with; as text, and noted, if it was edited since."""
    try:
        return texts_to_column(texts, dtype)
    except (ValueError, TypeError, OverflowError, RecursionError):
        notes.append(f"Column {name!r} holds values that are not {dtype!r} any more: kept as text.")
        return texts_to_column(texts, "str")


def _foreign(table: pa.Table, names: list[str], delimiter: str, notes: list[str]) -> pd.DataFrame:
    mapped = map_columns(names)
    numbers = {mapped.plain.get("page_num"), mapped.plain.get("line_num"), *mapped.box}
    commas = []
    columns = {}
    for name, column in zip(names, table.columns, strict=True):
        texts = column.combine_chunks()
        if name == mapped.plain.get("text"):
            columns[name] = texts_to_column(texts, "str")
            continue
        if delimiter != "," and name in numbers and _all_match(texts, _WITH_COMMA):
            changed = pc.replace_substring(texts, ",", ".")
            if not changed.equals(texts):
                commas.append(name)
            texts = changed
        columns[name] = _as_number(texts)
    if commas:
        notes.append(f"Decimal commas are read as points in {', '.join(map(repr, commas))}.")
    return pd.DataFrame(columns)


def _as_number(texts: pa.Array) -> pd.Series:
    if texts.null_count == len(texts) or not _all_match(texts, _NUMBER):
        return texts_to_column(texts, "str")
    whole = not texts.null_count and _all_match(texts, r"^-?[0-9]+$")
    return texts_to_column(texts, "int64" if whole else "float64")


def _all_match(texts: pa.Array, pattern: str) -> bool:
    return pc.all(pc.match_substring_regex(texts, pattern)).as_py() is not False
