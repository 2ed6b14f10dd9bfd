"""What the steps from runs to tables share: the layout they make, and looking into a run."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

import numpy as np

from core.tables.pipes import PipeLines
from core.tables.runs import Runs


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
    sections: list[int] = field(default_factory=list)
    """Lines with a label for the rows below them."""
    footnotes: list[int] = field(default_factory=list)
    """Notes on the table at its end."""
    continued: dict[int, int] = field(default_factory=dict)
    """Lines that go on with the row of another line, given by that line."""
    groups: list[str] = field(default_factory=list)
    """Section path of each body row; empty where no row has one."""


def run_notes(pipes: PipeLines, runs: Runs, start: int, end: int) -> list[str]:
    """What was passed over and mended in the pipe lines start <= at < end."""
    notes = list(dict.fromkeys(notes_within(pipes, start, end)))
    notes += [
        f"Joined over page furniture from page {pipes.page_num[at] - 1} to {pipes.page_num[at]}."
        for at in within(runs.joined, start + 1, end)
    ]
    beside = within(runs.beside, start + 1, end)
    if beside:
        times = "once" if len(beside) == 1 else f"{len(beside)} times"
        notes.append(f"Text of another column stands between the rows {times}: passed over.")
    return notes


def notes_within(pipes: PipeLines, start: int, end: int) -> list[str]:
    """Notes about the rows start <= at < end."""
    low, high = (bisect_left(pipes.notes, (at, "")) for at in (start, end))
    return [note for _, note in pipes.notes[low:high]]


def without(start: int, end: int, dropped: list[int]) -> np.ndarray:
    """Positions from start to end, those dropped left out."""
    if not dropped:
        return np.arange(start, end)
    kept = np.ones(end - start, dtype=bool)
    kept[[at - start for at in dropped if start <= at < end]] = False
    return np.flatnonzero(kept) + start


def within(positions: list[int], start: int, end: int) -> list[int]:
    """Those of the ascending positions that lie in start <= position < end."""
    return positions[bisect_left(positions, start) : bisect_left(positions, end)]
