"""Runs of pipe lines -> tables: where each begins, its header lines, its rows, what is dropped."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.tables.borders import TableRange, next_header, table_ranges
from core.tables.evidence import line_key
from core.tables.headless import PROBABLY, without_header
from core.tables.layout_parts import Layout, run_notes, within, without
from core.tables.pipes import PipeLines
from core.tables.runs import Runs

__all__ = ["Layout", "line_key", "runs_to_layouts"]


def runs_to_layouts(pipes: PipeLines, runs: Runs, *, strict: bool) -> list[Layout]:
    """Split every run into its tables, in reading order."""
    separators = np.flatnonzero(pipes.is_separator)
    first = np.searchsorted(separators, runs.start).tolist()
    last = np.searchsorted(separators, runs.end).tolist()
    plain = _hold_nothing_odd(pipes, runs).tolist()
    layouts: list[Layout] = []
    for start, end, low, high, is_plain in zip(
        runs.start.tolist(), runs.end.tolist(), first, last, plain, strict=True
    ):
        cuts = separators[low:high].tolist()
        if strict:
            layouts += _literal_layout(start, end, cuts)
        elif is_plain and len(cuts) == 1:
            above = list(range(start, cuts[0]))
            layouts.append(Layout(above, cuts, np.arange(cuts[0] + 1, end)))
        elif not cuts or start in runs.loose:
            border = next_header(pipes, start, end, cuts)
            inside = [cut for cut in cuts if cut < border]
            layouts += without_header(pipes, runs, start, border, inside, layouts)
            if border < end:
                cuts = cuts[len(inside) :]
                layouts += _safe_layouts(pipes, runs, border, end, cuts, len(layouts))
        else:
            layouts += _safe_layouts(pipes, runs, start, end, cuts, len(layouts))
    return layouts


def _literal_layout(start: int, end: int, cuts: list[int]) -> list[Layout]:
    if not cuts:
        return []
    split = cuts[0]
    body = without(split + 1, end, cuts)
    return [Layout([split - 1] if split > start else [], [split], body, dropped=cuts[1:])]


def _safe_layouts(
    pipes: PipeLines, runs: Runs, start: int, end: int, cuts: list[int], n_before: int
) -> list[Layout]:
    layouts = []
    for at, table in enumerate(table_ranges(pipes, start, end, cuts)):
        layout = _one_table(pipes, runs, table)
        if table.unsure and n_before + at:
            note = PROBABLY.format(number=n_before + at)
            layout = replace(layout, notes=[*layout.notes, note])
        layouts.append(layout)
    return layouts


def _hold_nothing_odd(pipes: PipeLines, runs: Runs) -> np.ndarray:
    """(m,) bool: runs on one page, without blank rows, all of whose rows are one pipe line each."""
    noted = [at for at, _ in pipes.notes]
    odd = [pipes.blank, runs.beside, noted, np.flatnonzero(pipes.block), list(runs.loose)]
    lines = np.sort(np.concatenate([np.array(at, dtype=np.int64) for at in odd]))
    on_pages = pipes.page_num[runs.end - 1] == pipes.page_num[runs.start]
    return on_pages & (np.searchsorted(lines, runs.start) == np.searchsorted(lines, runs.end))


def _one_table(pipes: PipeLines, runs: Runs, table: TableRange) -> Layout:
    start, end = table.start, table.end
    split, *later = table.cuts
    above = list(range(start, split))
    dropped, repeats, notes = list(later), [], []
    candidates = sorted(
        {*(cut - 1 for cut in later), *within(pipes.page_starts, split + 1, end)} - set(table.cuts)
    )
    if above and candidates:
        header = line_key(pipes.row(above[-1]))
        for at in candidates:
            if at > split and line_key(pipes.row(at)) == header:
                dropped.append(at)
                repeats.append(at + 2 if at + 1 in later else at + 1)
                notes.append(f"Header repeated on page {pipes.page_num[at]}: not a row.")
    promoted = [cut for cut in later if cut - 1 not in dropped and cut - 1 not in later]
    notes += [
        f"Page {pipes.page_num[cut]}: a separator below a data row; the row is kept."
        for cut in promoted
    ]
    notes += run_notes(pipes, runs, start, end)
    if split in pipes.assumed:
        notes.append("No cell is marked as a header: the first row is taken as the header.")
    blank = within(pipes.blank, split + 1, end)
    if blank:
        dropped += blank
        notes.append(f"{len(blank)} blank row{'s' if len(blank) > 1 else ''} left out.")
    body = without(split + 1, end, dropped)
    return Layout(above, [split], body, dropped=dropped, repeats=repeats, notes=notes)
