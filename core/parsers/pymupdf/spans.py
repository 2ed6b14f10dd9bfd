"""Labels over several columns or beside several rows -> the first cell that they span. Pure.

A label is centred over what it spans, so the grid puts it somewhere in the middle. Where rules
bound its cell, or its middle is that of the columns below, it starts in the first of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from core.parsers.pymupdf.rules import FRAME, Rules
from core.parsers.pymupdf.words import Box, Word, union

Run = list[Word]
"""Words of one printed line with no more than a blank between them."""

Placed = dict[tuple[int, int], list[Run]]
"""(row, column) -> the runs of that cell."""

Extents = dict[int, tuple[float, float]]
"""Left and right end of what stands in each column, in points."""

WIDE = 0.9
"""A rule over this share of the table's width parts all of its columns."""

CENTRED = 0.6
"""A label is centred over columns when the middles differ by at most this, in font sizes."""

NEAR = 1.5
"""The rule under a spanning label lies at most this many font sizes below its baseline."""


def box_of(runs: Iterable[Run]) -> Box:
    return union(word.box for run in runs for word in run)


def move(placed: Placed, source: tuple[int, int], target: tuple[int, int]) -> None:
    """Add what a cell holds to another one, so that nothing is ever lost."""
    if source != target and source in placed:
        placed.setdefault(target, []).extend(placed.pop(source))


def place_header_spans(
    placed: Placed, columns: Sequence[int], rows: Sequence[int], rules: Rules
) -> Placed:
    """Move the labels of the header's upper lines to the first column that they span.

    A line may hold spanning labels when it is the first, or follows one that has some.
    """
    placed = {at: list(runs) for at, runs in placed.items()}
    extents = column_extents(placed, columns)
    for row, below in pairwise(rows):
        labels = [column for column in columns if (row, column) in placed]
        if len(labels) == len(columns) or not labels:
            break
        spans = header_spans(placed, row, below, labels, columns, extents, rules)
        for label, (first, _) in spans.items():
            move(placed, (row, label), (row, first))
        if not any(last > first for first, last in spans.values()):
            break
        # A blank right of a span would read as part of it: what stands there moves up.
        ranges = list(spans.values())
        starts = [first for first, _ in ranges[1:]]
        for (first, last), end in zip(ranges, [*starts, columns[-1] + 1], strict=True):
            for column in range(last + 1, end if last > first else 0):
                move(placed, (below, column), (row, column))
    return placed


def header_spans(
    placed: Placed,
    row: int,
    below: int,
    labels: Sequence[int],
    columns: Sequence[int],
    extents: Extents,
    rules: Rules,
) -> dict[int, tuple[int, int]]:
    """First and last column of each label of a header line."""
    named = [at for at in columns if (below, at) in placed and at in extents]
    ceiling = max((box_of(placed[below, at])[3] for at in named), default=0.0)
    spans: dict[int, tuple[int, int]] = {}
    doubtful = []
    last = -1
    for label, end in zip(labels, [*labels[1:], columns[-1] + 1], strict=True):
        runs = placed[row, label]
        free = [at for at in columns if last < at < end and at in extents]
        bounds = _ruled(runs, rules, ceiling)
        if bounds:
            under = [at for at in free if bounds[0] < sum(extents[at]) / 2 < bounds[1]]
            # Rules at the table's own edges bound a cell over all columns: that is a title.
            spanned = under if label in under and len(under) < len(columns) else []
        else:
            spanned = _centred(
                runs, label, [at for at in free if at in named and at != columns[0]], extents
            )
            if len(spanned) > 1 and _off(runs, label, label, extents) <= CENTRED:
                doubtful.append(label)
        spans[label] = (spanned[0], spanned[-1]) if spanned else (label, label)
        last = spans[label][1]
    # The first line of a label that wraps is centred over its neighbours too, now and then. Over
    # three columns it is believed when the labels of its line leave no column out.
    covered = {at for first, last in spans.values() for at in range(first, last + 1)}
    if not covered.issuperset(at for at in named if at != columns[0]):
        spans.update({label: (label, label) for label in doubtful})
    return spans


def _ruled(runs: Sequence[Run], rules: Rules, ceiling: float) -> tuple[float, float] | None:
    """Left and right end of a label's cell: by the rule right below it, or by those beside it."""
    x0, y0, x1, y1 = box_of(runs)
    size = max(word.size for run in runs for word in run)
    baseline = max(word.baseline for run in runs for word in run)
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    left = [at for at in column_edges(rules, y) if at <= x0 + size / 2]
    right = [at for at in column_edges(rules, y) if at >= x1 - size / 2]
    if left and right:
        return max(left), min(right)
    under = [
        rule
        for rule in rules.across
        if baseline < rule.at < min(baseline + NEAR * size, ceiling) and rule.covers(x)
    ]
    if not under:
        return None
    nearest = min(under, key=lambda rule: rule.at)
    table = max((rule.end - rule.start for rule in rules.across), default=0.0)
    width = nearest.end - nearest.start
    if width >= WIDE * table or width < x1 - x0 - size:
        return None  # below the whole header, or an underline of a part of it
    return nearest.start, nearest.end


def _centred(runs: Sequence[Run], label: int, named: Sequence[int], extents: Extents) -> list[int]:
    """The most columns around `label`, each with a label below, over whose middle it stands."""
    best: list[int] = []
    for at, first in enumerate(named):
        for end, last in enumerate(named[at:], start=at + 1):
            spans = first <= label <= last and _off(runs, first, last, extents) <= CENTRED
            if spans and end - at > len(best):
                best = list(named[at:end])
    return best


def _off(runs: Sequence[Run], first: int, last: int, extents: Extents) -> float:
    """How far a label's middle is from that of columns, in font sizes."""
    x0, _, x1, _ = box_of(runs)
    size = max(word.size for run in runs for word in run)
    return abs(extents[first][0] + extents[last][1] - x0 - x1) / 2 / size


def column_extents(placed: Placed, columns: Sequence[int]) -> Extents:
    """Left and right end of what stands in each column below its first line."""
    extents = {}
    for column in columns:
        rows = sorted(row for row, at in placed if at == column)
        boxes = [box_of(placed[row, column]) for row in rows[1:] or rows]
        if boxes:
            extents[column] = (min(box[0] for box in boxes), max(box[2] for box in boxes))
    return extents


def column_edges(rules: Rules, y: float) -> list[float]:
    """x of the rules beside the cells at a height; a mere frame around all of them is none."""
    edges = [rule.at for rule in rules.down]
    at = [rule.at for rule in rules.down if rule.covers(y)]
    return at if any(min(edges) + FRAME < edge < max(edges) - FRAME for edge in at) else []
