"""Which text line is a table's caption: one the parser marked, or one that reads like it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa

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
    page, text = line_df["page_num"].to_numpy(), as_arrow(line_df["text"])
    reaches = [
        (range(first - 1, max(first - 1 - _REACH, -1), -1), range(last + 1, last + 1 + _REACH))
        for first, last in zip(first_lines, last_lines, strict=True)
    ]
    is_caption = _caption_lines(line_df, text, _lines_near(first_lines, last_lines, len(page)))
    taken: set[int] = set()
    captions = []
    for first, last, (above, below) in zip(first_lines, last_lines, reaches, strict=True):
        lines = _nearest(above, is_caption, page, page[first]) or _nearest(
            below, is_caption, page, page[last]
        )
        free = [at for at in sorted(lines) if at not in taken]
        taken.update(free)
        captions.append(" ".join(text[at].as_py().strip() for at in free))
    return captions


def _lines_near(first_lines: Sequence[int], last_lines: Sequence[int], n_lines: int) -> np.ndarray:
    """Positions within reach of a table, above or below."""
    step = np.arange(1, _REACH + 1)
    above = np.subtract.outer(np.array(first_lines, dtype=np.int64), step)
    below = np.add.outer(np.array(last_lines, dtype=np.int64), step)
    near = np.unique(np.concatenate([above, below], axis=None))
    return near[(near >= 0) & (near < n_lines)]


def _nearest(
    reach: range, is_caption: Collection[int], page: np.ndarray, on_page: int
) -> list[int]:
    """The caption lines that stand together nearest to the table, on its page."""
    found: list[int] = []
    for at in reach:
        if at >= len(page) or page[at] != on_page or (found and at not in is_caption):
            break
        if at in is_caption:
            found.append(at)
    return found


def _caption_lines(line_df: pd.DataFrame, text: pa.Array, near: np.ndarray) -> set[int]:
    """Which of the lines near a table are captions."""
    found = matches(text.take(pa.array(near)), _CAPTION)
    if "block_class" in line_df.columns:
        found |= (line_df["block_class"].iloc[near] == "caption").to_numpy()
    return set(near[found].tolist())
