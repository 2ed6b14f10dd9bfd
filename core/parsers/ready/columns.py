"""The frame of a file -> the columns of a line_df, and notes on what was taken for what. Pure."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from core.errors import LineFrameError
from core.export_codec import clean_text
from core.frames import BOX_COLUMNS, LINE_COLUMNS
from core.parsers.column_names import SIZE, ColumnMap, map_columns

_MOST = 10_000_000
"""No page and no line has a number beyond."""

_SIDES = (("x0", "y0", "x1", "y1"), ("l", "t", "r", "b"), ("left", "top", "right", "bottom"))


def to_line_columns(raw: pd.DataFrame, notes: list[str]) -> pd.DataFrame:
    """The frame with the contract's columns first, in types it accepts; others untouched.

    What was mapped, numbered or missing is added to `notes`. Boxes keep their units.

    Raises:
        LineFrameError: no text or no page number, or values that are none; names column and row.
    """
    mapped = map_columns(raw.columns)
    for name in ("text", "page_num"):
        if name not in mapped.plain:
            known = ", ".join(map(repr, raw.columns[:12].tolist())) or "none at all"
            raise LineFrameError(
                f"line_df has no column {name!r}, nor one that is surely meant so; its columns "
                f"are {known}. It needs {', '.join(LINE_COLUMNS)}; boxes and line numbers may be "
                f"missing."
            )
    columns: dict[str, Any] = {"page_num": _numbers(raw, mapped.plain["page_num"])}
    if "line_num" in mapped.plain:
        columns["line_num"] = _numbers(raw, mapped.plain["line_num"])
    else:
        pages = pd.Series(columns["page_num"])
        columns["line_num"] = (pages.groupby(pages).cumcount() + 1).to_numpy()
        notes.append("There are no line numbers: lines are numbered in the order of the file.")
    columns["text"] = _texts(raw, mapped.plain["text"])
    columns |= _boxes(raw, mapped, notes)
    _note_names(mapped, notes)

    used = {*mapped.plain.values(), *mapped.box}
    rest = [name for name in raw.columns if name not in used]
    clash = [name for name in rest if name in columns]
    columns |= {f"{name}_given" if name in clash else name: raw[name] for name in rest}
    if clash:
        notes.append(
            f"Other columns make the box, so these are kept with '_given' behind their names: "
            f"{', '.join(map(repr, clash))}."
        )
    # In the order of the file, so that an export comes back as it was.
    back = {old: new for new, old in mapped.plain.items()}
    order = list(dict.fromkeys(back.get(name, name) for name in raw.columns))
    order = [*(name for name in order if name in columns)]
    order += [name for name in columns if name not in order]
    return pd.DataFrame(columns, index=raw.index)[order]


def count_from_one(line_df: pd.DataFrame, notes: list[str]) -> tuple[pd.DataFrame, int]:
    """The lines with pages and lines counted from 1, and by how much pages were shifted."""
    shifted = {}
    for name, what in (("page_num", "Pages"), ("line_num", "Lines")):
        if line_df[name].min() == 0:
            shifted[name] = line_df[name] + 1
            notes.append(f"{what} are counted from 0 in the file: 1 is added to each number.")
    return line_df.assign(**shifted), int("page_num" in shifted)


def _note_names(mapped: ColumnMap, notes: list[str]) -> None:
    taken = [f"{old!r} as {new}" for new, old in mapped.plain.items() if old != new]
    if mapped.box and list(mapped.box) != BOX_COLUMNS:
        taken.append(f"{', '.join(map(repr, mapped.box))} as the box")
    if taken:
        notes.append(f"Columns taken: {'; '.join(taken)}.")


def _numbers(raw: pd.DataFrame, name: str) -> np.ndarray:
    """Numbers of pages or lines; whole ones stay to be checked by the contract."""
    numbers = _floats(raw, name)
    beyond = np.flatnonzero(np.isnan(numbers) | (np.abs(numbers) > _MOST) | (numbers % 1 != 0))
    if beyond.size:
        at = int(beyond[0])
        raise LineFrameError(
            f"line_df column {name!r}: {_shown(raw[name].iloc[at])} in row {at} is not a whole "
            f"number of 1 or more. Number pages and lines from 1."
        )
    return numbers.astype(np.int64)


def _floats(raw: pd.DataFrame, name: str) -> np.ndarray:
    column = raw[name]
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(column.dtype.categories.dtype)
    if column.dtype == object:
        _refuse(column, name, (list, dict, tuple, np.ndarray, bytes, bool), "a number")
        column = column.map(_blank_to_none)
    elif isinstance(column.dtype, pd.StringDtype):
        column = column.where(column.str.strip() != "")
    elif not types.is_numeric_dtype(column.dtype) or types.is_bool_dtype(column.dtype):
        raise LineFrameError(
            f"line_df column {name!r} holds {column.dtype} ({_shown(column.iloc[:1].tolist())} in "
            f"row 0), no numbers."
        )
    try:
        numbers = pd.to_numeric(column, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    except (TypeError, ValueError, OverflowError) as error:
        raise LineFrameError(
            f"line_df column {name!r} holds values that are no numbers."
        ) from error
    wrong = np.flatnonzero(np.isnan(numbers) & column.notna().to_numpy())
    if wrong.size:
        at = int(wrong[0])
        raise LineFrameError(
            f"line_df column {name!r}: {_shown(column.iloc[at])} in row {at} is not a number."
        )
    return numbers


def _texts(raw: pd.DataFrame, name: str) -> pd.Series:
    column = raw[name]
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(column.dtype.categories.dtype)
    if isinstance(column.dtype, pd.StringDtype):
        return column
    column = column.astype(object)
    _refuse(column, name, (list, dict, tuple, np.ndarray, bytes), "text")
    texts = ["" if pd.isna(value) else clean_text(str(value)) for value in column]
    return pd.Series(texts, index=raw.index, dtype="str")


def _refuse(column: pd.Series, name: str, kinds: tuple[type, ...], wanted: str) -> None:
    for at, value in enumerate(column):
        if isinstance(value, kinds):
            raise LineFrameError(
                f"line_df column {name!r}: {_shown(value)} in row {at} is not {wanted}."
            )


def _boxes(raw: pd.DataFrame, mapped: ColumnMap, notes: list[str]) -> dict[str, np.ndarray]:
    if not mapped.box:
        notes.append("There are no boxes: nothing can be shown on the page.")
        return {name: np.full(len(raw), np.nan) for name in BOX_COLUMNS}
    if len(mapped.box) == 1:
        four = _whole_boxes(raw[mapped.box[0]], mapped.box[0])
    else:
        four = np.column_stack([_floats(raw, name) for name in mapped.box])
    if mapped.scheme == SIZE:
        four[:, 2:] += four[:, :2]
    infinite = ~np.isfinite(four).all(axis=1) & ~np.isnan(four).all(axis=1)
    if np.isinf(four).any():
        at = int(np.flatnonzero(infinite)[0])
        raise LineFrameError(f"line_df column 'x0': the box in row {at} is not finite.")
    return dict(zip(BOX_COLUMNS, four.T, strict=True))


def _whole_boxes(column: pd.Series, name: str) -> np.ndarray:
    boxes = np.full((len(column), 4), np.nan)
    for at, value in enumerate(column.tolist()):
        box = _whole_box(value)
        if box is None:
            raise LineFrameError(
                f"line_df column {name!r}: {_shown(value)} in row {at} is no box. Give four "
                f"numbers: x0, y0, x1, y1."
            )
        boxes[at] = box
    return boxes


def _whole_box(value: Any) -> list[float] | None:
    """The four sides of a box in any usual form, NaN for none at all; None if it is no box."""
    if isinstance(value, str):
        text = value.strip()
        if text.startswith("{"):
            try:
                value = json.loads(text)
            except (ValueError, RecursionError):
                return None
        else:
            value = [part for part in re.split(r"[\s,;()\[\]]+", text) if part]
    if isinstance(value, dict):
        sides = next((four for four in _SIDES if set(four) <= set(value)), None)
        if sides is None:
            return None
        value = [value[side] for side in sides]
    if isinstance(value, list | tuple | np.ndarray):
        try:
            numbers = np.array([np.asarray(part, dtype=float) for part in value]).ravel()
        except (ValueError, TypeError, OverflowError):
            return None
        if numbers.size == 0:
            return [np.nan] * 4
        if numbers.size == 4 and np.ndim(value[0]) == 0:
            return numbers.tolist()
        if numbers.size % 2 == 0 and numbers.size >= 4:  # the corners of a polygon
            x, y = numbers[::2], numbers[1::2]
            return [x.min(), y.min(), x.max(), y.max()]
        return None
    return [np.nan] * 4 if value is None or value != value or value is pd.NA else None


def _blank_to_none(value: Any) -> Any:
    return None if isinstance(value, str) and not value.strip() else value


def _shown(value: object) -> str:
    return repr(value.item() if isinstance(value, np.generic) else value)[:60]
