"""Which text lines are a table's caption: those the parser marked, or that read like one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa

from core.tables.columns import as_arrow, matches

_LABEL = (
    r"(?i)^\s*(?:table|tab\.|tabelle|tableau|tabla|tabella|exhibit|schedule|表)"
    r"(?:\s*\d|\s+[ivx]+\b|\s+[a-z]\b)"
)
_LABEL_ALONE = _LABEL + r"[\w.\-–]*[.:]?\s*$"
_REACH = 4
"""Lines above or below a table among which its caption is sought."""

_LONGEST = 8
"""A caption of more lines than this is a paragraph: only its first line is taken."""


def find_captions(
    line_df: pd.DataFrame, first_lines: Sequence[int], last_lines: Sequence[int]
) -> list[str]:
    """Caption of each table, or "". The tables are given by the positions of their first and
    last line in line_df; a caption above wins over one below.

    A caption runs over the further lines of its block, where the parser numbers blocks; a mere
    "Table 3" over the next block too, up to the table.
    """
    page, text = line_df["page_num"].to_numpy(), as_arrow(line_df["text"])
    reaches = [
        (range(first - 1, max(first - 1 - _REACH, -1), -1), range(last + 1, last + 1 + _REACH))
        for first, last in zip(first_lines, last_lines, strict=True)
    ]
    near = _lines_near(first_lines, last_lines, len(page))
    labelled = near[matches(text.take(pa.array(near)), _LABEL)]
    starts = set(labelled.tolist())
    alone = set(labelled[matches(text.take(pa.array(labelled)), _LABEL_ALONE)].tolist())
    block = _block_numbers(line_df)
    is_caption = starts | _marked(line_df, near)
    is_table = set(first_lines)
    taken: set[int] = set()
    captions = []
    for first, last, (above, below) in zip(first_lines, last_lines, reaches, strict=True):
        lines = _nearest(above, is_caption, starts, page, page[first]) or _nearest(
            below, is_caption, starts, page, page[last]
        )
        if lines and block is not None:
            lines = _to_block_end(sorted(lines), block, is_table, with_next=lines[-1] in alone)
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
    reach: range,
    is_caption: Collection[int],
    starts: Collection[int],
    page: np.ndarray,
    on_page: int,
) -> list[int]:
    """The lines of the one caption nearest to the table, on its page, in the order of reach."""
    found: list[int] = []
    upwards = reach.step < 0
    for at in reach:
        if at >= len(page) or page[at] != on_page or (found and at not in is_caption):
            break
        if found and at in starts and not upwards:
            break
        if at in is_caption:
            found.append(at)
            if upwards and at in starts:
                break
    return found


def _to_block_end(
    lines: list[int], block: np.ndarray, is_table: Collection[int], *, with_next: bool
) -> list[int]:
    """The caption's lines and the further ones of its block, or of the next one; `block` tells
    blocks of one page and of the next one apart.
    """
    end = lines[-1] + 1
    blocks = {block[lines[-1]]}
    if with_next and end < len(block) and end not in is_table:
        blocks.add(block[end])
    while end < len(block) and end not in is_table and block[end] in blocks:
        end += 1
    return list(range(lines[0], end)) if end - lines[0] <= _LONGEST else lines


def _block_numbers(line_df: pd.DataFrame) -> np.ndarray | None:
    """A number per line that neighbours share if they are in one block of one page."""
    if "block_num" not in line_df.columns:
        return None
    page, block = line_df["page_num"].to_numpy(), line_df["block_num"].to_numpy()
    starts = np.ones(len(page), dtype=np.int64)
    starts[1:] = (page[1:] != page[:-1]) | (block[1:] != block[:-1])
    return np.cumsum(starts)


def _marked(line_df: pd.DataFrame, near: np.ndarray) -> set[int]:
    """Which of the lines near a table the parser calls captions."""
    if "block_class" not in line_df.columns:
        return set()
    found = (line_df["block_class"].iloc[near] == "caption").to_numpy()
    return set(near[found].tolist())
