"""Which rows of a body name the rows below them, and which trailing ones are notes.

A row whose label stands alone may also be a name without data. So a section needs evidence:
its print (a colon, capitals, bold, a number), a total that names it, or a table whose other
rows are filled throughout.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.tables.body_rows import BodyRows

LONGEST_LABEL = 160
"""Characters; what is longer is prose."""
_LONGEST_CHAIN = 3
"""Sections printed directly below each other; more are rows without data."""
_SAMPLE = 60
_OFTEN, _MOSTLY, _SELDOM = 0.6, 0.8, 0.25

_YEAR = re.compile(
    r"(?:fy\s?)?(?:19|20)\d\d(?:\s?[-–/]\s?\d{2,4})?\s?(?:\([a-z]\))?", re.IGNORECASE
)
_VALUE = re.compile(
    r"[\W\d_]*|[^\W\d_]|n\.?/?a\.?|yes|no|none|nil|tbd|true|false|null|unknown", re.IGNORECASE
)
_NUMBERED = re.compile(r"(\d+(?:\.\d+)*)[.)]?\s+[^\W\d_]")
_BOLD = re.compile(r"\s*(?:\*\*|__|<b>|<strong>)", re.IGNORECASE)
_REFERENCE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|[*†‡§:]")
_TOTAL = re.compile(
    r"^(?:(?:sub|grand)[- ]?)?totals?\b(?:\s+(?:of|for)\b)?(?:\s+the\b)?|^summe\b|^gesamt\b"
    r"|[,–-]?\s*\b(?:sub-?)?totals?$"
)
_NOTE = re.compile(
    r"(?:\*+|[†‡¶¹²³⁴⁵⁶⁷⁸⁹]|\(?[a-z0-9]{1,2}\)|\[[a-z0-9]{1,2}\])\s*\S"
    r"|(?:notes?|sources?|n\.?b\.?|legend|key|remarks?|abbreviations?|quellen?|anmerkung(?:en)?"
    r"|hinweise?|fu(?:ß|ss)noten?|remarques?|notas?|fuentes?|fonti?|fonte)\s*\d*\s*[:.–—]\s*\S"
    r"|note that\s",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"(?:\b(?:to|and|or|of|the|for|in|by|with|und|et|de)|[,&–-]|\([^)]*)$", re.I)
_LIST_MARK = re.compile(r"\(?([a-z]|\d{1,2})\)", re.IGNORECASE)
_WORDS_OF_A_NOTE = 5


def label_name(label: str) -> str:
    """A label for comparison: without case, references, marks and a colon."""
    return " ".join(_REFERENCE.sub(" ", label).casefold().split())


def total_of(label: str) -> str | None:
    """What a total sums up, "" where it does not say; None if the label is no total's."""
    lower = label.casefold()
    if "total" not in lower and not lower.startswith(("summe", "gesamt")):
        return None
    name = label_name(label)
    rest, found = _TOTAL.subn("", name, count=1)
    return rest.strip(" ,-–") if found else None


def number_of(label: str) -> tuple[str, ...]:
    """("1", "2") of "1.2 Costs"; () where a label has no number."""
    found = _NUMBERED.match(label)
    return tuple(found.group(1).split(".")) if found else ()


def is_strong(rows: BodyRows, at: int) -> bool:
    """Whether a label is set in capitals or bold."""
    return _in_capitals(rows.labels[at]) or bool(_BOLD.match(rows.printed_label(at)))


def count_notes(rows: BodyRows) -> int:
    """How many rows at the end are notes on the table; never all of its rows."""
    alone = rows.alone
    first = len(rows)
    while first > 1 and alone[first - 1]:
        first -= 1
    if first == len(rows):
        return 0
    marks = Counter(bool(_LIST_MARK.match(label)) for label in rows.labels[:first])
    for at in range(first, len(rows)):
        label = rows.labels[at]
        # In a list "1) ...", "2) ..." the last entry without a value is no footnote.
        listed = _LIST_MARK.match(label) and marks[True] > marks[False]
        spread = rows.same[at] and rows.width > 2 and len(label.split()) >= _WORDS_OF_A_NOTE
        if (_NOTE.match(label) and not listed) or (spread and _is_name(label, LONGEST_LABEL * 9)):
            return len(rows) - at
    return 0


def find_sections(rows: BodyRows, indents: np.ndarray | None) -> tuple[np.ndarray, int]:
    """(n,) bool: rows that name those below them; and how many might, but stay rows.

    `indents` is the depth at which each label is printed, where that is known.
    """
    alone = rows.alone
    candidates = _followed_by_data(rows, alone)
    if not candidates:
        return np.zeros(len(rows), dtype=bool), 0
    table = _Table(rows, alone, candidates)
    found = np.zeros(len(rows), dtype=bool)
    found[[at for at in candidates if table.is_section(at, indents)]] = True
    unsure = len(candidates) - int(found.sum())
    return found, unsure if rows.width > 2 else 0


def _followed_by_data(rows: BodyRows, alone: np.ndarray) -> list[int]:
    """Labels alone in their row, by themselves or few together, with a row of data below."""
    at = np.flatnonzero(alone)
    chains = np.split(at, np.flatnonzero(np.diff(at) > 1) + 1)
    found = [
        int(row)
        for chain in chains
        if 0 < len(chain) <= _LONGEST_CHAIN
        and chain[-1] + 1 < len(rows)
        and rows.filled[chain[-1] + 1] > 1
        for row in chain
    ]
    return [row for row in found if _is_name(rows.labels[row], LONGEST_LABEL)]


