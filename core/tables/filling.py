"""Labels that a span left blank below, and rows that a page break cut in two."""

from __future__ import annotations

import re
from itertools import takewhile

import numpy as np

from core.tables.body_rows import BodyRows, is_one_text
from core.tables.labels import is_number, is_period
from core.tables.sections import total_of

Filled = dict[int, list[str]]
"""Row number -> its cells after filling or joining."""

_FEW_ROWS = 5
_MOST_BELOW_ONE = 12
"""A single label with more blank cells below it is no span but a column hardly used."""

_SENTENCE_END = re.compile(r"[.!?;:…。！？]['\"”’)]*$")
_DATE = re.compile(r"(?:19|20)\d\d(?:\s?[-–/]\s?\d{2,4})?|\d{1,2}[./-]\d{1,2}(?:[./-]\d+)?")


def join_cut_rows(rows: BodyRows) -> tuple[Filled, dict[int, int]]:
    """Rows that go on at the top of the next page: the joined cells, and the rows taken in,
    each with the row it goes on with.

    The upper half is blank in no cell that goes on below, which reads on in the middle of a
    sentence; the lower half has no label of its own and is mostly blank.
    """
    page = rows.pipes.page_num[rows.lines]
    turned = np.flatnonzero((np.diff(page) != 0) & ~rows.named[1:] & (rows.filled[1:] > 0)) + 1
    joined: Filled = {}
    taken: dict[int, int] = {}
    for at in turned.tolist():
        first = taken.get(at - 1, at - 1)
        upper, lower = rows.cells([first, at])
        upper = joined.get(first, upper)
        if rows.alone[first] or 2 * rows.filled[at] > len(lower):
            continue
        if _reads_on(upper, lower):
            joined[first] = [f"{up} {low}".strip() for up, low in zip(upper, lower, strict=True)]
            taken[at] = first
    return joined, taken


def fill_down(rows: BodyRows, starts: np.ndarray, joined: Filled) -> tuple[Filled, int]:
    """Carry labels down the leading columns over the blanks that a span left.

    Args:
        rows: the body rows, section rows taken out.
        starts: (n,) bool, rows above which a section or nothing stands: no label crosses.
        joined: rows whose cells are not those printed.

    Returns:
        The cells of each row that was filled, and how many rows hold a blank label that stays.
    """
    blank = np.flatnonzero(~rows.named & (rows.filled > 1))
    if not blank.size:
        return {}, 0
    if not _has_spans(rows, starts, blank):
        return {}, len(blank)
    above = blank - 1
    needed = np.unique(np.concatenate([above[above >= 0], blank]))
    cells = dict(zip(needed.tolist(), rows.cells(needed), strict=True)) | joined
    runs = _runs(blank, starts)
    if any(_label_returns(rows, starts, cells, run) for run in runs):
        return {}, len(blank)
    repeated = _totals_of_runs(runs, cells)
    filled: Filled = {}
    for run in runs:
        anchor = cells[run[0] - 1] if run[0] and not starts[run[0]] else []
        for at in run:
            row = cells[at]
            # A total in the last row may be the whole table's.
            unsure = at + 1 == len(rows) and not repeated
            if unsure and total_of(next(filter(None, row))) is not None:
                break
            if is_one_text(row) or (len(run) == 1 and all(map(_is_figure, filter(None, row)))):
                break
            depth = _span_depth(anchor, row, len(run), rows.width)
            if depth:
                anchor = [*anchor[:depth], *row[depth:]]
                filled[at] = anchor
    return filled, len(blank) - len(filled)


def _reads_on(upper: list[str], lower: list[str]) -> bool:
    if len(upper) != len(lower):
        return False
    pairs = [(up, low) for up, low in zip(upper, lower, strict=True) if low]
    open_ended = all(
        any(map(str.isalpha, up)) and any(map(str.isalpha, low)) and not _SENTENCE_END.search(up)
        for up, low in pairs
    )
    return open_ended and any(low[0].islower() or up[-1] in "-,(" for up, low in pairs)


def _has_spans(rows: BodyRows, starts: np.ndarray, blank: np.ndarray) -> bool:
    """Whether blank labels form the pattern of spans, not a gap here and there."""
    named = np.flatnonzero(rows.named)
    if not named.size or not rows.named[0]:
        return False
    if len(blank) == 1 and len(rows) > _FEW_ROWS:
        return False
    if len(named) == 1 and len(blank) > _MOST_BELOW_ONE:
        return False
    # Where labels are printed again in the next row, nothing is spanned.
    next_to = named[1:][(np.diff(named) == 1) & ~starts[named[1:]]]
    again = sum(rows.labels[at] == rows.labels[at - 1] for at in next_to.tolist())
    return again < len(_runs(blank, starts))


def _runs(blank: np.ndarray, starts: np.ndarray) -> list[list[int]]:
    cuts = np.flatnonzero((np.diff(blank) > 1) | starts[blank[1:]]) + 1
    return [run.tolist() for run in np.split(blank, cuts)]


def _label_returns(rows: BodyRows, starts: np.ndarray, cells: Filled, run: list[int]) -> bool:
    """Whether the label above some blanks is printed again right below them: a span would have
    gone on, so that such blanks are blank."""
    below = run[-1] + 1
    if not run[0] or starts[run[0]] or below >= len(rows) or starts[below]:
        return False
    label = cells[run[0] - 1][:1]
    return bool(label) and bool(label[0]) and rows.labels[below] == label[0]


def _totals_of_runs(runs: list[list[int]], cells: Filled) -> bool:
    """Whether groups regularly end in a total of their own."""
    ends = [next((cell for cell in cells[run[-1]] if cell), "") for run in runs]
    return sum(total_of(end) is not None for end in ends) > 1


def _span_depth(above: list[str], row: list[str], run: int, width: int) -> int:
    """How many leading cells are to be carried down; 0 where that is not clear.

    Right of the first column only labels are carried, never figures.
    """
    if len(above) != len(row):
        return 0
    depth = next(column for column, cell in enumerate(row) if cell)
    if not above[0] or not (above[depth] or run > 1):
        return 0
    if not _is_label(row[depth]):
        if _is_label(above[depth]) or not (run > 1 or any(map(_is_label, row))):
            return 0
    elif _is_figure(above[depth]):
        return 0  # a word where figures stand: "Net" and "VAT" below the items of an invoice
    elif _is_other_text(above[depth:], list(filter(None, row))):
        return 0
    missing = row[depth:].count("") - above[depth:].count("")
    if missing > (width > 3) + width // 8:
        return 0
    if all(map(_is_figure, filter(None, row))):
        return 1  # figures alone below inner labels: a sum over them
    return 1 + sum(1 for _ in takewhile(_is_label, above[1:depth]))


def _is_other_text(above: list[str], labels: list[str]) -> bool:
    """Whether a row of words alone goes on with the text above, or is a header among figures."""
    if not all(map(_is_label, labels)):
        return False
    goes_on = above[0][:1].isupper() and all(cell[0].islower() for cell in labels)
    figures = sum(1 for cell in above if cell and not _is_label(cell))
    return goes_on or (figures > 1 and len(labels) > 2)


def _is_figure(cell: str) -> bool:
    return is_number(cell) and not is_period(cell)


def _is_label(cell: str) -> bool:
    return cell[:1].isalpha() or any(map(str.isalpha, cell)) or bool(_DATE.fullmatch(cell))
