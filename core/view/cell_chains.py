"""Words of a row and the texts of its cells -> which words are which cell's. Pure.

A cell is a chain of words that spells it, from word to word of a printed line and on to the next
line below. The chains of a row stand in the order of its columns and share no word. Of all such
sets of chains those that spell most letters count; a cell is found where they all agree on its
words, and no word beside it is left over.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

Chain = tuple[int, ...]

MOST_STEPS, MOST_CHAINS = 2_000, 200
"""Steps of the search in one row, and chains it finds; where there are more, no cell is found."""

SAME_LINE = 0.5
"""Words of one printed line share at least this part of the lower one's height."""
NEXT_LINE = 3.0
"""A cell goes on at most this many word heights below."""
WITHIN_TEXT = 0.6, 1.2
"""Words closer than this, in word heights beside and below each other, belong to one text."""
TOUCHING = 0.1
"""Cells may reach into each other by this many word heights."""

_LEFTWARD = ("R", "AL")


def text_key(text: str) -> str:
    """Letters and digits of a text, by which a cell and its printed words agree.

    Parsers join words, mark superscripts and drop hyphens, so nothing else counts.
    """
    if text.isascii():
        return "".join(filter(str.isalnum, text)).lower()
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(filter(str.isalnum, folded))


@dataclass(frozen=True)
class Found:
    """Cells found among the words of a row."""

    letters: int
    """How many letters they spell, those of cells that are not sure included."""
    chains: dict[int, Chain]
    """Numbers of the words of each cell that is sure, by number of the cell."""
    steps: int
    """How much was tried."""


def find_chains(boxes: np.ndarray, keys: Sequence[str], texts: Sequence[str]) -> Found:
    """The words of each cell that is surely found.

    Args:
        boxes: (n, 4) x0, y0, x1, y1 of the row's words, printed upright or on their side.
        keys: n times the word's `text_key`, none of them empty.
        texts: `text_key` of every cell, in the order of the columns; "" for a blank one.
    """
    views = [boxes]
    if _is_tall(boxes):
        x0, y0, x1, y1 = boxes.T
        views += [np.column_stack((-y1, x0, -y0, x1)), np.column_stack((y0, -x1, y1, -x0))]
    leftward = any(map(_is_leftward, texts))
    if leftward:  # where columns run from right to left, the mirror shows them in order
        views += [view[:, [2, 1, 0, 3]] * [-1, 1, -1, 1] for view in views]
    results = [_find(view, keys, texts, leftward=leftward) for view in views]
    most = max(result.letters for result in results)
    best = [result.chains for result in results if result.letters == most]
    agreed = {
        column: chain
        for column, chain in best[0].items()
        if all(other.get(column) == chain for other in best)
    }
    return Found(most, agreed, sum(result.steps for result in results))


def _find(boxes: np.ndarray, keys: Sequence[str], texts: Sequence[str], *, leftward: bool) -> Found:
    layout = _Layout(boxes)
    search = _Search(layout, keys)
    chains: list[tuple[int, Chain]] = []
    for column, text in enumerate(texts):
        chains += [(column, chain) for chain in search.chains(text, leftward=leftward)]
        if search.steps > MOST_STEPS or len(chains) > MOST_CHAINS:
            return Found(0, {}, search.steps)
    if not chains:
        return Found(0, {}, search.steps)
    letters, optimal, sure = _agreed(layout, chains, [len(texts[column]) for column, _ in chains])
    taken = {word for at in optimal for word in chains[at][1]}
    found = dict(chains[at] for at in sure)
    alone = {at: chain for at, chain in found.items() if not layout.adjoins(chain, taken)}
    return Found(letters, alone, search.steps)


class _Layout:
    """How the words of a row stand to each other."""

    def __init__(self, boxes: np.ndarray) -> None:
        x0, y0, x1, y1 = boxes.T
        self._starts, self._ends = x0.tolist(), x1.tolist()
        height = y1 - y0
        self.slack = TOUCHING * float(np.median(height))
        low = np.minimum(height[:, None], height)
        high = np.maximum(height[:, None], height)
        shared = np.minimum(y1[:, None], y1) - np.maximum(y0[:, None], y0)
        beside = shared >= SAME_LINE * low
        gap_x = np.maximum(x0[:, None], x0) - np.minimum(x1[:, None], x1)
        order = x0 + x1
        right = beside & (order[:, None] < order)
        self.right = _nearest(right, x0[None, :] - x1[:, None])
        self.left = _nearest(right.T, x0[:, None] - x1[None, :])
        drop = y0[None, :] - y0[:, None]
        self.below = (drop > 0) & ~beside & (drop <= NEXT_LINE * high)
        np.fill_diagonal(beside, val=False)
        near_beside = beside & (gap_x < WITHIN_TEXT[0] * high)
        near_below = ~beside & (gap_x < 0) & (-shared < WITHIN_TEXT[1] * high)
        self.near = near_beside | near_below
        np.fill_diagonal(self.near, val=False)

    def adjoins(self, chain: Chain, taken: set[int]) -> bool:
        """Whether a word that belongs to no cell goes on where the chain ends: then the chain is
        a part of some other text."""
        around = np.flatnonzero(self.near[list(chain)].any(axis=0))
        return bool(set(around.tolist()) - taken)

    def extent(self, chain: Chain) -> tuple[float, float]:
        """Left and right end of some words."""
        return min(self._starts[at] for at in chain), max(self._ends[at] for at in chain)

    def overlaps(self, one: Chain, other: Chain) -> bool:
        """Whether two stretches of words share some x."""
        (start, end), (other_start, other_end) = self.extent(one), self.extent(other)
        return min(end, other_end) > max(start, other_start)


