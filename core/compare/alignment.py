"""Lines of two readings of a table -> which belong together, in order.

Three passes, each from a library and each within what the one before left between its anchors:
lines that are the same (longest common subsequence, rapidfuzz), lines that share rare words where
much is left (`core.compare.anchors`), and the Needleman-Wunsch alignment over how alike two lines
are (Biopython), so that a line with a changed cell still finds its own. What stays alone is then
tried as a part of a neighbour: `core.compare.splits`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
from rapidfuzz.distance import LCSseq

from core.compare.anchors import rare_word_anchors
from core.compare.model import ONLY_A, ONLY_B, PAIRED, Entry, Line
from core.compare.splits import join_parts
from core.compare.texts import alikeness, line_text

MIN_ALIKE = 0.55
"""Least likeness of lines that belong together."""
MAX_BLOCK = 500
"""Lines of either side that are aligned at once; time and memory grow with the square."""

Anchor = tuple[int, int]


def align_lines(a: Sequence[Line], b: Sequence[Line]) -> list[Entry]:
    """Entries in reading order; every line of both sides is in exactly one.

    Lines of A alone come before lines of B alone in the same gap. With the sides exchanged the
    result is the mirrored one.
    """
    if _order_key(b) < _order_key(a):
        return in_order([entry.mirrored() for entry in _align(b, a)])
    return in_order(_align(a, b))


def in_order(entries: Sequence[Entry]) -> list[Entry]:
    """Entries in reading order: in each gap between lines of both sides A's before B's."""
    ordered: list[Entry] = []
    gap_a: list[Entry] = []
    gap_b: list[Entry] = []
    for entry in [*entries, None]:
        if entry is not None and entry.relation == ONLY_A:
            gap_a.append(entry)
        elif entry is not None and entry.relation == ONLY_B:
            gap_b.append(entry)
        else:
            ordered += [*gap_a, *gap_b, *([entry] if entry else [])]
            gap_a, gap_b = [], []
    return ordered


def _align(a: Sequence[Line], b: Sequence[Line]) -> list[Entry]:
    anchors = _same_lines(a, b)
    for start, end in list(_gaps(anchors, len(a), len(b))):
        anchors += _within(a, b, start, end)
    return join_parts(_entries(sorted(anchors), len(a), len(b)), a, b)


def _same_lines(a: Sequence[Line], b: Sequence[Line]) -> list[Anchor]:
    keys_a, keys_b = ([(line.kind, line_text(line.cells)) for line in side] for side in (a, b))
    return [
        (i, j)
        for block in LCSseq.opcodes(keys_a, keys_b).as_matching_blocks()
        for i, j in zip(
            range(block.a, block.a + block.size), range(block.b, block.b + block.size), strict=True
        )
    ]


def _within(a: Sequence[Line], b: Sequence[Line], start: Anchor, end: Anchor) -> list[Anchor]:
    """Anchors in a gap, from `start` to before `end`."""
    n, m = end[0] - start[0], end[1] - start[1]
    if n == 0 or m == 0:
        return []
    found: list[Anchor] = []
    if max(n, m) > MAX_BLOCK:
        inner = rare_word_anchors(a[start[0] : end[0]], b[start[1] : end[1]])
        found = [(start[0] + i, start[1] + j) for i, j in inner]
    blocks = [
        block for low, high in _gaps(found, *end, start=start) for block in _pieces(low, high)
    ]
    return found + [anchor for low, high in blocks for anchor in _by_likeness(a, b, low, high)]


def _by_likeness(a: Sequence[Line], b: Sequence[Line], start: Anchor, end: Anchor) -> list[Anchor]:
    """The Needleman-Wunsch alignment of a block: pairs gain what they are more alike than
    MIN_ALIKE, gaps cost nothing. https://doi.org/10.1016/0022-2836(70)90057-4"""
    n, m = end[0] - start[0], end[1] - start[1]
    if n == 0 or m == 0:
        return []
    gain = alikeness(a[start[0] : end[0]], b[start[1] : end[1]]) - MIN_ALIKE
    return [(start[0] + i, start[1] + j) for i, j in best_path(gain) if gain[i, j] >= 0]


def best_path(gain: np.ndarray) -> list[Anchor]:
    """Pairs of positions, both rising, with the greatest sum of `gain`, (n, m); of equal ones the
    library's first."""
    aligning: Any = import_module("Bio.Align")  # its functions have no types
    matrices: Any = import_module("Bio.Align.substitution_matrices")

    n, m = gain.shape
    square = np.zeros((n + m, n + m))  # the library's letters are the lines of both sides
    square[:n, n:] = gain + 1e-9  # alike lines are paired even where nothing is gained
    scores = matrices.Array(alphabet=tuple(range(n + m)), dims=2)
    scores[:, :] = square
    aligner = aligning.PairwiseAligner(mode="global", open_gap_score=0, extend_gap_score=0)
    aligner.substitution_matrix = scores
    path = aligner.align(np.arange(n, dtype=np.int32), np.arange(n, n + m, dtype=np.int32))[0]
    return [
        (int(i), int(j))
        for (low_a, high_a), (low_b, high_b) in zip(*path.aligned, strict=True)
        for i, j in zip(range(low_a, high_a), range(low_b, high_b), strict=True)
    ]


def _gaps(
    anchors: Sequence[Anchor], n: int, m: int, *, start: Anchor = (0, 0)
) -> Iterator[tuple[Anchor, Anchor]]:
    """What lies between anchors: (start, end) of both sides, empty ones too."""
    before = (start[0] - 1, start[1] - 1)
    for low, high in pairwise([before, *sorted(anchors), (n, m)]):
        yield (low[0] + 1, low[1] + 1), high


def _pieces(start: Anchor, end: Anchor) -> Iterator[tuple[Anchor, Anchor]]:
    """A gap cut in proportion into blocks that can be aligned at once. Where so many lines have
    nothing rare in common, their order is the best guess."""
    n, m = end[0] - start[0], end[1] - start[1]
    pieces = -(-max(n, m) // MAX_BLOCK)
    cuts = [
        (start[0] + n * at // max(pieces, 1), start[1] + m * at // max(pieces, 1))
        for at in range(pieces)
    ]
    yield from pairwise([*cuts, end])


def _entries(anchors: Sequence[Anchor], n: int, m: int) -> list[Entry]:
    entries: list[Entry] = []
    for start, end in _gaps(anchors, n, m):
        entries += [Entry(ONLY_A, (i,), ()) for i in range(start[0], end[0])]
        entries += [Entry(ONLY_B, (), (j,)) for j in range(start[1], end[1])]
        if end != (n, m):
            entries.append(Entry(PAIRED, (end[0],), (end[1],)))
    return entries


def _order_key(lines: Sequence[Line]) -> tuple[int, list[tuple[str, tuple[str, ...]]]]:
    return len(lines), [(line.kind, line.cells) for line in lines]
