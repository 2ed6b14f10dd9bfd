"""Many lines of two sides -> sure pairs among them, by the words that few lines have."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rapidfuzz.distance import LCSseq
from scipy.sparse import csr_array  # type: ignore[import-untyped]

from core.compare.model import Line
from core.compare.texts import line_text

MAX_LINES_OF_WORD = 40
"""A word in more lines of a side is not rare; the cost grows with the square."""
MIN_SHARE = 0.5
"""Least cosine of the rare words of two lines that anchor."""


def rare_word_anchors(a: Sequence[Line], b: Sequence[Line]) -> list[tuple[int, int]]:
    """Positions of pairs, both rising: each is the other's nearest by the cosine of rare words,
    weighted by inverse line frequency; of those that cross, the most that do not."""
    words_a, words_b = _words(a), _words(b)
    vocabulary = {word: at for at, word in enumerate(sorted(set().union(*words_a, *words_b)))}
    if not vocabulary:
        return []
    held_a, held_b = _held(words_a, vocabulary), _held(words_b, vocabulary)
    lines_a, lines_b = (np.asarray(held.sum(axis=0)).ravel() for held in (held_a, held_b))
    rare = (lines_a > 0) & (lines_b > 0) & (np.maximum(lines_a, lines_b) <= MAX_LINES_OF_WORD)
    weight = np.where(rare, np.log1p((len(a) + len(b)) / np.maximum(lines_a + lines_b, 1)), 0.0)
    cosine = (_unit(held_a, weight) @ _unit(held_b, weight).T).tocsr()
    best_b, best_a = _best(cosine), _best(cosine.T.tocsr())
    mutual = [(i, j) for i, j in enumerate(best_b.tolist()) if j >= 0 and best_a[j] == i]
    # A rising sequence is common to the positions of B as they come, and in order.
    come = [j for _, j in mutual]
    return [
        mutual[at]
        for block in LCSseq.opcodes(come, sorted(come)).as_matching_blocks()
        for at in range(block.a, block.a + block.size)
    ]


def _words(lines: Sequence[Line]) -> list[set[str]]:
    return [set(line_text(line.cells).split()) for line in lines]


def _held(words: Sequence[set[str]], vocabulary: dict[str, int]) -> csr_array:
    """Which line holds which word: (lines, words) of 0 and 1."""
    columns = [vocabulary[word] for held in words for word in sorted(held)]
    starts = np.concatenate([[0], np.cumsum([len(held) for held in words])]).astype(np.int64)
    return csr_array(
        (np.ones(len(columns)), np.array(columns, dtype=np.int64), starts),
        shape=(len(words), len(vocabulary)),
    )


def _unit(held: csr_array, weight: np.ndarray) -> csr_array:
    """Rows of weighted words, each of length 1 by all its words: what is not rare counts little,
    and what is rare and not there counts against."""
    weighted = held.multiply(weight[None, :]).tocsr()
    length = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
    unit: csr_array = weighted.multiply((1 / np.maximum(length, 1e-9))[:, None]).tocsr()
    return unit


def _best(cosine: csr_array) -> np.ndarray:
    """Column of the greatest entry of each row, -1 where none is MIN_SHARE."""
    if cosine.nnz == 0:
        return np.full(cosine.shape[0], -1)
    best = np.asarray(cosine.argmax(axis=1)).ravel()
    value = np.asarray(cosine.max(axis=1).todense()).ravel()
    return np.where(value >= MIN_SHARE, best, -1)
