"""Rules about the header as a whole: is it one, is it all of it, is it printed again below?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from core.lint.facts import Facts
from core.lint.labels import plain_numbers
from core.lint.model import Defect, Lint, counted
from core.tables.headers import KEY_VALUE
from core.tables.labels import is_label, is_nothing, is_number, is_period

HEADER_IS_DATA = Defect(
    "header-is-data",
    "error",
    "If the header is a row of data, every chunk carries values of another row as its labels, and "
    "a question for them is answered from the wrong rows.",
    "Compare the header with the page. If it is a row, set the header rows to 0 in the tab "
    "Headers; if the table goes on from the page before, check the end of that table.",
)
NUMERIC_LABEL = Defect(
    "numeric-label",
    "warning",
    "A number as a label is rarely what a column is called; it may be a value that was taken for "
    "one, and is then no longer found as a value.",
    "Compare the header with the page; if it is a row of data, set the header rows to 0 in the "
    "tab Headers.",
)
UNFOLDED_SUB_HEADER = Defect(
    "unfolded-sub-header",
    "error",
    "Columns that only the second header line tells apart keep the same or no label, so that a "
    "value may be given for the wrong column; and the line itself is cited as a row.",
    "If the row is part of the header, raise the number of header rows in the tab Headers.",
)
REPEATED_HEADER = Defect(
    "repeated-header",
    "warning",
    "A row of labels is cited as if it held values, and it counts as one of the rows that decide "
    "whether the whole table is given.",
    "Nothing to do if the rows above and below belong to one table; else look whether two tables "
    "were joined here.",
)
HEADER_BY_HAND = Defect(
    "header-by-hand",
    "info",
    "Labels and rows are as you set them; the evidence on the page was not asked.",
    "Reset the table in the tab Headers to read it by evidence again.",
)
WEAK_HEADER = Defect(
    "weak-header",
    "info",
    "With this little evidence a row may have been taken for a label, or a label for a row.",
    "Compare the labels with the page; the number of header rows can be set in the tab Headers.",
)


def labels_like_values(facts: Facts) -> Iterator[Lint]:
    """Labels that say what a row would say: numbers, and values of their own column."""
    columns = data_columns(facts, facts)
    if len(columns) > 1:
        message = (
            f"{len(columns)} of {facts.width} labels look like values of their columns, as "
            f"{facts.labels[columns[0]]!r} does."
        )
        yield facts.lint(HEADER_IS_DATA, message, column=columns[0], count=len(columns))
    elif numeric := plain_numbers(facts.labels):
        labels = ", ".join(repr(facts.labels[at]) for at in numeric[:3])
        message = f"{counted(len(numeric), 'label')} of {facts.width} without a word: {labels}."
        yield facts.lint(NUMERIC_LABEL, message, column=numeric[0], count=len(numeric))


def unfolded_sub_header(facts: Facts) -> Iterator[Lint]:
    """A first row of labels over columns of numbers that the header does not tell apart."""
    if facts.n_rows < 2 or not facts.has_labels or facts.table.header.rule == KEY_VALUE:
        return
    first = facts.table.rows[0][: facts.width]
    others = [at for at, cell in enumerate(first) if at and cell and not is_nothing(cell)]
    if not others or not all(is_label(first[at]) for at in others):
        return
    named = [at for at in others if _contrasts(facts, at, first[at])]
    if not named or len(named) < 0.6 * len(others):
        return
    labels = [label.casefold() for label in facts.labels]
    unclear = [at for at in named if not labels[at] or labels.count(labels[at]) > 1]
    if unclear or (not first[0] and len(named) > 1 and len(set(first)) > 2):
        message = (
            f"The first row names {counted(len(named), 'column')} of numbers "
            f"({first[named[0]]!r}), of which the header leaves {len(unclear)} unclear."
        )
        yield facts.lint(
            UNFOLDED_SUB_HEADER, message, row=0, column=(unclear or named)[0], count=len(named)
        )


def repeated_header(facts: Facts) -> Iterator[Lint]:
    """Rows that repeat the header."""
    rows = facts.repeated_rows if facts.has_labels else []
    if rows:
        repeat = "repeats" if len(rows) == 1 else "repeat"
        message = f"{counted(len(rows), 'row')} of {facts.n_rows:,} {repeat} the header."
        yield facts.lint(REPEATED_HEADER, message, row=rows[0], count=len(rows))


def header_by_hand(facts: Facts) -> Iterator[Lint]:
    """A header whose lines the user counted."""
    if facts.table.header.rule == "by hand":
        lines = counted(facts.table.header.depth, "header line")
        yield facts.lint(HEADER_BY_HAND, f"Set by hand: {lines}.")


def weak_header(facts: Facts) -> Iterator[Lint]:
    """A header that no separator marks, or that was folded over too few rows to judge."""
    depth, rule = facts.table.header.depth, facts.table.header.rule
    if rule == "by hand" or not depth:
        return
    if not (facts.lines.role == "separator").any():
        yield facts.lint(WEAK_HEADER, "No separator marks the header: the first row is taken.")
    elif depth > 1 and facts.n_rows == 1:
        message = f"{depth} lines were folded into the labels over a single row."
        yield facts.lint(WEAK_HEADER, message)


def data_columns(facts: Facts, below: Facts) -> list[int]:
    """Columns whose label looks like a value of that column in `below`, a table as wide; none
    where it is true of fewer than half of the labels."""
    if not facts.has_labels or not below.n_rows:
        return []
    numbers = {at for at in plain_numbers(facts.labels) if below.column_numeric[at]}
    named = sum(map(bool, facts.labels))
    rows = {
        at: found
        for at, label in enumerate(facts.labels)
        if at not in numbers and (found := _rows_that_say(below, at, label))
        if sum(map(str.isalpha, label)) > 2 and not is_period(label)
    }
    # A row that shares its name and more with the labels is a header line too, or the header again.
    shared = Counter(row for found in rows.values() for row in found)
    again = {
        row
        for row, count in shared.items()
        if count >= 0.5 * named and below.texts[row * below.width] == facts.labels[0]
    }
    values = {at for at, found in rows.items() if found - again}
    both = sorted(numbers | values)
    return both if len(both) >= 0.5 * named and (numbers or len(both) > 1) else []


def _rows_that_say(facts: Facts, column: int, text: str) -> set[int]:
    cells = facts.column_texts(column)
    return {at for at, cell in enumerate(cells) if cell == text} if text in cells else set()


def _contrasts(facts: Facts, column: int, label: str) -> bool:
    """Whether a cell of the first row is a label and what is below it are numbers."""
    filled = facts.filled[1:, column]
    numeric = facts.numeric[1:, column]
    if not numeric.any() or np.count_nonzero(numeric) < 0.6 * np.count_nonzero(filled):
        return False
    if facts.numeric[0, column] and not is_period(label):
        return False
    if is_number(label):
        return not _holds_periods(facts.column_texts(column)[1:])
    return True


def _holds_periods(cells: Sequence[str]) -> bool:
    values = [cell for cell in cells[:50] if cell]
    return sum(map(is_period, values)) > 0.3 * len(values)
