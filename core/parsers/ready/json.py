"""A line_df as JSON: records, columns, split or table layout, JSON Lines, or as we export it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from core.errors import DocumentError, LineFrameError
from core.export_codec import JSON_CELLS, Dtype, clean_text, known_dtypes, to_texts
from core.parsers.base import Source
from core.parsers.column_names import is_row_df, map_columns
from core.parsers.ready.csv import restore
from core.parsers.ready.read import (
    RawFrame,
    check_names,
    check_size,
    decode,
    distinct_names,
    refuse_row_df,
)

LINE_KEYS = ("line_df", "lines")
ROW_KEYS = ("row_df",)
PAGE_KEYS = ("page_df", "pages")
_KINDS = {str: "a text", bool: "a truth value", type(None): "null"}
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_SHAPES = (
    'Give a list of records such as [{"page_num": 1, "line_num": 1, "text": "..."}], '
    'or {"line_df": [...], "page_df": [...]}.'
)


def read_json(source: Source, *, row_df: bool = False) -> RawFrame:
    """The frame in a JSON file.

    Raises:
        DocumentError: no JSON, or none that holds a frame.
        LineFrameError: columns that cannot be those of a line_df, or of different lengths.
        LimitExceeded: too many lines.
    """
    text, notes = decode(source)
    value = _load(source.name, text)
    if _SURROGATE.search(text):
        value = _clean(value)
    page_df = None
    dtypes: dict[str, Dtype] = {}
    keys = ROW_KEYS if row_df else (*LINE_KEYS, *ROW_KEYS)
    found = [key for key in keys if isinstance(value, dict) and key in value]
    if found and not _is_record(value):
        sizes = next((value[key] for key in PAGE_KEYS if value.get(key)), None)
        if sizes is not None:
            page_df = _frame(source.name, sizes, {}, notes)
        dtypes = known_dtypes(value.get("dtypes"))
        if found[0] in ROW_KEYS and not row_df:
            refuse_row_df(source.name)
        value = value[found[0]]
    line_df = _frame(source.name, value, dtypes, notes)
    check_names(source.name, line_df.columns.tolist(), row_df=row_df)
    return RawFrame(line_df, page_df, notes, is_export=bool(dtypes))


def _load(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError as error:
        raise DocumentError(f"{name} is nested too deeply to be a frame. {_SHAPES}") from error
    except ValueError as error:
        lines = text.splitlines() if isinstance(error, json.JSONDecodeError) else []
        fault = error
    if len(lines) > 1 and fault.msg == "Extra data":  # type: ignore[attr-defined]
        return [_load_line(name, at, line) for at, line in enumerate(lines, 1) if line.strip()]
    raise DocumentError(f"{name} is damaged JSON ({fault}). Write it again.") from fault


def _load_line(name: str, at: int, line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DocumentError(
            f"{name} is damaged JSON Lines: line {at} is no JSON value ({error}). Write it again."
        ) from error


def _clean(value: Any) -> Any:
    """The value without lone surrogates in its texts."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {clean_text(key): _clean(item) for key, item in value.items()}
    return value


def _is_record(value: Mapping[str, Any]) -> bool:
    """Whether it is one line by itself."""
    text = map_columns(value).plain.get("text")
    return text is not None and not isinstance(value[text], list | dict)


def _frame(name: str, value: Any, dtypes: dict[str, Dtype], notes: list[str]) -> pd.DataFrame:
    columns = _columns(name, value, dtypes)
    lengths = {column: len(values) for column, values in columns.items()}
    for column, length in lengths.items():
        first = next(iter(lengths))
        if length != lengths[first]:
            raise LineFrameError(
                f"{name}: the column {column!r} has {length:,} values, but {first!r} has "
                f"{lengths[first]:,}: the first row without a value is "
                f"{min(length, lengths[first])}. Give all columns the same length."
            )
    check_size(name, max(lengths.values(), default=0))
    return pd.DataFrame(
        {
            column: _series(column, values, dtypes.get(column), notes)
            for column, values in columns.items()
        }
    )


def _columns(name: str, value: Any, dtypes: Mapping[str, Dtype]) -> dict[str, list[Any]]:
    """Any of the usual layouts as lists by column."""
    if isinstance(value, list):
        return _records(name, value, list(dtypes))
    if not isinstance(value, dict):
        kind = _KINDS.get(type(value), "a number")
        raise DocumentError(f"{name} holds {kind}, no frame. {_SHAPES}")
    if _is_record(value):
        return _records(name, [value], [])
    names, data = value.get("columns"), value.get("data")
    if isinstance(data, list) and isinstance(names, list):
        return _split(name, names, data)
    if isinstance(data, list) and isinstance(value.get("schema"), dict):
        return _records(name, data, [])
    if value and all(isinstance(column, list) for column in value.values()):
        return value
    if value and all(isinstance(column, dict) for column in value.values()):
        if "text" in map_columns(value).plain or is_row_df(value):
            return {column: list(values.values()) for column, values in value.items()}
        return _records(name, list(value.values()), [])
    raise DocumentError(
        f"{name} is JSON, but no frame: its keys are "
        f"{', '.join(repr(key)[:40] for key in list(value)[:6]) or 'none'}. {_SHAPES}"
    )


def _records(name: str, records: Sequence[Any], names: list[str]) -> dict[str, list[Any]]:
    wrong = next((at for at, record in enumerate(records) if not isinstance(record, dict)), None)
    if wrong is not None:
        raise LineFrameError(
            f"{name}: row {wrong} is {str(records[wrong])[:40]!r}, no record of columns. {_SHAPES}"
        )
    found = dict.fromkeys(names)
    for record in records:
        found.update(dict.fromkeys(record))
    return {column: [record.get(column) for record in records] for column in found}


def _split(name: str, names: list[Any], data: list[Any]) -> dict[str, list[Any]]:
    for at, row in enumerate(data):
        if not isinstance(row, list) or len(row) != len(names):
            size = f"{len(row)} values" if isinstance(row, list) else "no list of values"
            raise LineFrameError(
                f"{name}: row {at} of 'data' has {size}, but there are {len(names)} columns "
                f"({', '.join(map(repr, map(str, names)))[:200]}). Give one value per column."
            )
    columns, _ = distinct_names(names)
    return {column: [row[at] for row in data] for at, column in enumerate(columns)}


def _series(name: str, values: list[Any], dtype: Dtype | None, notes: list[str]) -> pd.Series:
    if dtype is not None and dtype != JSON_CELLS:
        texts = [
            value if value is None or isinstance(value, str) else str(value) for value in values
        ]
        return restore(name, to_texts(texts), dtype, notes)
    column = pd.Series(values, dtype=object)
    if dtype == JSON_CELLS or any(isinstance(value, list | dict) for value in values):
        return column
    try:
        return column.infer_objects()
    except (ValueError, TypeError, OverflowError):
        return column