class _Table:
    """What the table as a whole says about its rows with a label alone."""

    def __init__(self, rows: BodyRows, alone: np.ndarray, candidates: list[int]) -> None:
        self.rows = rows
        self.data = data = np.flatnonzero(~alone)
        sample = data[np.linspace(0, len(data) - 1, min(len(data), _SAMPLE)).astype(int)]
        cells = rows.cells(sample)
        values = [cell for row in cells for cell in row[1:] if cell]
        labels = [row[0] for row in cells if row and row[0]]
        self.numeric = _share(values, _is_figure) >= _OFTEN
        sparse = rows.filled[data] <= max(2, rows.width // 3)
        self.dense = float(sparse.mean()) < _SELDOM
        self.plain = _share(labels, _in_capitals) < _SELDOM
        self.sample = sample.tolist()
        self.numbered = _share(labels, lambda label: label[:1].isdigit())
        self.few = len(candidates) < 2 * len(data)
        self.first = candidates[0] == 0
        # A table in sections has them from near its top; later on, data may be missing.
        self.late = candidates[0] > max(3, len(rows) // 4)
        self.chains = 1 + sum(after - before > 1 for before, after in pairwise(candidates))
        self.first_row = {label: at for at, label in reversed([*enumerate(rows.labels)])}
        self.ordered = _is_ordered(rows.labels)
        self.totals = {name for label in rows.labels if (name := total_of(label))}
        self.elsewhere = _texts_elsewhere(rows, data, [at for at in candidates if rows.same[at]])

    @cached_property
    def strong(self) -> bool:
        """Whether ordinary rows are in capitals or bold as well."""
        strong = sum(is_strong(self.rows, at) for at in self.sample)
        return strong > _SELDOM * len(self.sample)

    def is_section(self, at: int, indents: np.ndarray | None) -> bool:
        """Whether the evidence for a section row is enough."""
        rows, label = self.rows, self.rows.labels[at]
        if rows.same[at]:
            spread = rows.width > 2 or (self.numeric and not any(map(str.isdigit, label)))
            return spread and label not in self.elsewhere
        if self._is_printed_as_one(at, indents):
            return True
        if rows.width < 3 or not self.few:
            return False
        if not rows.named[at + 1]:
            return True
        if self._is_of_another_kind(label) or self._labels_begin_again(at):
            return True
        if not self.dense or self.late or self.ordered or _GOES_ON.search(label):
            return False
        if _is_ordered(rows.labels[max(at - 3, 0) : at + 4]):
            return False
        if self.numeric:
            return self.first or self.chains > 1 or rows.width > 3
        return self.first and self.chains > 1

    def _is_of_another_kind(self, label: str) -> bool:
        """Words among numbered rows, or a year among words."""
        if label[:1].isdigit():
            return self.numbered < 1 - _MOSTLY and bool(_YEAR.fullmatch(label))
        return self.numbered >= _MOSTLY

    def _labels_begin_again(self, at: int) -> bool:
        """Whether rows below are called as rows above: without the section none could tell."""
        below = self.rows.labels[at + 1 : at + 4]
        if below[0] and below[0] == self.rows.labels[self.data[0]] and self.data[0] < at:
            return True
        return sum(self.first_row[label] < at for label in below if label) > 1

    def _is_printed_as_one(self, at: int, indents: np.ndarray | None) -> bool:
        rows, label = self.rows, self.rows.labels[at]
        below = rows.labels[at + 1]
        number = number_of(label)
        return (
            label.endswith(":")
            or (self.plain and _in_capitals(label))
            or (is_strong(rows, at) and not self.strong)
            or label_name(label) in self.totals
            or bool(number and number_of(below)[: len(number)] == number)
            or bool(indents is not None and indents[at + 1] > indents[at])
        )


def _texts_elsewhere(rows: BodyRows, data: np.ndarray, repeated: list[int]) -> set[str]:
    """Which repeated texts are values of other rows too, as in "pass | pass | pass"."""
    if not repeated:
        return set()
    texts = pa.array([rows.labels[at] for at in repeated], type=pa.large_string())
    values = rows.pipes.cells.take(pa.array(rows.lines[data])).flatten()
    return set(values.filter(pc.is_in(values, value_set=texts)).unique().to_pylist())


def _is_ordered(labels: list[str]) -> bool:
    """Whether labels stand in alphabetical order, so that one alone in its row is one of them."""
    keys = [label.casefold() for label in labels if label]
    return len(set(keys)) > 4 and all(a <= b for a, b in pairwise(keys))


def _is_name(label: str, longest: int) -> bool:
    return len(label) <= longest and bool(_YEAR.fullmatch(label) or not _VALUE.fullmatch(label))


def _in_capitals(label: str) -> bool:
    return label.isupper() and sum(map(str.isalpha, label)) > 2


def _is_figure(cell: str) -> bool:
    return any(map(str.isdigit, cell)) or not any(map(str.isalpha, cell))


def _share(texts: list[str], is_so: Callable[[str], bool]) -> float:
    return sum(map(is_so, texts)) / len(texts) if texts else 0.0
