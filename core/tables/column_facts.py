"""What the columns of a table hold, looked up in a sample of its rows only where it is asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from core.tables.labels import is_nothing, is_number, is_period, is_word

Row = Sequence[str]

_SAMPLE = 30
_MOSTLY = 0.6
_DIGIT = re.compile(r"\d")


class Columns:
    """What the columns hold below a line, from a sample of rows."""

    def __init__(self, rows: Sequence[Row], width: int) -> None:
        self._sample = rows[:_SAMPLE]
        self._width = width
        self._shares: dict[tuple[str, int], float] = {}

    @classmethod
    def unknown(cls, width: int) -> Columns:
        """Columns nothing is known of: taken to be in use and to hold numbers."""
        return cls([["1"] * width], width)

    @property
    def n_rows(self) -> int:
        """Rows in the sample."""
        return len(self._sample)

    @cached_property
    def filled(self) -> list[float]:
        """Share of rows with a value, per column."""
        count = [0] * self._width
        for row in self._sample:
            for at, cell in enumerate(row[: self._width]):
                if cell:
                    count[at] += 1
        return [n / max(self.n_rows, 1) for n in count]

    @cached_property
    def stub(self) -> int:
        """The column that names the rows: the first one that is filled in most of them."""
        return next((at for at, share in enumerate(self.filled) if share >= 0.5), 0)

    @cached_property
    def has_lone_labels(self) -> bool:
        """Whether rows with one word alone, right of the row names, occur: centred sections."""
        lone = ([cell for cell in row if cell] for row in self._sample if not any(row[:1]))
        return any(len(cells) == 1 and is_word(cells[0]) for cells in lone)

    def used(self, at: int) -> bool:
        """Whether a column holds any value."""
        return self.filled[at] > 0

    def holds_numbers(self, at: int) -> bool:
        """Whether most values of a column are numbers, signs for nothing left out."""
        return self._share("number", at, is_number) >= _MOSTLY

    def holds_periods(self, at: int) -> bool:
        """Whether half of the values of a column are years or other periods."""
        return self._share("period", at, is_period) >= 0.5

    def contrast(self, at: int, cell: str) -> bool:
        """Whether a cell looks unlike the values of its column: words or years over numbers."""
        if is_period(cell):
            return self.holds_numbers(at) and not self.holds_periods(at)
        if not is_word(cell):
            return False
        if self.holds_numbers(at):
            return True
        return not has_digit(cell) and self._share("digit", at, has_digit) >= 0.8

    def _share(self, kind: str, at: int, test: Callable[[str], bool]) -> float:
        key = (kind, at)
        if key not in self._shares:
            values = [row[at] for row in self._sample if at < len(row) and row[at]]
            values = [value for value in values if not is_nothing(value)]
            self._shares[key] = sum(map(test, values)) / len(values) if values else 0.0
        return self._shares[key]


def has_digit(cell: str) -> bool:
    """Whether a cell holds a digit anywhere."""
    return bool(_DIGIT.search(cell))
