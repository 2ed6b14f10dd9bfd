"""Tables of two readings -> which of them show the same, by place and text, never by number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]
from scipy.sparse import csr_array  # type: ignore[import-untyped]

from core.compare.model import TablePair
from core.compare.texts import folded
from core.tables import Table
from core.tables.model import Box

MIN_SCORE = 0.35
"""Least score of tables that are paired: the mean of box overlap and common words."""
MIN_INSIDE, MIN_WORDS_INSIDE = 0.6, 0.6
"""Share of a table's area, and of its words, within another that it is a part of."""


@dataclass(frozen=True)
class Pairing:
    """Which tables belong together, and which stand alone."""

    pairs: tuple[TablePair, ...]
    """In the reading order of A."""
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]


def pair_tables(a: Sequence[Table], b: Sequence[Table]) -> Pairing:
    """The pairs with the greatest sum of scores, then what one side cut in several.

    A score is the mean of the intersection over union of boxes, summed over pages, and of the
    Dice coefficient of words, each as often as it occurs; without boxes on a common page the
    words count alone. The best sum is found by the Hungarian method (scipy). What is left and
    lies, place and words, within a table that is paired already is a part of it.
    """
    if _order_key(b) < _order_key(a):  # ties are broken the same way whichever side comes first
        return _mirrored(_pair(b, a), b, a)
    return _pair(a, b)


def _pair(a: Sequence[Table], b: Sequence[Table]) -> Pairing:
    common, size_a, size_b = _common_words([*a], [*b])
    overlap, in_a, in_b = _overlaps(a, b)
    words = 2 * common / np.maximum(size_a[:, None] + size_b[None, :], 1)
    score = np.where(np.isnan(overlap), words, (np.nan_to_num(overlap) + words) / 2)
    # Of equal ones those that stand at the same place in the order.
    order = np.abs(_places(len(a))[:, None] - _places(len(b))[None, :])
    chosen = zip(*linear_sum_assignment(score - 1e-6 * order, maximize=True), strict=True)
    parts = {
        int(i): ([int(i)], [int(j)], float(score[i, j]))
        for i, j in chosen
        if score[i, j] >= MIN_SCORE
    }
    owner_b = {j: group for group in parts.values() for j in group[1]}
    inside_a = _is_inside(in_a, common / np.maximum(size_b[None, :], 1))  # b within a
    inside_b = _is_inside(in_b, common / np.maximum(size_a[:, None], 1))  # a within b
    free_a = [i for i in range(len(a)) if i not in parts]
    free_b = [j for j in range(len(b)) if j not in owner_b]
    for j in list(free_b):
        i = max(parts, key=lambda at: inside_a[at, j], default=None)
        if i is not None and inside_a[i, j] > 0 and len(parts[i][0]) == 1:
            parts[i][1].append(j)
            free_b.remove(j)
    for i in list(free_a):
        j_or_none = max(owner_b, key=lambda at: inside_b[i, at], default=None)
        if j_or_none is None or inside_b[i, j_or_none] <= 0:
            continue
        group = owner_b[j_or_none]
        if len(group[1]) == 1:
            group[0].append(i)
            free_a.remove(i)
    pairs = [
        TablePair(
            tuple(a[i].table_id for i in sorted(group_a)),
            tuple(b[j].table_id for j in sorted(group_b)),
            round(value, 4),
        )
        for group_a, group_b, value in sorted(parts.values(), key=lambda group: min(group[0]))
    ]
    return Pairing(
        tuple(pairs),
        tuple(a[i].table_id for i in free_a),
        tuple(b[j].table_id for j in free_b),
    )


def _is_inside(area: np.ndarray, words: np.ndarray) -> np.ndarray:
    """How surely one is a part of another, 0 where it is not; without boxes by words alone, of
    which it then needs nearly all."""
    by_words = np.where(words >= (1 + MIN_WORDS_INSIDE) / 2, words, 0.0)
    by_both = np.where(
        (np.nan_to_num(area) >= MIN_INSIDE) & (words >= MIN_WORDS_INSIDE), area + words, 0.0
    )
    return np.where(np.isnan(area), by_words, by_both)


def _overlaps(a: Sequence[Table], b: Sequence[Table]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Per pair: intersection over union, the share of b's area in a, and of a's in b; NaN where
    one has no box."""
    common = np.zeros((len(a), len(b)))
    on_page: dict[int, list[tuple[int, Box]]] = {}
    for j, table in enumerate(b):
        for page, box in table.boxes.items():
            on_page.setdefault(page, []).append((j, box))
    for i, table in enumerate(a):
        for page, box in table.boxes.items():
            for j, other in on_page.get(page, ()):
                common[i, j] += _area(_cut(box, other))
    area_a, area_b = _areas(a)[:, None], _areas(b)[None, :]
    return common / (area_a + area_b - common), common / area_b, common / area_a


def _areas(tables: Sequence[Table]) -> np.ndarray:
    """Points squared, at least a little; NaN without a box."""
    sums = [sum(map(_area, table.boxes.values())) if table.boxes else np.nan for table in tables]
    return np.maximum(np.array(sums, dtype=float), 1e-9)


def _cut(one: Box, other: Box) -> Box:
    return (
        max(one[0], other[0]),
        max(one[1], other[1]),
        min(one[2], other[2]),
        min(one[3], other[3]),
    )


def _area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _common_words(
    a: Sequence[Table], b: Sequence[Table]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Words that each pair has in common, each as often as both have it; and words of each.

    The third "EUR" of a table is a word of its own, so that a product of sets counts multisets.
    """
    words = [_numbered_words(table) for table in [*a, *b]]
    vocabulary: dict[tuple[str, int], int] = {}
    columns = [vocabulary.setdefault(word, len(vocabulary)) for found in words for word in found]
    sizes = np.array([len(found) for found in words], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    held = csr_array(
        (np.ones(len(columns)), np.array(columns, dtype=np.int64), starts),
        shape=(len(words), max(len(vocabulary), 1)),
    )
    common = (held[: len(a)] @ held[len(a) :].T).toarray()
    return common, sizes[: len(a)].astype(float), sizes[len(a) :].astype(float)


def _numbered_words(table: Table) -> list[tuple[str, int]]:
    lines = [*table.header.raw, *table.rows]
    count = Counter(folded(" ".join(cell for line in lines for cell in line)).split())
    return [(word, at) for word, number in count.items() for at in range(number)]


def _places(count: int) -> np.ndarray:
    return np.arange(count) / max(count, 1)


def _order_key(tables: Sequence[Table]) -> tuple[int, list[str]]:
    return len(tables), [" ".join(cell for row in table.rows for cell in row) for table in tables]


def _mirrored(pairing: Pairing, a: Sequence[Table], b: Sequence[Table]) -> Pairing:
    place = {table.table_id: at for at, table in enumerate(b)}
    pairs = [pair.mirrored() for pair in pairing.pairs]
    pairs.sort(key=lambda pair: min(place[table_id] for table_id in pair.a))
    return Pairing(tuple(pairs), pairing.only_b, pairing.only_a)