class _Search:
    """Looks for the chains that spell a text."""

    def __init__(self, layout: _Layout, keys: Sequence[str]) -> None:
        self._layout, self._keys = layout, keys
        self.steps = 0
        """Words tried so far."""

    def chains(self, text: str, *, leftward: bool) -> list[Chain]:
        """All chains that spell a text, each word of it once; [] for an empty one."""
        if not text:
            return []
        ways = [self._layout.right, self._layout.left] if leftward else [self._layout.right]
        found = {chain: None for way in ways for chain in self._along(text, way)}
        by_words = {frozenset(chain): chain for chain in found}
        return list(by_words.values())

    def _along(self, text: str, following: np.ndarray) -> list[Chain]:
        """Chains that go on to the following word of a line, or to some word of the next one."""
        found: list[Chain] = []
        # Words so far, the place in the text, and where in the chain its last two lines begin.
        waiting: list[tuple[Chain, int, int, int]] = [
            ((at,), len(key), 0, 0) for at, key in enumerate(self._keys) if text.startswith(key)
        ]
        while waiting and self.steps <= MOST_STEPS:
            self.steps += 1
            chain, done, above, line = waiting.pop()
            if done == len(text):
                if self._fits(chain, above, line):
                    found.append(chain)
                continue
            beside = int(following[chain[-1]])
            if beside >= 0 and beside not in chain and text.startswith(self._keys[beside], done):
                waiting.append(((*chain, beside), done + len(self._keys[beside]), above, line))
            if not self._fits(chain, above, line):
                continue
            for at in np.flatnonzero(self._layout.below[chain[-1]]).tolist():
                if text.startswith(self._keys[at], done) and at not in chain:
                    longer = (*chain, at)
                    waiting.append((longer, done + len(self._keys[at]), line, len(chain)))
        return found

    def _fits(self, chain: Chain, above: int, line: int) -> bool:
        """Whether the last line of a chain stands below the line before."""
        return not line or self._layout.overlaps(chain[above:line], chain[line:])


def _agreed(
    layout: _Layout, chains: Sequence[tuple[int, Chain]], weights: Sequence[int]
) -> tuple[int, list[int], list[int]]:
    """The most letters that chains in order of their columns spell, the numbers of the chains
    that do so, and of those among them that no other can take the place of."""
    column = np.array([column for column, _ in chains])
    weight = np.array(weights)
    extent = np.array([layout.extent(chain) for _, chain in chains])
    before = (
        (column[:, None] < column)
        & (extent[:, None, 1] <= extent[None, :, 0] + layout.slack)
        & (extent[:, None, 0] < extent[None, :, 0])
    )
    size = len(chains)
    upto, onward = weight.copy(), weight.copy()
    for at in range(size):  # chains come in the order of their columns
        upto[at] += max(upto[before[:, at]], default=0)
    for at in reversed(range(size)):
        onward[at] += max(onward[before[at]], default=0)
    most = int(upto.max())
    optimal = np.flatnonzero(upto + onward - weight == most)
    # Sets that leave a column out: a chain before it and one after, or none on one side.
    joined = np.where(before, upto[:, None] + onward[None, :], 0)
    sure = []
    for number in np.unique(column[optimal]).tolist():
        mine = optimal[column[optimal] == number]
        left, right = column < number, column > number
        without = max(
            joined[np.ix_(left, right)].max(initial=0),
            upto[left].max(initial=0),
            onward[right].max(initial=0),
        )
        if mine.size == 1 and without < most:
            sure.append(int(mine[0]))
    return most, optimal.tolist(), sure


def _nearest(allowed: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """(n,) for each word the allowed one that is nearest, -1 where there is none."""
    nearest = np.where(allowed, distance, np.inf).argmin(axis=1)
    return np.where(allowed.any(axis=1), nearest, -1)


def _is_tall(boxes: np.ndarray) -> bool:
    """Whether words may be printed on their side: a row of them is taller than wide."""
    width, height = boxes[:, 2:].max(axis=0) - boxes[:, :2].min(axis=0)
    return bool(height > width)


def _is_leftward(text: str) -> bool:
    return any(unicodedata.bidirectional(letter) in _LEFTWARD for letter in text)
