"""Is the next line one more header line? Each rule names the evidence it saw, or stays silent.

The question behind all of them: are labels above still shared by neighbouring columns, and does
the next line tell these columns apart without being a row of values?
"""

from __future__ import annotations

from collections.abc import Sequence

from core.tables.column_facts import Columns
from core.tables.labels import (
    is_label,
    is_nothing,
    is_number,
    is_period,
    is_unit,
    is_unit_of_table,
    is_word,
    same_label,
)
from core.tables.spans import Levels, Row, groups, spread_statistics


def next_header_lines(levels: Levels, rows: Sequence[Row]) -> tuple[int, str]:
    """How many of the next rows are header lines too (0, or 1, or 2 with a span between).

    Args:
        levels: the header lines so far, of one width.
        rows: what follows them, cut or padded to the same width.

    Returns:
        The number of lines, and the evidence in one sentence, or (0, "").
    """
    if len(rows) < 2:
        return 0, ""
    reason = _why_next(levels, rows[0], Columns(rows[1:], len(levels[0])))
    if reason:
        return 1, reason
    is_open = any(end - start > 1 for start, end in groups(levels))
    if len(rows) > 2 and is_open and _spans_only(levels, rows[0]):
        reason = _why_next([*levels, rows[0]], rows[1], Columns(rows[2:], len(levels[0])))
        if reason:
            return 2, f"A line of spanning labels, and below it: {reason}"
    return 0, ""


def names_the_columns(candidate: Row, columns: Columns) -> bool:
    """Whether a line below a blank or a title line names columns rather than holds values."""
    filled = [cell for cell in candidate if cell]
    if len(filled) < 2 or len({cell.casefold() for cell in filled}) < 2:
        return False
    if any(cell.endswith(":") for cell in filled) or not all(map(is_label, filled)):
        return False
    in_use = [at for at, share in enumerate(columns.filled) if share > 0]
    named = sum(1 for at in in_use if candidate[at])
    return named >= max(2, len(in_use) - 1) or named >= 0.75 * len(in_use)


def _why_next(levels: Levels, candidate: Row, columns: Columns) -> str:
    """Evidence that `candidate` is a header line, or ""."""
    if not any(candidate) or not columns.n_rows:
        return ""
    if is_unit_of_table(candidate[0]) and levels[-1][0] and not any(candidate[1:]):
        return "It states the unit of the whole table."
    candidate = spread_statistics(candidate, levels[-1], columns)
    shared = [(start, end) for start, end in groups(levels) if end - start > 1]
    spans = [
        (start, end)
        for start, end in shared
        if sum(share > 0 for share in columns.filled[start:end]) > 1
    ]
    stub_free = _leaves_stub(levels, candidate, columns.stub)
    if _is_one_label(candidate):
        return _why_stacked(levels, candidate, columns) if stub_free and not spans else ""
    if spans:
        return _why_divided(levels, candidate, columns, spans, shared, stub_free)
    if not stub_free:
        return ""
    if _repeats_above(levels, candidate, columns.stub):
        if not all(_repeats(levels, cell, at) or is_label(cell) for at, cell in _filled(candidate)):
            return ""  # numbers: a row whose name happens to be that of its column
        rest = {cell.casefold() for cell in candidate[columns.stub + 1 :]}
        if len(rest) == 1 and len(candidate) > columns.stub + 2 and any(rest):
            return ""  # one unit over all values tells no columns apart: a section of the body
        return "It repeats the label of the row names, as parsers do for a cell over two lines."
    return _why_under_full_header(levels, candidate, columns)


def _why_divided(
    levels: Levels,
    candidate: Row,
    columns: Columns,
    spans: Sequence[tuple[int, int]],
    shared: Sequence[tuple[int, int]],
    stub_free: bool,
) -> str:
    """Evidence that the candidate tells the columns under shared labels apart."""
    divided = [span for span in spans if _divides(candidate, *span)]
    if not divided:
        return ""
    inside = {at for start, end in shared for at in range(start, end)}
    beside = [
        at
        for at, cell in enumerate(candidate)
        if at not in inside and cell and not _repeats(levels, cell, at)
    ]
    if stub_free and not any(is_nothing(cell) for cell in candidate if cell):
        if not beside:
            return "It leaves the row names free and gives each column under a shared label a name."
        if all(_is_heading(candidate[at], at, columns) for at in beside):
            return "It leaves the row names free and names the columns under the shared labels."
    words = all(is_label(cell) for cell in candidate if cell)
    contrast = any(columns.contrast(at, cell) for at, cell in _filled(candidate))
    if not (words and contrast):
        return ""
    patterns = [tuple(candidate[start:end]) for start, end in divided]
    if len(set(patterns)) < len(patterns):
        return "The same names recur under several shared labels, over columns of numbers."
    fully = len(divided) == len(spans) and all(
        all(candidate[start:end]) for start, end in divided if start > 0
    )
    stub = levels[-1][columns.stub]
    stub_named = (not stub or is_nothing(stub)) and all(is_word(candidate[at]) for at in beside)
    alone = [at for at in beside if at != columns.stub and any(level[at] for level in levels)]
    if fully and stub_named and all(columns.contrast(at, candidate[at]) for at in alone):
        return "It names the rows' column and each column under a shared label."
    return ""


