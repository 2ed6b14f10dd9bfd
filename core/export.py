"""Frames and tables as files: Parquet, CSV, JSON, XLSX, Markdown. What a document says never
becomes a formula or a link in a spreadsheet.

line_df comes back through `parse_document(data, "frame")`, row_df through `read_row_df`, with
the same values and types. In CSV, a text that a spreadsheet could take for a formula has an
apostrophe before it, and both readers take it away again.
"""

from __future__ import annotations

import io
import json
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from core.errors import OptionError, RowFrameError, RowlensError
from core.export_codec import (
    JSON_CELLS,
    PARQUET_MARK,
    Dtype,
    column_to_texts,
    dtypes_to_mark,
    escape_all,
    escape_formula,
    is_text,
)
from core.export_tables import table_to_csv, table_to_markdown, tables_to_xlsx
from core.frames import check_row_df

__all__ = [
    "FORMATS",
    "frame_to_bytes",
    "read_row_df",
    "table_to_csv",
    "table_to_markdown",
    "tables_to_xlsx",
]

PARQUET, CSV, JSON = "parquet", "csv", "json"
FORMATS = (PARQUET, CSV, JSON)

_MARKS = {
    "row_df": {"row_serialized"},
    "line_df": {"text"},
    "page_df": {"width", "height"},
    "toc_df": {"level", "title"},
}
"""Columns that tell which frame of the contract one is, for its name in JSON."""

LIST_COLUMNS = ("column_headers", "row_cells")


def frame_to_bytes(frame: pd.DataFrame, format: str) -> bytes:
    """A line_df, row_df or any other frame as a file; the index is left out.

    Parquet holds nested values but for plain lists as JSON text. CSV is in UTF-8, with commas,
    lists as JSON, and a last column without values whose name keeps the types. JSON is
    {"line_df": [one record per line], "dtypes": ...}, or "row_df" and so on.

    Raises:
        OptionError: no such format, or two columns of one name.
    """
    if format not in FORMATS:
        raise OptionError(f"format is {format!r}. Choose one of {', '.join(FORMATS)}.")
    names = [str(name) for name in frame.columns]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise OptionError(f"Two columns are called {twice!r}. Rename one before the export.")
    frame = frame.set_axis(names, axis=1).reset_index(drop=True)
    write = {PARQUET: _to_parquet, CSV: _to_csv, JSON: _to_json}[format]
    return write(frame)


def read_row_df(data: bytes, format: str) -> pd.DataFrame:
    """A row_df that `frame_to_bytes` wrote, or one like it: lists are lists again.

    Raises:
        RowFrameError: damaged, or no row_df.
        OptionError: no such format.
    """
    from core.parsers.base import Source
    from core.parsers.formats import Format
    from core.parsers.ready.read import read_frame

    kinds = {PARQUET: Format.PARQUET, CSV: Format.FRAME_CSV, JSON: Format.FRAME_JSON}
    if format not in kinds:
        raise OptionError(f"format is {format!r}. Choose one of {', '.join(FORMATS)}.")
    try:
        frame = read_frame(Source("row_df", data), kinds[format], row_df=True).line_df
    except RowFrameError:
        raise
    except RowlensError as error:
        raise RowFrameError(str(error)) from error
    lists = {name: _as_lists(frame, name) for name in LIST_COLUMNS if name in frame.columns}
    return check_row_df(frame.assign(**lists))


def _to_parquet(frame: pd.DataFrame) -> bytes:
    columns: dict[str, pd.Series] = {}
    dtypes: dict[str, Dtype] = {}
    for name in frame.columns:
        texts, dtypes[name] = column_to_texts(frame[name])
        # Lists stay lists, for other readers; Arrow would give every mapping the keys of all.
        if dtypes[name] == JSON_CELLS and not _is_lists(frame[name]):
            columns[name] = texts.to_pandas()
    table = pa.Table.from_pandas(frame.assign(**columns), preserve_index=False)
    about = {**(table.schema.metadata or {}), PARQUET_MARK: json.dumps({"dtypes": dtypes})}
    out = io.BytesIO()
    pq.write_table(table.replace_schema_metadata(about), out, compression="zstd")
    return out.getvalue()


def _is_lists(column: pd.Series) -> bool:
    """Whether Arrow holds a column as lists of one kind of scalar."""
    try:
        kind = pa.array(column, from_pandas=True).type
    except (pa.ArrowException, UnicodeEncodeError, OverflowError, TypeError):
        return False
    return pa.types.is_list(kind) and not pa.types.is_nested(kind.value_type)


def _to_csv(frame: pd.DataFrame) -> bytes:
    columns, dtypes = [], {}
    for name in frame.columns:
        texts, dtypes[name] = column_to_texts(frame[name])
        # Text that begins with a sign is text: a number has a type of its own.
        columns.append(escape_all(texts) if is_text(dtypes[name]) else texts)
    names = [*map(escape_formula, frame.columns), dtypes_to_mark(dtypes)]
    columns.append(pa.nulls(len(frame), pa.large_string()))
    table = pa.Table.from_arrays(columns, names=[str(at) for at in range(len(names))])
    out = io.BytesIO()
    # Arrow writes the names of columns as they are but for quotes; ours may hold anything.
    header = pa.Table.from_arrays(
        [pa.array([name], pa.large_string()) for name in names], names=table.column_names
    )
    options = pa_csv.WriteOptions(include_header=False, quoting_style="needed")
    pa_csv.write_csv(header, out, write_options=options)
    pa_csv.write_csv(table, out, write_options=options)
    return out.getvalue()


def _to_json(frame: pd.DataFrame) -> bytes:
    columns: list[list[Any]] = []
    dtypes: dict[str, Dtype] = {}
    for name in frame.columns:
        texts, dtype = column_to_texts(frame[name])
        dtypes[name] = dtype
        columns.append([_native(text, dtype) for text in texts.to_pylist()])
    records = [dict(zip(dtypes, row, strict=True)) for row in zip(*columns, strict=True)]
    key = next((key for key, mark in _MARKS.items() if mark <= set(dtypes)), "line_df")
    # Half a surrogate pair inside a nested value is written as its escape, which JSON allows.
    lines = ",\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    types = json.dumps(dtypes, ensure_ascii=False)
    text = f'{{"{key}": [\n{lines}\n],\n"dtypes": {types}}}\n'
    return text.encode("utf-8", "backslashreplace")


def _native(text: str | None, dtype: Dtype) -> Any:
    """A value as JSON has it."""
    if text is None or isinstance(dtype, dict) or is_text(dtype):
        return text
    if dtype == JSON_CELLS or (dtype.lower().startswith("bool") and text in ("true", "false")):
        return json.loads(text)
    if dtype.lower().startswith(("int", "uint")):
        return int(text)
    if dtype.lower().startswith("float"):
        return float(text) if text.lstrip("-") not in ("inf", "nan") else text
    return text


def _as_lists(frame: pd.DataFrame, name: str) -> pd.Series:
    lists: list[list[str]] = []
    for at, value in enumerate(frame[name].tolist()):
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):
                value = None
        if not hasattr(value, "__len__") or isinstance(value, str | dict):
            raise RowFrameError(f"row_df column {name!r}: no list of texts in row {at}.")
        lists.append(["" if item is None else str(item) for item in value])
    return pd.Series(lists, index=frame.index, dtype=object)
