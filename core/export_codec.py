"""Columns as text and back without loss, and the escape that keeps text from being a formula.

CSV and JSON know no types. An export of ours says what each column was, as `dtypes`: a mapping
from column to a type's name, "json" for columns of lists and other nested values, or
{"categories": [...], "ordered": bool, "of": type} for a categorical one. CSV carries it in the
name of one more column, always empty, that begins with `MARK`: that is how a reader tells our
escaped text from a text that happens to begin with an apostrophe.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pandas.api import types

MARK = "rowlens:"
"""Begins the name of the column that says that a CSV file is an export of ours."""

PARQUET_MARK = b"rowlens_dtypes"
"""The key of the same in the metadata of a Parquet file."""

JSON_CELLS = "json"

Dtype = str | dict[str, Any]

FORMULA_STARTS = "=+\\-@\t\r\n＝＋－＠"
"""What spreadsheets take for the beginning of a formula, as a character class."""

# An apostrophe before such a text is escaped too, so that taking one away undoes it exactly.
_ESCAPE = f"^('*[{FORMULA_STARTS}])"
_UNESCAPE = f"^'('*[{FORMULA_STARTS}])"
_NAMED = re.compile(
    r"str|string|object|json|bool|boolean|u?int(8|16|32|64)|U?Int(8|16|32|64)|[fF]loat(16|32|64)"
    r"|(datetime|timedelta)64\[[\w, /+:-]{1,60}\]"
)


def escape_formula(text: str) -> str:
    """The text with an apostrophe in front if a spreadsheet could take it for a formula."""
    return re.sub(_ESCAPE, r"'\1", text)


def unescape_formula(text: str) -> str:
    """Undoes `escape_formula`, exactly."""
    return re.sub(_UNESCAPE, r"\1", text)


def escape_all(texts: pa.Array) -> pa.Array:
    """`escape_formula` over a column."""
    return pc.replace_substring_regex(texts, _ESCAPE, r"'\1", max_replacements=1)


def unescape_all(texts: pa.Array) -> pa.Array:
    """`unescape_formula` over a column."""
    return pc.replace_substring_regex(texts, _UNESCAPE, r"\1", max_replacements=1)


def clean_text(text: str) -> str:
    """The text without lone surrogates, which no file in UTF-8 can hold: U+FFFD instead."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def to_texts(texts: list[str | None]) -> pa.Array:
    """Strings and None as an Arrow column."""
    try:
        return pa.array(texts, pa.large_string())
    except UnicodeEncodeError:
        cleaned = [None if text is None else clean_text(text) for text in texts]
        return pa.array(cleaned, pa.large_string())


def is_text(dtype: Dtype) -> bool:
    """Whether a column of this type holds text that somebody wrote."""
    if isinstance(dtype, dict):
        return is_text(dtype["of"])
    return dtype in ("str", "string", "object")


def column_to_texts(column: pd.Series) -> tuple[pa.Array, Dtype]:
    """A column as text, missing values as null, and what it was."""
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        texts, of = column_to_texts(dtype.categories.to_series())
        codes = column.cat.codes.to_numpy()
        taken = texts.take(pa.array(codes, pa.int64(), mask=codes < 0))
        mark = {"categories": texts.to_pylist(), "ordered": bool(dtype.ordered), "of": of}
        return taken, mark
    if isinstance(dtype, pd.StringDtype):
        return to_texts(_or_none(column)), str(dtype)
    named = str(dtype) if _NAMED.fullmatch(str(dtype)) else "str"
    if types.is_numeric_dtype(dtype) and named != "str":  # truth values are numbers here
        return pa.array(column, from_pandas=True).cast(pa.large_string()), named
    values = _or_none(column)
    if not types.is_object_dtype(dtype):
        return to_texts([None if value is None else str(value) for value in values]), named
    if all(value is None or isinstance(value, str) for value in values):
        return to_texts(values), "object"
    return to_texts([None if value is None else _as_json(value) for value in values]), JSON_CELLS