def _why_under_full_header(levels: Levels, candidate: Row, columns: Columns) -> str:
    """Evidence for a line below labels that already tell all columns apart."""
    filled = [at for at, cell in enumerate(candidate) if cell and not _repeats(levels, cell, at)]
    cells = [candidate[at] for at in filled]
    if not filled or any(is_nothing(cell) for cell in cells):
        return ""
    if columns.filled[columns.stub] < 0.5 or (
        candidate[columns.stub] and not levels[-1][columns.stub]
    ):
        return ""
    if all(is_period(cell) or is_unit(cell) for cell in cells) and not _values(columns, candidate):
        return "It leaves the row names free and holds nothing but units or periods."
    if all(columns.contrast(at, candidate[at]) for at in filled):
        return "It leaves the row names free and holds words over columns of numbers."
    return _why_stacked(levels, candidate, columns)


def _why_stacked(levels: Levels, candidate: Row, columns: Columns) -> str:
    """Evidence that a few words continue the labels right above them."""
    filled = [at for at, cell in enumerate(candidate) if cell and not _repeats(levels, cell, at)]
    blank = [at for at, cell in enumerate(candidate) if not cell]
    if not filled or not all(is_word(candidate[at]) for at in filled):
        return ""
    if _spans_all_values(candidate, columns) or 2 * len(filled) > len(candidate):
        return ""
    if len(filled) == 1 and (columns.has_lone_labels or _is_centred(filled[0], levels, columns)):
        return ""
    if any(not levels[-1][at] for at in filled):
        return ""
    if all(columns.filled[at] >= 0.8 for at in blank if any(level[at] for level in levels)):
        return "It leaves most cells free, the row names too, and continues the labels above."
    return ""


def _filled(candidate: Row) -> list[tuple[int, str]]:
    return [(at, cell) for at, cell in enumerate(candidate) if cell]


def _values(columns: Columns, candidate: Row) -> bool:
    """Whether a row of units or periods may as well be values: its columns hold the like."""
    return any(
        columns.holds_periods(at) or (is_number(cell) and not is_period(cell))
        for at, cell in enumerate(candidate)
        if cell
    )


def _is_heading(cell: str, at: int, columns: Columns) -> bool:
    """Whether a cell beside the spans may head its column: words over numbers, or a unit."""
    return is_word(cell) and (columns.contrast(at, cell) or is_unit(cell))


def _leaves_stub(levels: Levels, candidate: Row, stub: int) -> bool:
    """Whether the cells up to the column that names the rows are blank or repeat its label."""
    return all(not candidate[at] or _repeats(levels, candidate[at], at) for at in range(stub + 1))


def _repeats(levels: Levels, cell: str, at: int) -> bool:
    """Whether a cell repeats the label above it, as a cell over several lines is flattened."""
    above = next((level[at] for level in reversed(levels) if level[at]), "")
    return bool(above) and same_label(cell, above)


def _repeats_above(levels: Levels, candidate: Row, stub: int) -> bool:
    return bool(candidate[stub]) and _repeats(levels, candidate[stub], stub)


def _divides(candidate: Row, start: int, end: int) -> bool:
    """Whether the cells under one shared label differ."""
    return len({cell.casefold() for cell in candidate[start:end] if cell}) > 1


def _is_one_label(candidate: Row) -> bool:
    """Whether a line holds one label only, once or repeated."""
    return len({cell.casefold() for cell in candidate if cell}) == 1


def _spans_all_values(candidate: Row, columns: Columns) -> bool:
    """Whether one label at the first value column may span all of them."""
    first = next(at for at, cell in enumerate(candidate) if cell)
    return _is_one_label(candidate) and first == columns.stub + 1 < len(candidate) - 1


def _is_centred(at: int, levels: Levels, columns: Columns) -> bool:
    """Whether a lone word below two levels stands in the middle of the values: a section."""
    middle = (columns.stub + len(levels[0])) / 2
    return len(levels) > 1 and abs(at - middle) <= 1


def _spans_only(levels: Levels, candidate: Row) -> bool:
    """Whether a line could hold spanning labels: its row name free, its cells words."""
    cells = [cell for cell in candidate if cell]
    return (
        bool(cells)
        and (not candidate[0] or _repeats(levels, candidate[0], 0))
        and all(is_label(cell) for cell in cells)
    )
