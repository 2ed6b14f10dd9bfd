"""Section rows, indentation and totals -> the path of sections that each row belongs to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise, takewhile

import numpy as np
import pyarrow as pa

from core.tables.body_rows import BodyRows, is_one_text
from core.tables.indents import without_bullets
from core.tables.model import PATH_JOINT
from core.tables.sections import is_strong, label_name, number_of, total_of

_ALL = frozenset({"grand total", "grand totals", "overall", "overall total"})


@dataclass
class _Open:
    """A row whose group is open: rows below belong to it."""

    label: str
    name: str
    indent: int
    row: int
    is_section: bool
    is_strong: bool = False
    number: tuple[str, ...] = ()
    until: int = -1
    """Last row with a total of this name, -1 if none."""


def row_groups(
    rows: BodyRows, sections: np.ndarray, indents: np.ndarray | None
) -> tuple[list[str], np.ndarray]:
    """The path of each row, "" where it belongs to no section; section rows have one as well.

    Also returns `sections` without those that no row belongs to: they stay rows.
    """
    paths = _Paths(rows, sections, indents)
    groups = paths.read()
    while paths.unused:
        sections = sections.copy()
        sections[paths.unused] = False
        paths = _Paths(rows, sections, indents)
        groups = paths.read()
    return groups, sections


class _Paths:
    """Walks over the rows at which the path may change; between them it stays."""

    def __init__(self, rows: BodyRows, sections: np.ndarray, indents: np.ndarray | None) -> None:
        self.rows, self.sections = rows, sections
        self.depths = np.zeros(len(rows), dtype=np.int64) if indents is None else indents
        at = np.flatnonzero(sections)
        self.names = Counter(label_name(rows.labels[row]) for row in at.tolist())
        strong = [is_strong(rows, row) for row in at.tolist()]
        self.strong = dict(zip(at.tolist(), strong, strict=True))
        # Two looks, the louder one first and each more than once, are two levels.
        self.two_looks = 1 < sum(strong) < len(strong) - 1 and strong[0]
        lone = np.diff(np.concatenate([[-2], at]))
        self.chains = int(((lone[1:] == 1) & (lone[:-1] != 1)).sum()) if len(lone) > 1 else 0
        self.totals = self._total_rows()
        self.beyond = self._beyond_the_pattern(at)
        self.last = {name: row for row, name in self.totals.items() if name}
        # A label in another column may head the rows below: whether it does is not known.
        self.adrift = ~rows.named & (rows.filled > 0)
        blank = np.flatnonzero(self.adrift)
        self.adrift[blank] = [is_one_text(cells) for cells in rows.cells(blank)]
        self.open: list[_Open] = []
        self.unused: list[int] = []
        self.plain_totals = 0

    def read(self) -> list[str]:
        """One path per row."""
        starts, paths = [0], [""]
        for at in self._events():
            if at == self.beyond or self.adrift[at]:
                self._close(0, at)
            self._close_shallower(at)
            own = self._path(at) if at in self.totals else None
            if self.sections[at]:
                self._open_section(at)
            elif at in self.totals:
                self._close_total(at)
            elif self._heads_deeper_rows(at):
                own = PATH_JOINT.join(entry.label for entry in self.open)
                self._push(at, is_section=False)
            after = PATH_JOINT.join(entry.label for entry in self.open)
            starts += [at, at + 1]
            paths += [after if own is None else own, after]
        sizes = np.diff([*starts, len(self.rows)])
        told = pa.array(np.repeat(np.arange(len(paths)), sizes))
        groups: list[str] = pa.array(paths, type=pa.large_string()).take(told).to_pylist()
        return groups

    def _heads_deeper_rows(self, at: int) -> bool:
        below = at + 1
        return below < len(self.rows) and bool(
            self.rows.named[at] and self.rows.named[below] and self.depths[below] > self.depths[at]
        )

    def _events(self) -> list[int]:
        changes = self.sections | self.adrift
        changes[[*self.totals, *range(self.beyond, min(self.beyond + 1, len(changes)))]] = True
        if self.depths.any():
            changes[:] = True
        return np.flatnonzero(changes).tolist()

    def _total_rows(self) -> dict[int, str]:
        """Rows that sum up what stands above them -> the name of what they sum up, or ""."""
        rows, found = self.rows, dict[int, str]()
        for at, label in enumerate(rows.labels):
            name = total_of(label)
            if name is None and label.casefold().rstrip(" :") in self.names:
                name = label_name(label)
            if name is not None and not self.sections[at]:
                found[at] = name
        # A row of sums has figures only: no label, and no words instead of one.
        between = np.concatenate([[False], rows.named, [True]])
        blank = np.flatnonzero(~rows.named & between[:-2] & between[2:])
        for at, cells in zip(blank.tolist(), rows.cells(blank), strict=True):
            filled = [cell for cell in cells if cell]
            if len(filled) > 1 and not any(any(map(str.isalpha, cell)) for cell in filled):
                found[at] = ""
        return dict(sorted(found.items()))

    def _close_shallower(self, at: int) -> None:
        """Indentation: a row belongs to no row as deep as itself, and to no deeper section."""
        depth = self.depths[at]
        kept = len(self.open)
        while kept and self.open[kept - 1].indent >= depth + self.open[kept - 1].is_section:
            kept -= 1
        self._close(kept, at)

    def _close(self, kept: int, at: int) -> None:
        """Close all but the outermost groups; remember sections that got no row."""
        for entry in self.open[kept:]:
            if entry.is_section and self.sections[entry.row : at].all():
                self.unused.append(entry.row)
        del self.open[kept:]

    def _open_section(self, at: int) -> None:
        self._close(self._parents(at), at)
        self._push(at, is_section=True)

    def _push(self, at: int, *, is_section: bool) -> None:
        label = without_bullets(self.rows.labels[at])
        name = label_name(label)
        until = self.last.get(name, -1)
        self.open.append(
            _Open(
                label=label,
                name=name,
                indent=int(self.depths[at]),
                row=at,
                is_section=is_section,
                is_strong=self.strong.get(at, False),
                number=number_of(label),
                until=until if until > at else -1,
            )
        )

    def _parents(self, at: int) -> int:
        """How many of the open groups a new section belongs to."""
        depth = int(self.depths[at])
        outer = sum(entry.indent < depth for entry in self.open)
        level = self.open[outer:]
        if not level:
            return outer
        number = number_of(self.rows.labels[at])
        if number and level[-1].number:
            above = [bool(e.number) and len(e.number) >= len(number) for e in level]
            return outer + (above.index(True) if True in above else len(level))
        follows = level[-1].row == at - 1
        if self.two_looks and not (follows and level[-1].is_strong >= self.strong[at]):
            same_look = [entry.is_strong <= self.strong[at] for entry in level]
            return outer + (same_look.index(True) if True in same_look else len(level))
        if follows:
            return len(self.open)
        spanning = [place for place, entry in enumerate(level) if entry.until > at]
        if spanning:
            return outer + spanning[-1] + 1
        label = self.rows.labels[at]
        if label.startswith("("):
            return outer  # a unit, as a rule, which says nothing about levels
        if self.names[label_name(label)] > 1:
            # Said more than once, a label needs the one above it to tell which is meant.
            once = [place for place, entry in enumerate(level) if self.names[entry.name] == 1]
            if once:
                return outer + once[-1] + 1
        if self.chains > 1:
            return outer + max(0, len(level) - self._chain_length(at))
        return outer

    def _chain_length(self, at: int) -> int:
        """Sections that stand directly below each other from this one on."""
        return sum(1 for _ in takewhile(bool, self.sections[at:]))

    def _path(self, at: int) -> str:
        """The path of a total itself: what it sums up, as far as that is known."""
        name, label = self.totals[at], label_name(self.rows.labels[at])
        kept = len(self.open)
        if self._is_first(at):
            pass
        elif self._sums_more(at):
            kept -= 1
        elif name:
            named = [count for count, entry in enumerate(self.open, 1) if entry.name == name]
            kept = max(named, default=kept)
        elif label in _ALL or (label and at == len(self.rows) - 1 and not self._sums_section()):
            kept = 0
        return PATH_JOINT.join(entry.label for entry in self.open[:kept])

    def _close_total(self, at: int) -> None:
        """End the group that a total sums up. Printed first, it introduces its parts."""
        name, label = self.totals[at], label_name(self.rows.labels[at])
        if not self.open or self._is_first(at):
            return
        if self._sums_more(at):
            self._close(len(self.open) - 1, at)
        elif name:
            names = [entry.name for entry in self.open]
            self._close(names.index(name) if name in names else len(names), at)
        elif label in _ALL:
            self._close(0, at)
        else:
            self.plain_totals += 1
            self._close(len(self.open) - 1, at)

    def _is_first(self, at: int) -> bool:
        return bool(self.open) and self.open[-1].row == at - 1

    def _sums_more(self, at: int) -> bool:
        """Whether a second total in a row ends what the first one, of another name, left open."""
        if at == 0 or None in map(total_of, self.rows.labels[at - 1 : at + 1]):
            return False
        names = {entry.name for entry in self.open}
        ends = at + 1 == len(self.rows) or bool(self.sections[at + 1])
        return (
            ends
            and bool(self.open)
            and bool(self.totals[at])
            and bool(self.totals.get(at - 1))
            and not names & {self.totals[at], self.totals[at - 1]}
        )

    def _beyond_the_pattern(self, sections: np.ndarray) -> int:
        """First row below the last section that is none of its own, or the number of rows.

        Where all sections before hold the same labels, what follows those in the last is no part
        of it, as the number of observations below the coefficients of a regression.
        """
        n_rows = len(self.rows)
        if len(sections) < 3:
            return n_rows
        parts = [self.rows.labels[a + 1 : b] for a, b in pairwise([*sections.tolist(), n_rows])]
        *earlier, last = parts
        size = len(earlier[0])
        same = size > 1 and all(part == earlier[0] for part in earlier)
        if not same or last[:size] != earlier[0] or set(last[size:]) & set(earlier[0]):
            return n_rows
        return n_rows - len(last) + size

    def _sums_section(self) -> bool:
        """Whether a plain total in the last row is the last section's, not the table's."""
        return self.plain_totals > 0 or (sum(self.names.values()) == 1 and self.sections[0])
