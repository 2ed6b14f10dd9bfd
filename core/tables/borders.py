"""Where another table begins within a run of pipe lines: at which of its separators."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from core.tables.evidence import (
    all_labels,
    column_kinds,
    continues_columns,
    line_key,
    stands_over_numbers,
)
from core.tables.layout_parts import within
from core.tables.pipes import PipeLines

_LOOK_AHEAD, _LOOK_BACK = 5, 200
"""Rows below and above a header that tell what the columns hold."""


@dataclass(frozen=True)
class TableRange:
    """Pipe lines of one table within a run, and the separators among them."""

    start: int
    end: int
    cuts: list[int]
    unsure: bool
    """Whether its header may as well be a row of the table before."""


def table_ranges(pipes: PipeLines, start: int, end: int, cuts: list[int]) -> list[TableRange]:
    """Cut a run where a later separator stands below labels that differ from the header."""
    if len(cuts) == 1:
        return [TableRange(start, end, cuts, False)]
    cuts = _without_dash_rows(pipes, cuts)
    starts, unsure = [start], [False]
    header = cuts[0] - 1 if cuts[0] > start else None
    for number, (previous, cut) in enumerate(pairwise(cuts), start=1):
        if cut - 1 <= previous:
            continue  # two separators in a row: nothing new begins
        after = cuts[number + 1] if number + 1 < len(cuts) else end
        begins = _begins_table(pipes, header, previous, cut, after)
        if begins:
            starts.append(cut - 1)
            unsure.append(begins == "perhaps")
            header = cut - 1
    ends = [*starts[1:], end]
    return [
        TableRange(first, last, [cut for cut in cuts if first <= cut < last], doubt)
        for first, last, doubt in zip(starts, ends, unsure, strict=True)
    ]


def next_header(pipes: PipeLines, start: int, end: int, cuts: list[int]) -> int:
    """The first row that is a header by its look, among rows that begin with none; `end` if no
    row is."""
    for number, cut in enumerate(cuts):
        after = cuts[number + 1] if number + 1 < len(cuts) else end
        if cut - 1 > start and _begins_table(pipes, None, start, cut, after) == "yes":
            return cut - 1
    return end


def _begins_table(pipes: PipeLines, header: int | None, previous: int, cut: int, after: int) -> str:
    """Whether the row above a later separator is the header of another table: "yes", "perhaps"
    (to be read as one, with a note), or "" for no."""
    labels = pipes.row(cut - 1)
    if header is not None and line_key(labels) == line_key(pipes.row(header)):
        return ""
    # A parser promotes a data row at the top of a page, not in the middle of one: there,
    # another width is another table, whatever its header looks like.
    at_top = bool(within(pipes.page_starts, cut - 1, cut))
    same_width = pipes.width[cut] == pipes.width[previous if header is None else header]
    if not same_width and not at_top:
        return "yes"
    above = [pipes.row(at) for at in range(max(previous + 1, cut - _LOOK_BACK), cut - 1)]
    if same_width and continues_columns(labels, above):
        return ""
    below = [pipes.row(at) for at in range(cut + 1, min(after, cut + 1 + _LOOK_AHEAD))]
    if not all_labels(labels):
        # Where parsers promote rows, what holds digits is sooner one of them than a label.
        return "yes" if stands_over_numbers(labels, below) and not (same_width and at_top) else ""
    alike = column_kinds(above, len(labels)) == column_kinds(below, len(labels))
    if stands_over_numbers(labels, below):
        return "yes"
    return "perhaps" if same_width and at_top and alike else "yes"


def _without_dash_rows(pipes: PipeLines, cuts: list[int]) -> list[int]:
    """The separators among the lines of dashes: where the table's first one is written at more
    length, "| - | - |" deep inside a page says that there is no value."""
    if len(cuts) < 2 or _is_dash_row(pipes, cuts[0]):
        return cuts
    return [
        cut
        for cut in cuts
        if within(pipes.page_starts, cut - 1, cut + 1) or not _is_dash_row(pipes, cut)
    ]


def _is_dash_row(pipes: PipeLines, at: int) -> bool:
    return set(pipes.row(at)) == {"-"}
