"""The paragraph retriever: BM25 over the blocks of a line_df, as it works without a row index."""

from __future__ import annotations

from functools import cached_property

import bm25s
import numpy as np
import pandas as pd

from core.retrieval.terms import question_to_terms, text_to_keys

MAX_BLOCKS = 3
"""Blocks returned at most."""
_PARAGRAPH_GAP = 0.8
"""Blank height between two lines, in line heights, from which a new paragraph begins."""


class ParagraphIndex:
    """Blocks of a checked line_df: paragraphs, and each pipe table as one block.

    Built from line_df alone, so that its answers are the same with and without a row_df.
    """

    def __init__(self, line_df: pd.DataFrame) -> None:
        self._line_df = line_df
        self._block = lines_to_blocks(line_df)

    def search(self, question: str, *, use_toc: bool = True) -> pd.DataFrame:
        """Best blocks for a question: block, score, and the positions of its lines in line_df.

        With `use_toc` a block is found by its section's heading too.
        """
        keys = [term.key for term in question_to_terms(question)]
        bm25, known = self._with_headings if use_toc else self._plain
        keys = [key for key in keys if key in known]
        if not keys:
            return pd.DataFrame({"block": [], "score": [], "lines": []})
        scores = bm25.get_scores(keys)
        best = np.argsort(-scores, kind="stable")[:MAX_BLOCKS]
        best = best[scores[best] > 0]
        lines = [np.flatnonzero(self._block == block) for block in best]
        return pd.DataFrame({"block": best, "score": scores[best], "lines": lines})

    @cached_property
    def _plain(self) -> tuple[bm25s.BM25, set[str]]:
        return _index([text_to_keys(text) for text in self._block_texts])

    @cached_property
    def _with_headings(self) -> tuple[bm25s.BM25, set[str]]:
        texts = zip(self._block_headings, self._block_texts, strict=True)
        return _index([text_to_keys(f"{heading} {text}") for heading, text in texts])

    @cached_property
    def _block_texts(self) -> list[str]:
        return self._line_df["text"].groupby(self._block).agg(" ".join).tolist()

    @cached_property
    def _block_headings(self) -> list[str]:
        """Heading under which each block stands, "" where the parser marked none."""
        if "block_class" not in self._line_df.columns:
            return [""] * len(self._block_texts)
        first = np.flatnonzero(np.diff(self._block, prepend=-1))
        is_heading = self._line_df["block_class"].iloc[first].isin(["section-header", "title"])
        headings = pd.Series(self._block_texts).where(is_heading.to_numpy())
        return headings.ffill().where(~is_heading.to_numpy(), "").fillna("").tolist()


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


def _index(corpus: list[list[str]]) -> tuple[bm25s.BM25, set[str]]:
    known = {key for keys in corpus for key in keys}
    bm25 = bm25s.BM25()
    if known:
        bm25.index(corpus, show_progress=False)
    return bm25, known
