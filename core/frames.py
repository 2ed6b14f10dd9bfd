"""The frames every step speaks: line_df, page_df, toc_df and row_df.

Columns and meanings are those of the contract. Frames are never mutated: a check
returns a new, sorted and typed frame, or raises an error that names the column and
the first offending row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from core.errors import LineFrameError, RowFrameError

BOX_COLUMNS = ["x0", "y0", "x1", "y1"]
LINE_COLUMNS = ["page_num", "line_num", "text", *BOX_COLUMNS]
PAGE_COLUMNS = ["page_num", "width", "height", "rotation"]
TOC_COLUMNS = ["level", "title", "page_num", "line_num"]
ROW_COLUMNS = [
    "table_id",
    "page_num",
    "line_num",
    "column_headers",
    "row_cells",
    "row_serialized",
]
ROW_EXTRA_COLUMNS = ["row_index", "n_body_rows", *BOX_COLUMNS, "row_group", "caption"]


def check_line_df(line_df: pd.DataFrame) -> pd.DataFrame:
    """Validated copy of a line_df: (n_lines, >= 7 columns), sorted by page and line.

    page_num and line_num come back as int64, text as str (missing text as ""), boxes as
    float64 in points; further columns pass through untouched.

    Raises:
        LineFrameError: a missing column, a page or line number that is not a whole number
            of at least 1, a duplicate (page_num, line_num) or a box of negative size.
    """
    missing = [column for column in LINE_COLUMNS if column not in line_df.columns]
    if missing:
        raise LineFrameError(
            f"line_df has no column {missing[0]!r}. It needs {', '.join(LINE_COLUMNS)}; "
            f"boxes may hold NaN when the source has no geometry."
        )
    page_num = _whole_numbers(line_df, "page_num")
    line_num = _whole_numbers(line_df, "line_num")
    boxes = {column: _floats(line_df, column) for column in BOX_COLUMNS}
    for low, high in (("x0", "x1"), ("y0", "y1")):
        negative = np.flatnonzero(boxes[high] < boxes[low])
        if negative.size:
            at = int(negative[0])
            raise LineFrameError(
                f"line_df column {high!r}: {boxes[high][at]:g} is smaller than {low} = "
                f"{boxes[low][at]:g} in row {at} (page {page_num[at]}, line {line_num[at]}). "
                f"Boxes run from top-left to bottom-right; use NaN for a line without a box."
            )
    text = _texts(line_df["text"])

    checked = line_df.assign(page_num=page_num, line_num=line_num, text=text, **boxes)
    # The usual case, a frame in order already, must not pay for a sort.
    step = np.diff(page_num) * (line_num.max(initial=0) + 1) + np.diff(line_num)
    if (step <= 0).any():
        checked = checked.sort_values(["page_num", "line_num"], kind="stable")
        twice = checked.duplicated(["page_num", "line_num"]).to_numpy()
        if twice.any():
            page, line = checked[["page_num", "line_num"]].to_numpy()[int(np.argmax(twice))]
            raise LineFrameError(
                f"line_df columns 'page_num', 'line_num': page {page}, line {line} occurs more "
                f"than once. Number the lines of each page 1, 2, 3, ... in reading order."
            )
    return checked.reset_index(drop=True)


def check_row_df(row_df: pd.DataFrame) -> pd.DataFrame:
    """Validated copy of a row_df, fresh or read back from Parquet, in reading order.

    Lists come back as Python lists; missing optional columns are filled in from the others.

    Raises:
        RowFrameError: a required column is missing, or headers and cells of a row differ in length.
    """
    missing = [column for column in ROW_COLUMNS if column not in row_df.columns]
    if missing:
        raise RowFrameError(
            f"row_df has no column {missing[0]!r}. It needs {', '.join(ROW_COLUMNS)}: "
            f"take it from serialize_table_rows(line_df)."
        )
    headers = [list(labels) for labels in row_df["column_headers"]]
    cells = [list(values) for values in row_df["row_cells"]]
    for at, (labels, values) in enumerate(zip(headers, cells, strict=True)):
        if len(labels) != len(values):
            raise RowFrameError(
                f"row_df columns 'column_headers' and 'row_cells': {len(labels)} labels but "
                f"{len(values)} cells in row {at}. Both need one entry per column."
            )
    checked = row_df.assign(
        column_headers=pd.Series(headers, index=row_df.index, dtype=object),
        row_cells=pd.Series(cells, index=row_df.index, dtype=object),
    ).reset_index(drop=True)
    by_table = checked.groupby("table_id", sort=False)["table_id"]
    defaults: dict[str, Any] = {
        "row_index": by_table.cumcount,
        "n_body_rows": lambda: by_table.transform("size"),
        "row_group": lambda: "",
        "caption": lambda: "",
        **dict.fromkeys(BOX_COLUMNS, lambda: np.nan),
    }
    absent = {name: make() for name, make in defaults.items() if name not in checked.columns}
    return checked.assign(**absent)


def empty_line_df() -> pd.DataFrame:
    """A line_df without lines, columns typed as the contract says."""
    ints, floats = np.empty(0, np.int64), np.empty(0)
    columns = {"page_num": ints, "line_num": ints, "text": pd.Series([], dtype="str")}
    return pd.DataFrame(columns | dict.fromkeys(BOX_COLUMNS, floats))


def _texts(column: pd.Series) -> pd.Series:
    """The column as text, missing values as ""; nothing is copied where that is so already."""
    if not isinstance(column.dtype, pd.StringDtype):
        column = column.astype(object).where(column.notna(), "").astype(str).astype("str")
    return column.fillna("") if column.hasnans else column


def _whole_numbers(frame: pd.DataFrame, column: str) -> np.ndarray:
    numbers = _floats(frame, column)
    wrong = np.flatnonzero(~(np.isfinite(numbers) & (numbers >= 1) & (numbers % 1 == 0)))
    if wrong.size:
        at = int(wrong[0])
        raise LineFrameError(
            f"line_df column {column!r}: {frame[column].iloc[at]!r} in row {at} is not a whole "
            f"number of 1 or more. Number pages and lines from 1."
        )
    return numbers.astype(np.int64)


def _floats(frame: pd.DataFrame, column: str) -> np.ndarray:
    numbers = pd.to_numeric(frame[column], errors="coerce").to_numpy(np.float64, na_value=np.nan)
    wrong = np.flatnonzero(np.isnan(numbers) & frame[column].notna().to_numpy())
    if wrong.size:
        at = int(wrong[0])
        raise LineFrameError(
            f"line_df column {column!r}: {frame[column].iloc[at]!r} in row {at} is not a number."
        )
    return numbers
