"""Halves of a table whose parts on two pages differ in width: which column got lost, if any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.tables.evidence import Row, all_labels, column_kinds, line_key, stands_over_numbers
from core.tables.pipes import PipeLines

_NOTE = "Page {page}: a column that the rows above have is missing; it is left blank in these rows."
_MOST_ROWS = 200
"""Rows of each half that are looked at, at most."""


def mend_page_breaks(
    pipes: PipeLines, breaks: np.ndarray, uneven: np.ndarray
) -> tuple[PipeLines, np.ndarray, list[int], frozenset[int]]:
    """Decide over page breaks at which the width changes.

    `breaks` (n - 1,) bool says after which pipe lines a run ends; `uneven` holds those where only
    page furniture stands between rows that differ by one cell. A second half that lost a column
    (its header says which, or the kinds of its columns) gets it back, blank. Where that is not
    clear its rows stand apart, rather than under labels that may not be theirs.

    Returns:
        The pipe lines mended, the new breaks, where furniture was passed over in addition, and
        the first lines of halves that stand apart.
    """
    turns = np.flatnonzero((np.diff(pipes.page_num) == 1) & (np.diff(pipes.width) != 0) & ~breaks)
    turns = np.union1d(turns, uneven)
    if not turns.size:
        return pipes, breaks, [], frozenset()
    # A half ends with its page, whatever follows on the next.
    ends = np.append(np.flatnonzero(breaks | (np.diff(pipes.page_num) != 0)), len(pipes) - 1)
    run_starts = np.concatenate([[0], np.flatnonzero(breaks) + 1])
    separators = np.flatnonzero(pipes.is_separator)
    breaks, mended = breaks.copy(), list[int]()
    loose, last_loose = set[int](), 0
    rows: dict[int, list[str]] = {}
    notes = list(pipes.notes)
    for turn in turns.tolist():
        tail = range(turn + 1, int(ends[np.searchsorted(ends, turn + 1)]) + 1)
        start = int(run_starts[np.searchsorted(run_starts, turn, side="right") - 1])
        half = _first_half(pipes, separators, max(start, last_loose), turn + 1)
        verdict = _verdict(pipes, half, tail)
        if verdict == "apart":
            breaks[turn] = True
            last_loose = turn + 1
            loose.add(last_loose)
        elif verdict != "as it is":
            if breaks[turn]:
                breaks[turn] = False
                mended.append(turn)
            if not isinstance(verdict, str):
                rows |= {at: _spread(pipes.row(at), verdict) for at in tail}
                if _by_label(half.header, pipes.row(turn + 1)) is not None:
                    rows[turn + 1] = half.header
                notes.append((turn + 1, _NOTE.format(page=pipes.page_num[turn + 1])))
    if rows:
        pipes = replace(pipes.with_cells(rows), notes=sorted(notes))
    return pipes, breaks, mended, frozenset(loose)


def _spread(cells: Row, source: Sequence[int | None]) -> list[str]:
    return ["" if at is None else cells[at] for at in source]


@dataclass(frozen=True)
class _Half:
    """What is known of the columns of a table before the page turns."""

    width: int
    """Cells of most of its rows."""
    separator_width: int
    """Cells of the separator below its header, 0 where there is none."""
    header: list[str]
    body: list[list[str]]
    """Its last rows, those of the usual width."""


def _first_half(pipes: PipeLines, separators: np.ndarray, start: int, end: int) -> _Half:
    after = np.searchsorted(separators, start)
    cut = int(separators[after]) if after < len(separators) else end
    low = max(start, end - _MOST_ROWS)
    width = int(np.bincount(pipes.width[low:end]).argmax())
    body = [
        pipes.row(at)
        for at in range(max(low, cut + 1) if cut < end else low, end)
        if pipes.width[at] == width and not pipes.is_separator[at]
    ]
    header = pipes.row(cut - 1) if start < cut < end else []
    return _Half(width, int(pipes.width[cut]) if cut < end else 0, header, body)


def _verdict(pipes: PipeLines, half: _Half, tail: range) -> str | list[int | None]:
    """What becomes of the second half: "join", "apart", "as it is", or from which of its cells
    each column of the first half takes its own (None: the column that was lost)."""
    widths = set(pipes.width[tail.start : tail.stop].tolist())
    if len(widths) > 1:
        return "as it is"
    [narrow] = widths
    if narrow in (half.width, half.separator_width):
        return "join"
    rows = [pipes.row(at) for at in tail[:_MOST_ROWS] if not pipes.is_separator[at]]
    if not rows:
        return "as it is"
    promoted = len(tail) > 1 and bool(pipes.is_separator[tail[1]])
    if promoted and (all_labels(rows[0]) or stands_over_numbers(rows[0], rows[1:])):
        return "as it is"  # a header of its own: another table, by its separator
    if half.header and narrow < half.width:
        by_label = _by_label(half.header, rows[0])
        if by_label is not None:
            return by_label
    if not promoted and len(rows) < 2:
        return "as it is"  # one row that is short: nothing says that a column is missing
    if narrow == half.width - 1:
        return _by_kind(half.body, rows, half.width)
    return "apart"


def _by_label(header: Row, again: Row) -> list[int | None] | None:
    """Where a header that is repeated with fewer cells has each label; None if it is another."""
    source: list[int | None] = []
    found = 0
    for label in header:
        if found < len(again) and line_key([again[found]]) == line_key([label]):
            source.append(found)
            found += 1
        else:
            source.append(None)
    return source if found == len(again) and any(again) else None


def _by_kind(body: Sequence[Row], rows: Sequence[Row], width: int) -> str | list[int | None]:
    """The one column that can be the lost one: it was blank before, or leaving it out lets numbers
    stand under numbers and words under words."""
    before, after = column_kinds(body, width), column_kinds(rows, width - 1)
    fits = [
        lost
        for lost in range(width)
        if all(
            "blank" in pair or pair[0] == pair[1]
            for pair in zip([*before[:lost], *before[lost + 1 :]], after, strict=True)
        )
    ]
    blank = [lost for lost in fits if before[lost] == "blank"]
    choice = blank or fits
    if len(choice) != 1 or not body:
        return "apart"
    [lost] = choice
    return [*range(lost), None, *range(lost, width - 1)]
