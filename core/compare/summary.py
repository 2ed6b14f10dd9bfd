"""A comparison -> sentences in plain English that name the sides and count what differs.

Nobody knows which side is right, and the sentences do not say so: what only one side has "is only
in" it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.compare.findings import Finding, table_findings
from core.compare.model import (
    HEADER,
    NOTE,
    ROW,
    SECTION,
    SPACING,
    Comparison,
    TableDiff,
)
from core.tables import Table

MAX_CLAUSES = 3
"""Findings that the summary of a document names."""

_NUMBERED = re.compile(r"\s*([^\W\d_]{2,12}\.?\s+\d{1,3}(?:[.-]\d{1,2})?)\b")
_KIND_NAMES = {HEADER: "header line", ROW: "row", SECTION: "section label", NOTE: "note"}


@dataclass(frozen=True)
class Names:
    """What the sides are called in sentences."""

    a: str
    b: str

    def of(self, side: str) -> str:
        """By "a" or "b"."""
        return self.a if side == "a" else self.b


def table_name(table: Table) -> str:
    """As its caption numbers it, "Table 2", else by its id, "table t2"."""
    numbered = _NUMBERED.match(table.caption)
    return " ".join(numbered[1].split()) if numbered else f"table {table.table_id}"


def table_sentences(diff: TableDiff, place: str, names: Names) -> list[str]:
    """What differs in one table, one sentence each; one that says so where nothing does."""
    found = table_findings(diff, place)
    if not found:
        blanks = diff.counts[f"cell.{SPACING}"]
        but = f", but for blanks in {counted(blanks, 'cell')}" if blanks else ""
        return [f"{names.a} and {names.b} read {place} the same{but}."]
    return [_sentence(clause(finding, names, here=True)) for finding in found]


def summary(
    comparison: Comparison, names: Names, places: Mapping[str, str], *, most: int = MAX_CLAUSES
) -> str:
    """The comparison of a document in one sentence.

    Args:
        comparison: of two readings.
        names: of the sides.
        places: a name for each table of A, from `table_name`, by id.
        most: findings that are named.
    """
    count = len(comparison.tables)
    if not (count or comparison.only_a or comparison.only_b):
        return f"Neither {names.a} nor {names.b} finds a table in this document."
    found = document_findings(comparison, places)
    if not found:
        tables = "the one table" if count == 1 else f"all {count} tables"
        blanks = sum(diff.counts[f"cell.{SPACING}"] for diff in comparison.tables)
        but = f", but for blanks in {counted(blanks, 'cell')}" if blanks else ""
        return f"{names.a} and {names.b} read {tables} the same{but}."
    said = "; ".join(clause(finding, names) for finding in found[:most])
    return _sentence(said)


def document_findings(comparison: Comparison, places: Mapping[str, str]) -> list[Finding]:
    """Findings over all tables: those of one kind and side are one."""
    found = [
        *_tables_only("a", len(comparison.only_a)),
        *_tables_only("b", len(comparison.only_b)),
        *(
            finding
            for diff in comparison.tables
            for finding in table_findings(diff, places[diff.pair.a[0]])
        ),
    ]
    together: dict[tuple[str, str], list[Finding]] = {}
    for finding in found:
        together.setdefault((finding.kind, finding.side), []).append(finding)
    joined = [_joined(same) for same in together.values()]
    return sorted(joined, key=lambda finding: _WEIGHTS.index(finding.kind.split(":")[0]))


_WEIGHTS = (
    "no header",
    "only tables",
    "cut",
    "takes",
    "merges rows",
    "splits rows",
    "only rows",
    "header lines",
    "merges columns",
    "splits columns",
    "only columns",
    "only lines",
    "cells",
    "labels",
    "moved",
)
"""Kinds of findings, first what is said first."""


def clause(finding: Finding, names: Names, *, here: bool = False) -> str:
    """A finding in words, without a full stop; with `here` the table need not be named."""
    kind, _, detail = finding.kind.partition(":")
    n, into = finding.number, finding.into
    who = names.of(finding.side) if finding.side else ""
    at = "" if here or not finding.places else f" of {_list(finding.places)}"
    inside = at.replace(" of ", " in ", 1)
    be = "is" if n == 1 else "are"
    match kind:
        case "only tables" | "only rows" | "only columns":
            what = counted(n, kind.removeprefix("only ").removesuffix("s"))
            return f"{what}{at} {be} only in {who}"
        case "only lines":
            return f"{counted(n, _KIND_NAMES[detail])}{at} {be} only in {who}"
        case "cut":
            return f"{who} cuts {_list(finding.places)} into {into} tables"
        case "no header":
            return f"{who} finds no header{inside}"
        case "header lines":
            return f"{who} splits the header{at} into {counted(into, 'line')}"
        case "takes":
            return f"{who} takes {_taken(detail, n)}{inside}"
        case "merges rows" | "splits rows" | "merges columns" | "splits columns":
            verb, what = kind.split()
            return f"{who} {verb} {counted(n, what.removesuffix('s'))}{at} into {into}"
        case "moved":
            return f"{counted(n, 'column')}{at} {'stands' if n == 1 else 'stand'} elsewhere"
        case "labels":
            return f"{counted(n, 'label')}{at} {'differs' if n == 1 else 'differ'}"
        case _:
            return f"{n:,} of {counted(into, 'cell')}{at} {'differs' if n == 1 else 'differ'}"


def counted(number: int, name: str) -> str:
    """A number with what it counts: "1 row", "3 rows"."""
    return f"{number:,} {name}" if number == 1 else f"{number:,} {name}s"


def _tables_only(side: str, number: int) -> list[Finding]:
    return [Finding("only tables", side, number)] if number else []


def _joined(found: Sequence[Finding]) -> Finding:
    """Findings of one kind as one."""
    if len(found) == 1:
        return found[0]
    first = found[0]
    places = tuple(dict.fromkeys(place for finding in found for place in finding.places))
    into = sum(finding.into for finding in found)
    if first.kind == "header lines":
        into = max(finding.into for finding in found)
    return Finding(first.kind, first.side, sum(f.number for f in found), into, places)


def _taken(detail: str, number: int) -> str:
    one, _, other = detail.partition(">")
    if number == 1:
        return f"a {_KIND_NAMES[one]} for a {_KIND_NAMES[other]}"
    return f"{counted(number, _KIND_NAMES[one])} for {_KIND_NAMES[other]}s"


def _list(places: Sequence[str]) -> str:
    """ "Table 1", "Table 1 and Table 2", "3 tables"."""
    if len(places) > 2:
        return f"{len(places)} tables"
    return " and ".join(places)


def _sentence(said: str) -> str:
    return f"{said[:1].upper()}{said[1:]}."
