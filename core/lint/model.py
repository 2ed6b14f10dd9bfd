"""One thing that looks wrong with a table, where, why it matters and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

SEVERITIES = ("error", "warning", "info")
"""Worst first: wrong answers are likely, recall suffers, worth knowing."""


@dataclass(frozen=True)
class Lint:
    """A finding of one rule about one table."""

    code: str
    """Name of the rule, e.g. "ragged-rows"."""
    severity: str
    """One of SEVERITIES."""
    table_id: str
    message: str
    """What is wrong, with its numbers: "3 of 12 rows do not have 5 cells"."""
    why: str
    """Why that hurts retrieval."""
    remedy: str
    """What to do about it."""
    page_num: int
    line_num: int
    """Line of line_df where it shows first: with page_num, its citation."""
    role: str
    """Role of that line in the table: "header", "row", "separator", "section", "note",
    "dropped"."""
    row_index: int | None = None
    """Body row where it shows first, if it is one."""
    column: int | None = None
    """0-based column where it shows first, if it is about one."""
    count: int = 1
    """How many rows, cells or labels are concerned."""


@dataclass(frozen=True)
class Defect:
    """What a rule looks for: all that a Lint says besides place and numbers."""

    code: str
    severity: str
    why: str
    remedy: str


def worst_severity(lints: Iterable[Lint]) -> str | None:
    """The worst severity among lints; None where there are none."""
    return min((lint.severity for lint in lints), key=SEVERITIES.index, default=None)


def worst_first(lints: Iterable[Lint]) -> list[Lint]:
    """Lints of one table by severity, then by place; equals stay in the order of the rules."""
    return sorted(
        lints,
        key=lambda lint: (SEVERITIES.index(lint.severity), lint.page_num, lint.line_num),
    )


def counted(number: int, name: str) -> str:
    """A number with what it counts: "1 row", "3 rows"."""
    return f"{number:,} {name}" if number == 1 else f"{number:,} {name}s"
