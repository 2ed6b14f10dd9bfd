"""Which text line is a table's caption: one the parser marked, or one that reads like it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.tables.columns import as_arrow, matches

_CAPTION = (
    r"(?i)^\s*(?:table|tab\.|tabelle|tableau|tabla|tabella|exhibit|schedule|表)\s*"
    r"(?:\d|[ivx]+\b|[a-z]\b)"
)
_REACH = 4
"""Lines above or below a table among which its caption is sought."""


def find_captions(
    line_df: pd.DataFrame, first_lines: Sequence[int], last_lines: Sequence[int]
) -> list[str]:
    """Caption of each table, or "". The tables are given by the positions of their first and
    last line in line_df; a caption above wins over one below.
    """
    is_caption = _caption_lines(line_df)
    page, text = line_df["page_num"].to_numpy(), line_df["text"]
    taken: set[int] = set()
    captions = []
    for first, last in zip(first_lines, last_lines, strict=True):
        above = range(first - 1, max(first - 1 - _REACH, -1), -1)
        below = range(last + 1, min(last + 1 + _REACH, len(line_df)))
        lines = _nearest(above, is_caption, page, page[first]) or _nearest(
            below, is_caption, page, page[last]
        )
        free = [at for at in sorted(lines) if at not in taken]
        taken.update(free)
        captions.append(" ".join(text.iloc[at].strip() for at in free))
    return captions


def _nearest(reach: range, is_caption: np.ndarray, page: np.ndarray, on_page: int) -> list[int]:
    """The caption lines that stand together nearest to the table, on its page."""
    found: list[int] = []
    for at in reach:
        if page[at] != on_page or (found and not is_caption[at]):
            break
        if is_caption[at]:
            found.append(at)
    return found


def _caption_lines(line_df: pd.DataFrame) -> np.ndarray:
    reads_so = matches(as_arrow(line_df["text"]), _CAPTION)
    if "block_class" not in line_df.columns:
        return reads_so
    return reads_so | (line_df["block_class"] == "caption").to_numpy()
