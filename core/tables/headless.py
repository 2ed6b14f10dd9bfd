"""Runs without a separator: a table that lost it, rows that lost their table, or text."""

from __future__ import annotations

from dataclasses import replace

from core.tables.evidence import stands_over_numbers
from core.tables.layout_parts import Layout, run_notes, within, without
from core.tables.pipes import PipeLines
from core.tables.runs import Runs

PROBABLY = "Probably continues t{number}: no header of its own is clear enough to say otherwise."
_LOST = "No separator line: the first row is taken as the header."
_LONE = (
    "A lone pipe row that follows on page {page} probably belongs to this table. Text stands "
    "between them, so it is left as text."
)
_LOOK_AHEAD = 6


def without_header(
    pipes: PipeLines, runs: Runs, start: int, end: int, cuts: list[int], before: list[Layout]
) -> list[Layout]:
    """The table, if any, of a run without a separator or whose first row is known to be data.

    Two rows of one width or more are a table, and a lone one is text unless markup says that it
    is a table. The first row is the header, but not where the rows may as well continue the last
    table `before`: then they stand apart without labels. That table's notes tell of a lone row.
    """
    blank = within(pipes.blank, start, end)
    rows = without(start, end, [*cuts, *blank])
    loose, near = start in runs.loose, _may_continue(pipes, start, before)
    if not len(rows) or not (loose or len(set(pipes.width[rows].tolist())) == 1):
        return []
    if len(rows) == 1 and not loose and not pipes.block[start]:
        if near:
            note = _LONE.format(page=pipes.page_num[start])
            before[-1] = replace(before[-1], notes=[*before[-1].notes, note])
        return []
    notes = run_notes(pipes, runs, start, end)
    if not loose and len(rows) > 1:
        first, *below = [pipes.row(at) for at in rows[:_LOOK_AHEAD].tolist()]
        if not near or stands_over_numbers(first, below):
            return [Layout(rows[:1].tolist(), [], rows[1:], dropped=blank, notes=[*notes, _LOST])]
    if before and (loose or near):
        notes.append(PROBABLY.format(number=len(before)))
    return [Layout([], cuts, rows, dropped=blank, notes=notes)]


def _may_continue(pipes: PipeLines, start: int, before: list[Layout]) -> bool:
    """Whether rows may belong to the table before: of its width, on its page or the next one."""
    if not before:
        return False
    last = max([*before[-1].above, *before[-1].separator, *before[-1].body[-1:].tolist()])
    return bool(
        pipes.width[last] == pipes.width[start]
        and pipes.page_num[start] - pipes.page_num[last] <= 1
        and (pipes.block[last] > 0) == (pipes.block[start] > 0)
    )
