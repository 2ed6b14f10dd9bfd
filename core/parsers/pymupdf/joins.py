"""Pieces of one cell that the grid has apart -> one cell, by the evidence of rules. Pure.

All of these take the cells of a table and give new ones; none loses or copies a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from core.parsers.pymupdf.rules import Rule, Rules
from core.parsers.pymupdf.spans import (
    Placed,
    Run,
    box_of,
    column_edges,
    column_extents,
    header_spans,
    move,
)
from core.parsers.pymupdf.words import Box, middle, union

WIDE = 0.9
"""A rule over this share of the table's width parts all of its columns."""

LETTER = 0.8
"""Pieces of a label in one ruled cell are closer than this, in font sizes."""

LEADING = 1.4
"""Baselines of one label's lines are at most this many font sizes apart."""

MID_BAND = 0.3
"""A label stands in the middle of rows when it is off by at most this many row heights."""


def join_ruled_labels(
    placed: Placed, columns: Sequence[int], rows: Sequence[int], rules: Rules
) -> Placed:
    """Join pieces of a header label that stand in one ruled cell, in its first column.

    Justified text leaves wide gaps, where the grid has columns. That is believed where nothing
    stands below one of the two pieces, or the gap is no wider than a letter.
    """
    placed = {at: list(runs) for at, runs in placed.items()}
    for row in rows[:1]:
        labels = [column for column in columns if (row, column) in placed]
        for left, right in pairwise(labels):
            before = max(at for at in labels if at <= left and (row, at) in placed)
            one, two = box_of(placed[row, before]), box_of(placed[row, right])
            alone = any(all((at, c) not in placed for at in rows[1:]) for c in (left, right))
            close = two[0] - one[2] < LETTER * placed[row, right][0][0].size
            if (alone or close) and _share_a_cell(one, two, rules, is_last=right == columns[-1]):
                move(placed, (row, right), (row, before))
    return placed


def _share_a_cell(one: Box, two: Box, rules: Rules, *, is_last: bool) -> bool:
    """Whether rules stand on both sides of two boxes side by side, and none between them.

    The table's last cell may be open to the right.
    """
    (left, _), (right, y) = middle(one), middle(two)
    at = column_edges(rules, y)
    sides = any(edge < left for edge in at) and (is_last or any(edge > right for edge in at))
    return sides and not any(left <= edge <= right for edge in at)


def join_header_lines(
    placed: Placed, columns: Sequence[int], rows: Sequence[int], rules: Rules
) -> Placed:
    """Join grid rows of the header that are lines of the same labels.

    That is believed above the first wide rule of a table with few of them, where each label of
    a line stands right above another one and spans no other column.
    """
    placed = {at: list(runs) for at, runs in placed.items()}
    bands = _bands(placed, columns, rows, rules)
    if not 1 < len(bands) <= len(rows) / 2 or any(
        _is_number(runs) for (row, _), runs in placed.items() if row in bands[0]
    ):
        return placed
    extents = column_extents(placed, columns)
    for row, below in pairwise(bands[0]):
        labels = [column for column in columns if (row, column) in placed]
        spans = header_spans(placed, row, below, labels, columns, extents, rules)
        if all(
            first == last and _goes_on(placed[row, at], placed.get((below, at), []), rules)
            for at, (first, last) in spans.items()
        ):
            for at in labels:
                move(placed, (row, at), (below, at))
    return placed


def _goes_on(runs: Sequence[Run], below: Sequence[Run], rules: Rules) -> bool:
    """Whether the text below is the next line of the same label: close by, and no rule between."""
    if not below:
        return False
    last = max((word for run in runs for word in run), key=lambda word: word.baseline)
    first = min((word for run in below for word in run), key=lambda word: word.baseline)
    x, _ = middle(box_of(below))
    near = 0 < first.baseline - last.baseline <= LEADING * max(first.size, last.size)
    return near and not any(
        last.baseline < rule.at < first.baseline and rule.covers(x) for rule in rules.across
    )


def _is_number(runs: Sequence[Run]) -> bool:
    text = "".join(word.text for run in runs for word in run)
    return not any(char.isalpha() for char in text) and any(char.isdigit() for char in text)


