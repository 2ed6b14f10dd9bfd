"""The body of every table below its header: sections, spans, cut rows and notes.

Tables with ordinary rows alone, nearly all, are passed over after one scan in bulk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.tables.body_rows import BodyRows, scan_body
from core.tables.filling import Filled, fill_down, join_cut_rows
from core.tables.groups import row_groups
from core.tables.headers import HeaderFold
from core.tables.indents import read_indents
from core.tables.layout import Layout
from core.tables.pipes import PipeLines
from core.tables.sections import count_notes, find_sections


def read_bodies(
    pipes: PipeLines, layouts: Sequence[Layout], folds: Sequence[HeaderFold]
) -> tuple[PipeLines, list[Layout]]:
    """Read the rows below each header for what they say about other rows.

    Section rows become the groups of the rows below, blanks below a spanning label are filled,
    halves of a row cut by a page break are joined, notes at the end leave the rows. Returns the
    lines with the cells that follow, and the layouts; each change is in the layout's notes.
    """
    ends = np.cumsum([0, *(len(layout.body) for layout in layouts)])
    body = [np.empty(0, dtype=np.int64), *(layout.body for layout in layouts)]
    rows = scan_body(pipes, np.concatenate(body).astype(np.int64))
    odd = rows.alone | ~rows.named & (rows.filled > 0) | rows.indented
    before = np.concatenate([[0], np.cumsum(odd)])
    read = list(layouts)
    changed: Filled = {}
    for at in np.flatnonzero(before[ends[1:]] > before[ends[:-1]]).tolist():
        part = rows.part(int(ends[at]), int(ends[at + 1]), len(folds[at].folded))
        if part.width > 1:
            read[at], cells = _read_body(part, layouts[at], named=bool(folds[at].depth))
            changed |= cells
    return pipes.with_cells(changed), read


def _read_body(rows: BodyRows, layout: Layout, *, named: bool) -> tuple[Layout, Filled]:
    """One body: the layout that follows, and cells by pipe line where they changed.

    Without a header (not `named`) the first rows may be labels: nothing is carried down.
    """
    notes: list[str] = []
    n_rows = len(rows) - count_notes(rows)
    footnotes = rows.lines[n_rows:].tolist()
    if footnotes:
        notes.append(f"{_count(len(footnotes), 'note')} at the end: caption, not rows.")
        rows = rows.part(0, n_rows, rows.width)

    joined, taken = join_cut_rows(rows)
    continued = {int(rows.lines[at]): int(rows.lines[first]) for at, first in taken.items()}
    if taken:
        pages = ", ".join(str(rows.pipes.page_num[rows.lines[at]]) for at in taken)
        notes.append(f"Row cut by the page break before page {pages}: joined cell by cell.")
        kept = np.ones(len(rows), dtype=bool)
        kept[list(taken)] = False
        place = np.cumsum(kept) - 1
        joined = {int(place[at]): cells for at, cells in joined.items()}
        rows = rows.keep(kept)

    indents = read_indents(rows)
    is_section, unsure = find_sections(rows, indents)
    groups: list[str] = []
    if is_section.any() or indents is not None:
        groups, is_section = row_groups(rows, is_section, indents)
    sections = rows.lines[is_section].tolist()
    if sections:
        notes.append(f"{_count(len(sections), 'section row')}: the group of the rows below.")
    elif any(groups):
        notes.append("Indented labels belong to the group of the label above them.")
    if unsure:
        notes.append(f"{_count(unsure, 'row')} with a label alone, not surely a section: kept.")

    place = np.cumsum(~is_section) - 1
    joined = {int(place[at]): cells for at, cells in joined.items()}
    starts = np.append(False, is_section[:-1])[~is_section] if len(rows) else is_section
    groups = [group for group, section in zip(groups, is_section, strict=False) if not section]
    rows = rows.keep(~is_section)
    filled, left = fill_down(rows, starts, joined) if named else ({}, 0)
    if filled:
        label = rows.pipes.row(layout.above[-1])[0] if layout.above else ""
        n_filled = _count(len(filled), "row")
        notes.append(f"{label or 'Row label'} carried down into {n_filled}.")
    if left and not sections:
        notes.append(f"{_count(left, 'blank label')} left blank: not surely a span.")
    changed = {int(rows.lines[at]): cells for at, cells in (joined | filled).items()}
    return (
        replace(
            layout,
            body=rows.lines,
            sections=sections,
            footnotes=footnotes,
            continued=continued,
            groups=groups if any(groups) else [],
            notes=[*layout.notes, *notes],
        ),
        changed,
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