def texts_to_column(texts: pa.Array, dtype: Dtype) -> pd.Series:
    """A column of the type that `column_to_texts` named.

    Raises:
        ValueError: a text is no value of that type; pa.ArrowInvalid, its subclass, too.
    """
    if isinstance(dtype, dict):
        of = texts_to_column(to_texts(dtype["categories"]), dtype["of"])
        codes = pc.index_in(texts, to_texts(dtype["categories"])).fill_null(-1)
        if pc.any(pc.and_(pc.equal(codes, -1), texts.is_valid())).as_py():
            raise ValueError("a value is none of the categories")
        kind = pd.CategoricalDtype(pd.Index(of), dtype["ordered"])
        return pd.Series(pd.Categorical.from_codes(codes.to_numpy(False), dtype=kind))
    if dtype == JSON_CELLS:
        cells = [None if text is None else json.loads(text) for text in texts.to_pylist()]
        return pd.Series(cells, dtype=object)
    if dtype == "object":
        return pd.Series(texts.to_pylist(), dtype=object)
    if is_text(dtype):
        return pd.Series(texts.to_pylist(), dtype=dtype)
    if dtype.lower().startswith("bool"):
        flags = pc.utf8_lower(texts).cast(pa.bool_()).to_pylist()
        if dtype == "bool" and None in flags:
            raise ValueError("a flag is missing")
        return pd.Series(flags, dtype=dtype)
    if dtype.lower().startswith("float"):
        floats = pc.utf8_lower(texts).cast(pa.float64())
        if dtype[0] == "F":
            return pd.Series(pd.array(floats.to_pylist(), dtype=dtype))
        return pd.Series(floats.to_numpy(zero_copy_only=False).astype(dtype))
    if "int" in dtype.lower():
        whole = pa.uint64() if dtype.lower().startswith("u") else pa.int64()
        numbers = texts.cast(whole)
        if dtype.islower() and not numbers.null_count:
            return pd.Series(numbers.to_numpy(zero_copy_only=False).astype(dtype))
        return pd.Series(numbers.to_pylist(), dtype=dtype)
    return pd.Series(texts.to_pylist()).astype(types.pandas_dtype(dtype))


def restore_column(column: pd.Series, dtype: Dtype | None) -> pd.Series:
    """A column that Parquet gave back, as what Parquet does not keep says: categories, lists.

    Raises:
        ValueError: its values are not of that type.
    """
    if isinstance(dtype, dict):
        return texts_to_column(column_to_texts(column)[0], dtype)
    if dtype == JSON_CELLS:
        if isinstance(column.dtype, pd.StringDtype):
            return texts_to_column(to_texts(_or_none(column)), dtype)
        cells = [v.tolist() if isinstance(v, np.ndarray) else v for v in _or_none(column)]
        return pd.Series(cells, index=column.index, dtype=object)
    return column


def known_dtypes(given: object) -> dict[str, Dtype]:
    """The types a file names, as far as they are such as we write."""
    if not isinstance(given, Mapping):
        return {}
    return {str(name): dtype for name, dtype in given.items() if _is_known(dtype)}


def dtypes_to_mark(dtypes: Mapping[str, Dtype]) -> str:
    """Name of the CSV column that carries the types."""
    return MARK + json.dumps({"dtypes": dtypes})


def mark_to_dtypes(name: str) -> dict[str, Dtype] | None:
    """The types in the name of a CSV column, None if it is not the mark of an export."""
    return load_dtypes(name.removeprefix(MARK)) if name.startswith(MARK) else None


def load_dtypes(text: str | bytes) -> dict[str, Dtype] | None:
    """The types in the JSON of a mark, None if it is none."""
    try:
        mark = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return known_dtypes(mark.get("dtypes")) if isinstance(mark, dict) else None


def _is_known(dtype: object) -> bool:
    if isinstance(dtype, str):
        return _NAMED.fullmatch(dtype) is not None
    return (
        isinstance(dtype, dict)
        and isinstance(dtype.get("of"), str)
        and _is_known(dtype["of"])
        and isinstance(dtype.get("ordered"), bool)
        and isinstance(dtype.get("categories"), list)
        and all(isinstance(text, str) for text in dtype["categories"])
    )


def _or_none(column: pd.Series) -> list[Any]:
    missing = column.isna().to_numpy()
    values = column.astype(object).to_numpy(dtype=object, copy=True)
    values[missing] = None
    return values.tolist()


def _as_json(value: object) -> str:
    return json.dumps(value, default=_plain)


def _plain(value: object) -> object:
    """What JSON does not know, as something it does."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, set | frozenset):
        return sorted(value, key=str)
    return str(value)
