"""Columns of two readings of a table -> which belong together, by label and content."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rapidfuzz import fuzz, process
from rapidfuzz.distance import LCSseq
from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

from core.compare.lines import TableLines
from core.compare.model import PAIRED, ROW, ColumnPair, Entry
from core.compare.texts import folded, without_blanks

SAMPLED = 300
"""Pairs of rows that are looked at, spread over the table."""
MIN_ALIKE = 0.3
"""Least likeness of columns that belong together: the mean of labels and contents."""
MIN_JOINED = 0.6
"""Share of rows where columns side by side are, together, the one column of the other side."""
_ORDER = 0.05
"""What equal columns gain by standing at the same place."""


def align_columns(a: TableLines, b: TableLines, entries: Sequence[Entry]) -> list[ColumnPair]:
    """Column pairs in the order of A, those of B alone where they stand there.

    One to one by the greatest sum of likeness (Hungarian method, scipy), so that a column may
    have moved; then a column that is left and, joined to its neighbour, makes up the other side's
    column, is a part of it.
    """
    rows_a, rows_b = _sampled_rows(a, b, entries)
    pairs = _one_to_one(a, b, rows_a, rows_b)
    joined = _with_parts(pairs, rows_a, rows_b)
    return _in_order(_marked_moves(joined), a.width, b.width)


def _one_to_one(
    a: TableLines, b: TableLines, rows_a: np.ndarray, rows_b: np.ndarray
) -> dict[int, int]:
    likeness = _content(rows_a, rows_b)
    labels_a, labels_b = _labels(a), _labels(b)
    label = np.asarray(process.cdist(labels_a, labels_b, scorer=fuzz.ratio), dtype=float) / 100
    has = np.array([bool(text) for text in labels_a])[:, None] & np.array(
        [bool(text) for text in labels_b]
    )
    has_rows = bool(len(rows_a))
    score = np.where(has, (label + likeness) / 2 if has_rows else label, likeness)
    order = np.abs(np.arange(a.width)[:, None] - np.arange(b.width)[None, :])
    total = score - _ORDER * order / max(a.width, b.width, 1)
    # As in the pairing of tables: ties fall the same way whichever side comes first.
    chosen = zip(*linear_sum_assignment(total, maximize=True), strict=True)
    return {int(i): int(j) for i, j in chosen if score[i, j] >= MIN_ALIKE}


def _content(rows_a: np.ndarray, rows_b: np.ndarray) -> np.ndarray:
    """Share of rows with the same text in both columns, among those with any: (wide, wide)."""
    same = rows_a[:, :, None] == rows_b[:, None, :]
    filled = (rows_a != "")[:, :, None] | (rows_b != "")[:, None, :]
    return np.asarray((same & filled).sum(axis=0) / np.maximum(filled.sum(axis=0), 1))


def _with_parts(pairs: dict[int, int], rows_a: np.ndarray, rows_b: np.ndarray) -> list[ColumnPair]:
    free_a = [i for i in range(rows_a.shape[1]) if i not in pairs]
    free_b = [j for j in range(rows_b.shape[1]) if j not in set(pairs.values())]
    grown = {i: ([i], [j]) for i, j in pairs.items()}
    by_b = {j: grown[i] for i, j in pairs.items()}
    for j in list(free_b):
        for near in (j - 1, j + 1):
            group = by_b.get(near)
            if group and len(group[0]) == 1 and _is_joined(rows_a, group[0], rows_b, group[1], j):
                group[1].append(j)
                group[1].sort()
                by_b[j] = group
                free_b.remove(j)
                break
    by_a = {i: group for group in grown.values() for i in group[0]}
    for i in list(free_a):
        for near in (i - 1, i + 1):
            group = by_a.get(near)
            if group and len(group[1]) == 1 and _is_joined(rows_b, group[1], rows_a, group[0], i):
                group[0].append(i)
                group[0].sort()
                by_a[i] = group
                free_a.remove(i)
                break
    return [
        *(ColumnPair(tuple(group_a), tuple(group_b)) for group_a, group_b in grown.values()),
        *(ColumnPair((i,), ()) for i in free_a),
        *(ColumnPair((), (j,)) for j in free_b),
    ]


def _is_joined(
    whole: np.ndarray, one: list[int], parts: np.ndarray, some: list[int], another: int
) -> bool:
    """Whether columns of `parts` with another one make up the one column of `whole`, where that
    other one has text."""
    has_text = parts[:, another] != ""
    if not has_text.any():
        return False
    together = _joined(parts, sorted([*some, another]))
    return bool((whole[:, one[0]] == together)[has_text].mean() >= MIN_JOINED)


def _joined(rows: np.ndarray, columns: Sequence[int]) -> np.ndarray:
    texts = rows[:, columns[0]]
    for column in columns[1:]:
        texts = texts + rows[:, column]
    return np.asarray(texts)


def _marked_moves(columns: Sequence[ColumnPair]) -> list[ColumnPair]:
    """The fewest columns that must move for the others to stand in the same order are marked."""
    both = sorted((c for c in columns if c.a and c.b), key=lambda column: column.a)
    come = [column.b[0] for column in both]
    kept = {
        at
        for block in LCSseq.opcodes(come, sorted(come)).as_matching_blocks()
        for at in range(block.a, block.a + block.size)
    }
    marked = [
        ColumnPair(column.a, column.b, moved=at not in kept) for at, column in enumerate(both)
    ]
    return [*marked, *(column for column in columns if not (column.a and column.b))]


def _in_order(columns: Sequence[ColumnPair], width_a: int, width_b: int) -> list[ColumnPair]:
    """By A; a column of B alone right after the one that stands left of it there."""
    of_b = {j: column for column in columns for j in column.b}
    place: dict[ColumnPair, tuple[float, int]] = {}
    for column in columns:
        if column.a:
            place[column] = (float(column.a[0]), -1)
    for column in columns:
        if column.a:
            continue
        left = next((of_b[j] for j in range(column.b[0] - 1, -1, -1) if of_b[j].a), None)
        place[column] = (float(left.a[0]) if left else -1.0, column.b[0])
    del width_a, width_b
    return sorted(columns, key=lambda column: place[column])


def _labels(side: TableLines) -> list[str]:
    return [folded(label) for label in (*side.headers, *[""] * (side.width - len(side.headers)))]


def _sampled_rows(
    a: TableLines, b: TableLines, entries: Sequence[Entry]
) -> tuple[np.ndarray, np.ndarray]:
    """Paired body rows as texts without blanks: (rows, columns) of each side."""
    paired = [
        entry
        for entry in entries
        if entry.relation == PAIRED
        and a.lines[entry.a[0]].kind == ROW
        and b.lines[entry.b[0]].kind == ROW
    ]
    paired = paired[:: -(-len(paired) // SAMPLED) or 1]
    return (
        _as_array([a.lines[entry.a[0]].cells for entry in paired], a.width),
        _as_array([b.lines[entry.b[0]].cells for entry in paired], b.width),
    )


def _as_array(rows: Sequence[tuple[str, ...]], width: int) -> np.ndarray:
    texts = np.full((len(rows), width), "", dtype=object)
    for at, cells in enumerate(rows):
        texts[at, : len(cells)] = [without_blanks(cell) for cell in cells]
    return texts
