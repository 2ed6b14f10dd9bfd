"""Rules about the labels of single columns: missing, made up, the same twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.lint.facts import Facts
from core.lint.model import Defect, Lint, counted
from core.tables.headers import KEY_VALUE
from core.tables.labels import is_currency, is_period, is_unit, without_placeholders

NO_LABELS = Defect(
    "no-labels",
    "warning",
    "Rows are cited as bare values: a question that names a column cannot find it, and a reader "
    "of the chunk cannot tell what each value is.",
    "If the first rows hold the labels, set the number of header rows in the tab Headers; if the "
    "table lists keys and values, treat it as key-value there.",
)
EMPTY_LABEL = Defect(
    "empty-label",
    "warning",
    "The values of this column stand in their chunks without a name, so that a question for them "
    "finds nothing or the wrong column.",
    "Look at the header on the page: if the label spans several columns or stands on another "
    "line, set the number of header rows in the tab Headers.",
)
DUPLICATE_LABELS = Defect(
    "duplicate-labels",
    "warning",
    "A chunk holds the same label twice with different values: nothing says which of them a "
    "question means.",
    "If a line below tells the columns apart, set the number of header rows in the tab Headers.",
)
PLACEHOLDER_LABEL = Defect(
    "placeholder-label",
    "warning",
    "The parser made this name up because it found no label; no question will ever name it.",
    "Look at the header on the page; set the number of header rows in the tab Headers, or parse "
    "the document again with another parser.",
)

_NUMBER = re.compile(r"\(?[-+−–]?\s*[$€£¥]?\s*(\d[\d,.' \u00a0]*)\s*[%‰]?\)?")
# "1980.0" was a year before a program took it for a number, "2002 1" is one with a footnote.
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d(?:\.0|\s?\d)?")
_RANGE = re.compile(r"\d+\s*[-–—]\s*\d+")
_MISSING = {"nan", "<na>"}
_NO_NAME = re.compile(r"[-–—._\s]*")


def no_labels(facts: Facts) -> Iterator[Lint]:
    """No column has a label, and the table is no list of keys and values."""
    if not facts.has_labels and facts.n_rows and facts.table.header.rule != KEY_VALUE:
        message = f"None of the {counted(facts.width, 'column')} has a label."
        yield facts.lint(NO_LABELS, message, count=facts.width)


def empty_labels(facts: Facts) -> Iterator[Lint]:
    """Columns with values and without a label; a blank corner over row labels is usual."""
    if not facts.has_labels or not any(map(_NO_NAME.fullmatch, facts.labels)):
        return
    blank = [
        column
        for column, label in enumerate(facts.labels)
        if _NO_NAME.fullmatch(label)
        and facts.column_filled[column]
        and not _is_corner(facts, column)
    ]
    blank = [column for column in blank if not _belongs_beside(facts, column)]
    if blank:
        message = (
            f"{counted(len(blank), 'column')} of {facts.width} with values "
            f"{'has' if len(blank) == 1 else 'have'} no label: {_numbers(blank)}."
        )
        # Words right behind the row labels are row labels too: little is lost.
        row_labels = not facts.column_numeric[1 : blank[-1] + 1].any()
        yield facts.lint(
            EMPTY_LABEL,
            message,
            column=blank[0],
            count=len(blank),
            severity="info" if row_labels and blank == list(range(1, len(blank) + 1)) else None,
        )


def duplicate_labels(facts: Facts) -> Iterator[Lint]:
    """Columns with values that share one label."""
    if len({label.casefold() for label in facts.labels}) == facts.width:
        return
    columns: dict[str, list[int]] = {}
    for column, label in enumerate(facts.labels):
        if facts.n_rows and facts.column_filled[column] and not _NO_NAME.fullmatch(label):
            columns.setdefault(label.casefold(), []).append(column)
    shared = [same for same in columns.values() if len(same) > 1]
    told = [[at for at in same if not _belongs_beside(facts, at)] for same in shared]
    shared = [same for same in told if len(same) > 1]
    if shared:
        first, concerned = shared[0], sum(map(len, shared))
        message = f"{len(first)} columns are called {_short(facts.labels[first[0]])!r}" + (
            f", and {concerned - len(first)} more share their labels too"
            if len(shared) > 1
            else f": {_numbers(first)}"
        )
        yield facts.lint(DUPLICATE_LABELS, f"{message}.", column=first[1], count=concerned)


def placeholder_labels(facts: Facts) -> Iterator[Lint]:
    """Labels such as "Col2", "Unnamed: 3" or "nan", which parsers write where they found none."""
    named = without_placeholders(facts.labels)
    made_up = [
        at
        for at, label in enumerate(facts.labels)
        if label and (not named[at] or label.casefold() in _MISSING)
    ]
    if made_up:
        labels = ", ".join(repr(facts.labels[at]) for at in made_up[:3])
        message = f"{counted(len(made_up), 'label')} made up by the parser: {labels}."
        yield facts.lint(PLACEHOLDER_LABEL, message, column=made_up[0], count=len(made_up))


def plain_numbers(labels: Sequence[str]) -> list[int]:
    """Which labels are numbers and no names: neither years nor other periods, nor units, nor a
    series such as 1, 2, 3 or 10%, 20%, 30% or 4, 5, 6, 11, nor the ends of one such as 0-9, 10-19,
    20+, as rounds, classes and thresholds are named."""
    if sum(bool(_RANGE.search(label)) for label in labels) > 1:
        return []
    found: list[int] = []
    values: list[float] = []
    for at, label in enumerate(labels):
        match = _NUMBER.fullmatch(label) if label else None
        if match and not (
            _YEAR.fullmatch(label)
            or is_period(label)
            or is_unit(label)
            or not match.group(1).strip("0' ")
        ):
            found.append(at)
            values.append(_value(match.group(1)))
    steps = {round(after - before, 6) for before, after in pairwise(values)}
    # By chance four values go all the way up or down once in twelve times, three once in three.
    one_way = len(values) > 3 and (min(steps) > 0 or max(steps) < 0)
    even = len(values) > 2 and len(steps) == 1 and steps != {0.0}
    return [] if one_way or even else found


def _value(digits: str) -> float:
    try:
        return float(re.sub(r"[,' \u00a0]", "", digits))
    except ValueError:
        return float("nan")


def _is_corner(facts: Facts, column: int) -> bool:
    """Whether all columns up to this one are unlabelled row labels."""
    return column == 0 or not (
        any(not _NO_NAME.fullmatch(label) for label in facts.labels[: column + 1])
        or facts.column_numeric[1 : column + 1].any()
    )


def _belongs_beside(facts: Facts, column: int) -> bool:
    """Whether a column holds nothing but signs and units of the values beside it."""
    return all(
        not cell or is_currency(cell) or is_unit(cell) or not any(map(str.isalnum, cell))
        for cell in facts.column_texts(column)
    )


def _numbers(columns: Sequence[int]) -> str:
    names = [str(column + 1) for column in columns[:6]]
    return f"column{'s' if len(columns) > 1 else ''} {', '.join(names)}" + (
        ", ..." if len(columns) > len(names) else ""
    )


def _short(text: str, most: int = 60) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."
