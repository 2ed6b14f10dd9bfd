"""Small line frames for tests, written as they would stand on a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import dedent

import numpy as np
import pandas as pd

Line = tuple[int, int, str]
"""page_num, line_num, text"""


def lines(text: str, page: int = 1) -> pd.DataFrame:
    """A line_df of one page, one line of `text` each, without boxes.

    A line `=== 3` starts page 3, so that page breaks read as they are printed.
    """
    numbered: list[Line] = []
    line = 0
    for part in dedent(text).strip("\n").split("\n"):
        if part.startswith("=== "):
            page, line = int(part.removeprefix("=== ")), 0
            continue
        line += 1
        numbered.append((page, line, part))
    return line_frame(numbered)


def line_frame(numbered: Iterable[tuple[int, int, str | None]]) -> pd.DataFrame:
    """A line_df from (page_num, line_num, text), without boxes."""
    numbered = list(numbered)
    return pd.DataFrame(
        {
            "page_num": [page for page, _, _ in numbered],
            "line_num": [line for _, line, _ in numbered],
            "text": pd.Series([text for _, _, text in numbered], dtype="str"),
            **dict.fromkeys(("x0", "y0", "x1", "y1"), np.nan),
        }
    )


def pipe_row(cells: Sequence[str]) -> str:
    """Cells as one pipe line, printed as they are."""
    return f"| {' | '.join(cells)} |"


def labelled(row_df: pd.DataFrame) -> list[dict[str, str]]:
    """Each row as {label: cell}, for tables whose labels are distinct."""
    return [
        dict(zip(labels, cells, strict=True))
        for labels, cells in zip(row_df["column_headers"], row_df["row_cells"], strict=True)
    ]


def places(row_df: pd.DataFrame) -> list[tuple[int, int]]:
    """The citation of each row: (page_num, line_num)."""
    return list(zip(row_df["page_num"].tolist(), row_df["line_num"].tolist(), strict=True))
