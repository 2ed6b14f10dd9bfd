"""The lines of tables and the sizes of pages as plain arrays.

Taking a column out of a frame costs more than a rule on a small table: the frames of all tables
are put together once, and each table gets its stretch of the arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from core.frames import BOX_COLUMNS
from core.tables import Table
from core.tables.columns import as_arrow


@dataclass(frozen=True)
class Lines:
    """The n lines of one table."""

    page_num: np.ndarray
    """(n,) int"""
    line_num: np.ndarray
    """(n,) int"""
    role: np.ndarray
    """(n,) object: str, as in Table.line_df"""
    row_index: np.ndarray
    """(n,) int: body row, -1 where the line is none"""
    text: pa.Array
    """(n,) str: as printed"""
    bars: np.ndarray
    """(n,) int: vertical bars in the text"""
    breaks: np.ndarray
    """(n,) int: line breaks in the text, written as <br>"""
    boxes: tuple[np.ndarray, ...]
    """x0, y0, x1, y1, each (n,) float in points, NaN where a line has no box"""

    def __len__(self) -> int:
        return len(self.page_num)


@dataclass(frozen=True)
class Pages:
    """Sizes of the pages of a document in points, by ascending page_num."""

    page_num: np.ndarray
    width: np.ndarray
    height: np.ndarray

    @classmethod
    def of(cls, page_df: pd.DataFrame | None) -> Pages | None:
        """The sizes in a page_df; None where there are none."""
        if page_df is None or page_df.empty:
            return None
        pages = page_df.sort_values("page_num")
        return cls(*(pages[name].to_numpy() for name in ("page_num", "width", "height")))

    def find(self, page_num: np.ndarray) -> np.ndarray:
        """Positions of these pages; of another page where one is not there."""
        at: np.ndarray = np.minimum(
            np.searchsorted(self.page_num, page_num), len(self.page_num) - 1
        )
        return at

    def height_of(self, page_num: int) -> float | None:
        """Height of one page, None where it is not known."""
        at = int(self.find(np.array([page_num]))[0])
        return float(self.height[at]) if self.page_num[at] == page_num else None


def lines_of_tables(tables: Sequence[Table]) -> list[Lines]:
    """The lines of each table."""
    if not tables:
        return []
    frame = pd.concat([table.line_df for table in tables], ignore_index=True)
    page_num, line_num, row_index, *boxes = (
        frame[name].to_numpy() for name in ("page_num", "line_num", "row_index", *BOX_COLUMNS)
    )
    role, text = frame["role"].to_numpy(dtype=object), as_arrow(frame["text"])
    bars, breaks = (np.asarray(pc.count_substring(text, mark)) for mark in ("|", "<br"))
    ends = np.cumsum([len(table.line_df) for table in tables]).tolist()
    return [
        Lines(
            page_num[start:end],
            line_num[start:end],
            role[start:end],
            row_index[start:end],
            text[start:end],
            bars[start:end],
            breaks[start:end],
            tuple(corner[start:end] for corner in boxes),
        )
        for start, end in zip([0, *ends[:-1]], ends, strict=True)
    ]
