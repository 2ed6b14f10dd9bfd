"""k of n matched rows -> rows or the whole table."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.errors import OptionError

DEFAULT_THRESHOLD = 0.6
_SLACK = 1e-9
"""Floats such as 0.6 are not exact; 3 of 5 at 0.60 widens."""


@dataclass(frozen=True)
class Decision:
    """What to return of one table."""

    table_id: str
    k: int
    """Matched body rows."""
    n_body_rows: int
    threshold: float
    whole: bool = False
    """The question is about the whole table, so that the threshold is not asked."""

    @property
    def coverage(self) -> float:
        """k / n_body_rows."""
        return self.k / self.n_body_rows

    @property
    def widened(self) -> bool:
        """Whether the whole table is returned; a table of one row is shown as it is."""
        if self.n_body_rows == 1 and not self.whole:
            return False
        return self.whole or self.k + _SLACK >= self.threshold * self.n_body_rows

    @property
    def k_to_widen(self) -> int:
        """Fewest matched rows (at least 1) at which the table widens."""
        return max(1, math.ceil(self.threshold * self.n_body_rows - _SLACK))

    @property
    def margin(self) -> int:
        """Rows missing to widen; 0 or less once widened."""
        return self.k_to_widen - self.k


def check_threshold(threshold: float) -> float:
    """The threshold, if it lies in 0 to 1.

    Raises:
        OptionError: it does not.
    """
    if not 0.0 <= threshold <= 1.0:
        raise OptionError(f"widen_threshold is {threshold!r}; give a share from 0 to 1.")
    return float(threshold)
