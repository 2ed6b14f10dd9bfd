"""Runs of pipe lines -> tables: where each begins, its header lines, its rows, what is dropped."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from core.tables.pipes import PipeLines
from core.tables.runs import Runs

_CONTINUED = re.compile(r"\(?\b(?:continued|cont\.|cont['’]d)\)?", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_MARKUP = re.compile(r"[*_`#\s]+")


@dataclass(frozen=True)
class Layout:
    """Pipe lines of one table by role; positions are those in `PipeLines`."""

    above: list[int]
    """Header lines printed above the separator."""
    separator: list[int]
    body: np.ndarray
    """Lines below the separator, repeats and separators taken out."""
    dropped: list[int] = field(default_factory=list)
    """Repeated header lines and later separators."""
    repeats: list[int] = field(default_factory=list)
    """Lines right after a repeated header, where its further lines may be repeated too."""
    notes: list[str] = field(default_factory=list)


def runs_to_layouts(pipes: PipeLines, runs: Runs, *, strict: bool) -> list[Layout]:
    """Split every run into its tables, in reading order."""
    separators = np.flatnonzero(pipes.is_separator)
    first = np.searchsorted(separators, runs.start).tolist()
    last = np.searchsorted(separators, runs.end).tolist()
    layouts: list[Layout] = []
    for start, end, low, high in zip(
        runs.start.tolist(), runs.end.tolist(), first, last, strict=True
    ):
        cuts = separators[low:high].tolist()
        if strict:
            layouts += _literal_layout(start, end, cuts)
        else:
            layouts += _safe_layouts(pipes, runs, start, end, cuts)
    return layouts


def line_key(cells: Iterable[str]) -> str:
    """A row's text for comparison: without case, markup and "(continued)"."""
    joined = "|".join(cells).casefold()
    if "cont" in joined:
        joined = _CONTINUED.sub(" ", joined)
    return _MARKUP.sub(" ", joined).replace(" |", "|").replace("| ", "|").strip()


def _literal_layout(start: int, end: int, cuts: list[int]) -> list[Layout]:
    if not cuts:
        return []
    split = cuts[0]
    body = _without(split + 1, end, cuts)
    return [Layout([split - 1] if split > start else [], [split], body, dropped=cuts[1:])]


def _safe_layouts(
    pipes: PipeLines, runs: Runs, start: int, end: int, cuts: list[int]
) -> list[Layout]:
    if not cuts:
        return _without_separator(pipes, start, end)
    if len(cuts) == 1 and not _has_anything_odd(pipes, runs, cuts[0] + 1, end):
        return [Layout(list(range(start, cuts[0])), cuts, np.arange(cuts[0] + 1, end))]
    layouts = []
    for table_start, table_end in _table_ranges(pipes, start, end, cuts):
        inside = [cut for cut in cuts if table_start <= cut < table_end]
        layouts.append(_one_table(pipes, runs, table_start, table_end, inside))
    return layouts


def _has_anything_odd(pipes: PipeLines, runs: Runs, start: int, end: int) -> bool:
    """Whether these rows run over a page break or hold blank ones."""
    return any(_within(odd, start, end) for odd in (pipes.page_starts, pipes.blank, runs.joined))


def _without_separator(pipes: PipeLines, start: int, end: int) -> list[Layout]:
    """Two rows of one width or more are a table whose separator got lost; a lone one is text."""
    if end - start < 2 or len(set(pipes.width[start:end].tolist())) > 1:
        return []
    note = "No separator line: the first row is taken as the header."
    return [Layout([start], [], np.arange(start + 1, end), notes=[note])]


def _table_ranges(pipes: PipeLines, start: int, end: int, cuts: list[int]) -> list[tuple[int, int]]:
    """Cut a run where a later separator stands below labels that differ from the header."""
    starts = [start]
    header = cuts[0] - 1
    for previous, cut in pairwise(cuts):
        above = cut - 1
        if above <= previous:
            continue  # two separators in a row: nothing new begins
        labels = pipes.row(above)
        # A parser promotes a data row at the top of a page, not in the middle of one: there,
        # another width is another table, whatever its header looks like.
        other_width = pipes.width[cut] != pipes.width[header] and not _within(
            pipes.page_starts, above, above + 1
        )
        if line_key(labels) != line_key(pipes.row(header)) and (other_width or _all_labels(labels)):
            starts.append(above)
            header = above
    return list(zip(starts, [*starts[1:], end], strict=True))


def _all_labels(cells: list[str]) -> bool:
    """Whether every cell holds a label: words, or behind the first one a year."""
    words = [cell for cell in cells[1:] if not _YEAR.fullmatch(cell)]
    return all(cells) and not any(
        character.isdigit() for cell in (cells[0], *words) for character in cell
    )


def _one_table(pipes: PipeLines, runs: Runs, start: int, end: int, cuts: list[int]) -> Layout:
    split, *later = cuts
    above = list(range(start, split))
    dropped, repeats, notes = list(later), [], []
    candidates = sorted(
        {*(cut - 1 for cut in later), *_within(pipes.page_starts, split + 1, end)} - set(cuts)
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
    notes += [
        f"Joined over page furniture from page {pipes.page_num[at] - 1} to {pipes.page_num[at]}."
        for at in _within(runs.joined, start + 1, end)
    ]
    blank = _within(pipes.blank, split + 1, end)
    if blank:
        dropped += blank
        notes.append(f"{len(blank)} blank row{'s' if len(blank) > 1 else ''} left out.")
    body = _without(split + 1, end, dropped)
    return Layout(above, [split], body, dropped=dropped, repeats=repeats, notes=notes)


def _without(start: int, end: int, dropped: list[int]) -> np.ndarray:
    """Positions from start to end, those dropped left out."""
    if not dropped:
        return np.arange(start, end)
    kept = np.ones(end - start, dtype=bool)
    kept[[at - start for at in dropped if start <= at < end]] = False
    return np.flatnonzero(kept) + start


def _within(positions: list[int], start: int, end: int) -> list[int]:
    """Those of the ascending positions that lie in start <= position < end."""
    return positions[bisect_left(positions, start) : bisect_left(positions, end)]