def keep_uncut(placed: Placed, rows: Sequence[int], rules: Rules) -> Placed:
    """Header cells that no rule cuts stay whole, in the upper of two rows.

    That is so beside a rule below a spanning label: one label above it, two or more below.
    """
    placed = {at: list(runs) for at, runs in placed.items()}
    cuts = []
    for row, below in pairwise(rows):
        cells = {at: runs for at, runs in placed.items() if at[0] in (row, below)}
        between = _rules_between(cells, row, below, rules)
        if not between:
            break
        cuts.append((row, below, between))
    for row, below, between in reversed(cuts):
        for _, column in sorted(at for at in placed if at[0] == below):
            if not any(rule.covers(middle(box_of(placed[below, column]))[0]) for rule in between):
                move(placed, (below, column), (row, column))
    return placed


def _rules_between(cells: Placed, row: int, below: int, rules: Rules) -> list[Rule]:
    """The rules between two rows, if one of them lies below a spanning label."""
    found, spanning = [], False
    for rule in rules.across:
        under = {
            at: middle(box)
            for at, box in ((at, box_of(runs)) for at, runs in cells.items())
            if rule.covers(middle(box)[0])
        }
        over = [y for (at, _), (_, y) in under.items() if at == row]
        lower = [y for (at, _), (_, y) in under.items() if at == below]
        if over and lower and max(over) < rule.at < min(lower):
            found.append(rule)
            spanning = spanning or (len(over) == 1 and len(lower) > 1)
    return found if spanning else []


def join_wrapped_rows(
    placed: Placed, columns: Sequence[int], rows: Sequence[int], rules: Rules
) -> Placed:
    """Join grid rows that a wrapped cell makes of one, in a table with a wide rule below each row:
    no rule stands between them, and not more than one column has text in several.
    """
    placed = {at: list(runs) for at, runs in placed.items()}
    bands = _bands(placed, columns, rows, rules)
    if len(bands) < 3 or len(bands) * 2 < len(rows):
        return placed
    for band in bands[1:]:
        cells = {at: [row for row in band if (row, at) in placed] for at in columns}
        wrapped = [at for at, filled in cells.items() if len(filled) > 1]
        if len(wrapped) != 1 or not any(cells[at] for at in columns if at not in wrapped):
            continue
        for at, filled in cells.items():
            for row in filled:
                move(placed, (row, at), (band[0], at))
    return placed


def place_row_labels(
    placed: Placed, columns: Sequence[int], rows: Sequence[int], rules: Rules
) -> Placed:
    """Move a label beside several rows to the first of them: the rows between two wide rules,
    of which it is the only one with a label and in whose middle it stands.
    """
    placed = {at: list(runs) for at, runs in placed.items()}
    stub = columns[0]
    for band in _bands(placed, columns, rows, rules):
        labels = [row for row in band if (row, stub) in placed]
        if len(band) < 2 or len(labels) != 1 or labels[0] == band[0]:
            continue
        boxes = [box_of(placed[row, at]) for row in band for at in columns if (row, at) in placed]
        _, top, _, bottom = union(boxes)
        _, label = middle(box_of(placed[labels[0], stub]))
        height = (bottom - top) / len(band)
        # On the second of two rows it would be that row's own label.
        if abs(label - (top + bottom) / 2) <= MID_BAND * height:
            move(placed, (labels[0], stub), (band[0], stub))
    return placed


def _bands(
    placed: Placed, columns: Sequence[int], rows: Sequence[int], rules: Rules
) -> list[list[int]]:
    """Rows that stand between the same two wide rules, from top to bottom."""
    bands: list[list[int]] = []
    cuts = wide_rules(placed, rules)
    previous = None
    for row in rows:
        boxes = [box_of(placed[row, at]) for at in columns if (row, at) in placed]
        if not boxes:
            continue
        y = sum(middle(box)[1] for box in boxes) / len(boxes)
        band = sum(cut < y for cut in cuts)
        if band == previous:
            bands[-1].append(row)
        else:
            bands.append([row])
        previous = band
    return bands


def wide_rules(placed: Placed, rules: Rules) -> list[float]:
    """y of the rules that run over (nearly) all of the table's width, from top to bottom."""
    if not placed:
        return []
    x0, _, x1, _ = union(box_of(runs) for runs in placed.values())
    return [rule.at for rule in rules.across if _shared(rule, x0, x1) >= WIDE * (x1 - x0)]


def _shared(rule: Rule, start: float, end: float) -> float:
    return min(rule.end, end) - max(rule.start, start)
