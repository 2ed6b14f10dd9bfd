"""line_df -> blocks: paragraphs, and each pipe table as one block."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pandas as pd

_PARAGRAPH_GAP = 0.8
"""Blank height between two lines, in line heights, from which a new paragraph begins."""
_SENTENCE = r"(?s)(?:\S+\s+){4}.*[.!?:;…][\"'”’»)\]]*\s*$|.{12}.*[。！？؟।]\s*$"
"""Five words or more that end as sentences do; headings, captions and running heads do not."""


class Blocks:
    """The b blocks of a checked line_df, in reading order."""

    def __init__(self, line_df: pd.DataFrame) -> None:
        self._line_df = line_df
        self.number = lines_to_blocks(line_df)

    def lines(self, block: int) -> np.ndarray:
        """Positions of a block's lines in line_df."""
        return np.flatnonzero(self.number == block)

    @cached_property
    def texts(self) -> list[str]:
        """Text of each block on one line."""
        return self._line_df["text"].groupby(self.number).agg(" ".join).tolist()

    @cached_property
    def headings(self) -> list[str]:
        """Heading under which each block stands, "" where the parser marked none."""
        if "block_class" not in self._line_df.columns:
            return [""] * len(self.texts)
        first = np.flatnonzero(np.diff(self.number, prepend=-1))
        is_heading = self._line_df["block_class"].iloc[first].isin(["section-header", "title"])
        headings = pd.Series(self.texts, dtype="str").where(is_heading.to_numpy())
        return headings.ffill().where(~is_heading.to_numpy(), "").fillna("").tolist()

    @cached_property
    def is_prose(self) -> np.ndarray:
        """(b,) bool: sentences rather than a table, a heading or a caption."""
        texts = pd.Series(self.texts, dtype="str").str.strip()
        table = texts.str.startswith("|") & texts.str.endswith("|")
        return (texts.str.match(_SENTENCE) & ~table).to_numpy(dtype=bool)


def lines_to_blocks(line_df: pd.DataFrame) -> np.ndarray:
    """(n_lines,) int: number of the block each line belongs to, from 0 in reading order.

    Blocks are the parser's where it gives `block_num`; otherwise lines are parted by blank
    lines and by gaps. Pipe lines that follow each other are one block.
    """
    text = line_df["text"].str.strip()
    pipe = (text.str.startswith("|") & text.str.endswith("|")).to_numpy(dtype=bool)
    page = line_df["page_num"].to_numpy()
    parted = np.ones(len(line_df), dtype=bool)
    if "block_num" in line_df.columns:
        block_num = line_df["block_num"].to_numpy()
        parted[1:] = block_num[1:] != block_num[:-1]
    else:
        y0, y1 = line_df["y0"].to_numpy(), line_df["y1"].to_numpy()
        blank = (text == "").to_numpy(dtype=bool)
        gap = y0[1:] - y1[:-1]
        parted[1:] = ~(gap <= _PARAGRAPH_GAP * (y1[1:] - y0[1:])) | blank[1:] | blank[:-1]
    parted[1:] |= (page[1:] != page[:-1]) | (pipe[1:] != pipe[:-1])
    parted[1:] &= ~(pipe[1:] & pipe[:-1] & (np.diff(page) <= 1))
    return np.cumsum(parted) - 1
