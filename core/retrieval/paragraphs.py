"""The paragraph retriever: blocks of a line_df by words and by meaning, without a row index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import bm25s
import numpy as np
import pandas as pd

from core.embedding import Embedder
from core.retrieval.blocks import Blocks
from core.retrieval.evidence import ENOUGH, ENOUGH_MEANING, ENOUGH_WORDS, NEARNESS
from core.retrieval.row_facts import GENERIC, GENERIC_WEIGHT
from core.words import Term, question_to_terms, texts_to_keys

MAX_BLOCKS = 3
"""Blocks returned at most."""
_RANK_SMOOTHING = 60
"""k of reciprocal rank fusion (Cormack, Clarke and Buettcher 2009)."""


class ParagraphIndex:
    """Blocks of a checked line_df: paragraphs, and each pipe table as one block.

    Built from line_df alone, so that its answers are the same with and without a row_df.
    """

    def __init__(self, line_df: pd.DataFrame, embedder: Callable[[], Embedder]) -> None:
        self._blocks = Blocks(line_df)
        self._embedder = embedder
        self._texts = cache(self._make_texts)

    def search(
        self,
        question: str,
        *,
        use_toc: bool = True,
        use_keywords: bool = True,
        use_dense: bool = True,
        prose_only: bool = False,
    ) -> pd.DataFrame:
        """Best blocks for a question, at most MAX_BLOCKS: `block`, `score`, `share` of the
        question's terms that the block holds, `terms` (those terms as typed), and `lines`, their
        positions in line_df.

        Words rank by BM25, meaning by the cosine of embeddings; with both on, the ranks are
        fused. With `use_toc` a block is found by its section's heading too. A block that holds
        hardly any of the question's terms is not returned.
        """
        texts = self._texts(use_toc=use_toc, prose_only=prose_only)
        terms = question_to_terms(question) if use_keywords else []
        n_blocks = len(texts.blocks)
        if not n_blocks or not (terms or (use_dense and not use_keywords)):
            return _found(texts, np.empty(0, np.int64), np.empty(0), np.empty(0), [])
        holds = texts.holding(terms)
        weights = np.array([GENERIC_WEIGHT if term.key in GENERIC else 1.0 for term in terms])
        share = weights @ holds / weights.sum() if terms else np.zeros(n_blocks)
        scores = _reciprocal_ranks(texts.bm25_scores(terms)) if terms else np.zeros(n_blocks)
        enough = share >= ENOUGH_WORDS
        cosine = np.zeros(n_blocks)
        if use_dense:
            embedder = self._embedder()
            cosine = np.maximum(texts.vectors(embedder) @ embedder.embed([question])[0], 0.0)
            scores = scores + _reciprocal_ranks(cosine)
            enough = cosine >= ENOUGH_MEANING
            if terms:
                enough = (share > 0) & (share + NEARNESS * cosine >= ENOUGH)
        scores = np.where(enough, scores, 0.0)
        best = np.argsort(-scores, kind="stable")[:MAX_BLOCKS]
        best = best[scores[best] > 0]
        held = [
            [term.text for term, hit in zip(terms, holds[:, at], strict=True) if hit] for at in best
        ]
        return _found(texts, best, scores[best], share[best], held)

    def lines(self, block: int) -> np.ndarray:
        """Positions of a block's lines in line_df."""
        return self._blocks.lines(block)

    def _make_texts(self, *, use_toc: bool, prose_only: bool) -> _Texts:
        chosen = np.arange(len(self._blocks.texts))
        if prose_only:
            chosen = np.flatnonzero(self._blocks.is_prose)
        texts = self._blocks.texts
        if use_toc:
            both = zip(self._blocks.headings, self._blocks.texts, strict=True)
            texts = [f"{heading} {text}" if heading else text for heading, text in both]
        return _Texts(chosen, [texts[block] for block in chosen])


class _Texts:
    """Some blocks, with or without their headings, ready to be searched."""

    def __init__(self, blocks: np.ndarray, texts: Sequence[str]) -> None:
        self.blocks = blocks
        self._texts = texts
        tokens = texts_to_keys(texts)
        self._codes = {key: code for code, key in enumerate(tokens.vocabulary)}
        self._tokens = tokens
        self._bm25: bm25s.BM25 | None = None
        self._vectors: np.ndarray | None = None

    def holding(self, terms: Sequence[Term]) -> np.ndarray:
        """(q, b) bool: which block holds which term, as typed or in another form of its number."""
        holds = np.zeros((len(terms), len(self.blocks)), dtype=bool)
        for at, term in enumerate(terms):
            codes = [
                self._codes[key] for key in (term.key, *term.alternatives) if key in self._codes
            ]
            holds[at, self._tokens.texts[np.isin(self._tokens.codes, codes)]] = True
        return holds

    def bm25_scores(self, terms: Sequence[Term]) -> np.ndarray:
        """(b,) float: BM25 (Lucene's variant) over the keys of the blocks."""
        keys = [key for term in terms for key in (term.key, *term.alternatives)]
        known = [self._codes[key] for key in keys if key in self._codes]
        if not known:
            return np.zeros(len(self.blocks))
        if self._bm25 is None:
            ends = np.searchsorted(self._tokens.texts, np.arange(1, len(self.blocks)))
            self._bm25 = bm25s.BM25()
            ids = [part.tolist() for part in np.split(self._tokens.codes, ends)]
            self._bm25.index((ids, dict(self._codes)), show_progress=False)
        return np.asarray(self._bm25.get_scores(known), dtype=float)

    def vectors(self, embedder: Embedder) -> np.ndarray:
        """(b, d) float: embeddings of the blocks, worked out once."""
        if self._vectors is None:
            self._vectors = embedder.embed(self._texts)
        return self._vectors


def _reciprocal_ranks(scores: np.ndarray) -> np.ndarray:
    """1 / (k + rank) of each score, 0 for a score of 0 or less."""
    ranks = np.empty(len(scores))
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return np.where(scores > 0, 1.0 / (_RANK_SMOOTHING + ranks), 0.0)


def _found(
    texts: _Texts, best: np.ndarray, scores: np.ndarray, share: np.ndarray, terms: list[list[str]]
) -> pd.DataFrame:
    return pd.DataFrame(
        {"block": texts.blocks[best], "score": scores, "share": share, "terms": terms}
    )
