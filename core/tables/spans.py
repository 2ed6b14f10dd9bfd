"""Labels that span columns: which columns share them, how far they reach, what they add up to.

A span arrives blank to the right of its label, or with the label repeated in each column.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.tables.column_facts import Columns
from core.tables.labels import (
    is_statistic,
    is_unfinished_date,
    same_label,
    starts_with_period,
)

Row = Sequence[str]
Levels = Sequence[Row]
"""Header lines from top to bottom, all of one width."""


def shared_with_left(levels: Levels) -> list[bool]:
    """Whether each column has all its labels in common with the column to its left.

    A blank on the first line is a span only where a label stands to its left; below, a blank
    may be one wherever the columns share what stands above.
    """
    width = len(levels[0]) if levels else 0
    shared = [at > 0 for at in range(width)]
    for depth, labels in enumerate(levels):
        carried = ""
        for at, label in enumerate(labels):
            if at and shared[at]:
                spans = not label and (bool(carried) or depth > 0)
                shared[at] = spans or (bool(label) and same_label(label, carried))
                carried = label or carried
            else:
                carried = label
    return shared


def groups(levels: Levels) -> list[tuple[int, int]]:
    """Column ranges (start, end) that share all their labels, from left to right."""
    starts = [at for at, shared in enumerate(shared_with_left(levels)) if not shared]
    ends = [*starts[1:], len(levels[0]) if levels else 0]
    return list(zip(starts, ends, strict=True))


def spread_statistics(labels: Row, above: Row, columns: Columns) -> Row:
    """A line that spells out only what numbers count, each label carried over the blanks to its
    right that hold numbers and have a label above; any other line as it is."""
    cells = [label for label in labels if label]
    if len(cells) < 2 or labels[0] or not all(map(is_statistic, cells)):
        return labels
    out: list[str] = []
    for at, label in enumerate(labels):
        carried = out[-1] if at and above[at] and columns.holds_numbers(at) else ""
        out.append(label or carried)
    return out


def fill_levels(levels: Levels, columns: Columns) -> list[tuple[str, ...]]:
    """Header lines with each spanning label carried as far as the evidence goes.

    A blank is filled where a label below tells the columns of the span apart, or, on a line that
    only says what the numbers count, where a label above does.
    """
    if len(levels) == 1:
        return [_fill_single(levels[0], columns)]
    filled: list[tuple[str, ...]] = []
    for depth, labels in enumerate(levels):
        lower = levels[depth + 1 :]
        shared = (
            shared_with_left(levels[:depth]) if depth else [at > 0 for at in range(len(labels))]
        )
        below = [any(column) for column in zip(*lower, strict=True)] or [False] * len(labels)
        out = _fill(labels, lower, shared, below)
        filled.append(tuple(spread_statistics(out, levels[depth - 1], columns) if depth else out))
    return filled


def join_levels(filled: Levels) -> tuple[str, ...]:
    """One label per column: its parts from top to bottom, a part repeated downwards said once."""
    return tuple(_join_distinct(column) for column in zip(*filled, strict=True))


def _fill(labels: Row, lower: Levels, shared: Sequence[bool], below: Sequence[bool]) -> list[str]:
    out: list[str] = []
    span, span_end = "", len(labels)
    for at, label in enumerate(labels):
        if label:
            span, span_end = label, _end_of_date(label, labels, lower, at)
        elif not shared[at]:
            span = ""
        out.append(label or (span if below[at] and at < span_end else ""))
    return out


def _end_of_date(label: str, labels: Row, lower: Levels, at: int) -> int:
    """Where the span of a label that breaks off in a date ends: after the last year below it."""
    if not lower or not is_unfinished_date(label):
        return len(labels)
    end = next((to for to in range(at + 1, len(labels)) if labels[to]), len(labels))
    years = [to for to in range(at, end) if starts_with_period(lower[0][to])]
    return years[-1] + 1 if years else len(labels)


def _fill_single(labels: Row, columns: Columns) -> tuple[str, ...]:
    """A lone header line: a blank is a span only where the columns say so.

    Either the labelled column is empty and its unnamed neighbour is not, or the same shape,
    label and unnamed column, recurs, or both hold text. Numbers side by side say nothing.
    """
    unnamed = [at for at in range(1, len(labels)) if not labels[at] and columns.used(at)]
    spans = [at for at in unnamed if labels[at - 1]]
    recurring = len(spans) > 1 and len(spans) == len(unnamed)
    out = list(labels)
    for at in spans:
        alike = at > 1 and not (columns.holds_numbers(at) or columns.holds_numbers(at - 1))
        if recurring or alike or not columns.used(at - 1):
            out[at] = labels[at - 1]
    return tuple(out)


def _join_distinct(parts: Row) -> str:
    kept = [part for part in parts if part]
    return " ".join(
        part
        for at, part in enumerate(kept)
        if at == 0 or part.casefold() != kept[at - 1].casefold()
    )
