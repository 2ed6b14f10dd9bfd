"""How a table's labels came about: which rule, what it saw, and each column's way to its label."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import pandas as pd

from core.retrieval import Retrieval
from core.tables import HeaderFold, Table
from core.tables.labels import same_label

JsonDict = dict[str, Any]

MAX_COLUMNS = 200
"""Columns drawn; a table that a parser made wider than that is shown up to here."""

RULE_NAMES = {
    "no header": "No header",
    "one line": "One header line",
    "sub-header": "Sub-header below the separator",
    "above the separator": "Lines above the separator",
    "title line": "Title over the labels",
    "blank line": "Blank line over the labels",
    "key-value": "Keys and values",
    "by hand": "Set by hand",
}
"""What decided, as the app names it."""

_DEPTH_IN_NAME = ("no header", "one line")

BLANK, PRINTED, CARRIED, SHARED, REPEATED, IGNORED, CHANGED = (
    "blank",
    "printed",
    "carried",
    "shared",
    "repeated",
    "ignored",
    "changed",
)
"""What became of a cell of a header line, see `_cell_kind`."""


def header_verdict(automatic: Table, table: Table) -> JsonDict:
    """Which rule decided and what it saw, and what the user set instead."""
    fold = automatic.header
    by_hand = table.header.reason.rstrip(".") if table.header.rule == "by hand" else ""
    return {
        "table": table.table_id,
        "caption": table.caption,
        "rule": RULE_NAMES.get(fold.rule, fold.rule),
        "depth": "" if fold.rule in _DEPTH_IN_NAME else lines_in_words(fold.depth),
        "evidence": list(fold.evidence),
        "title": fold.title,
        "by_hand": by_hand,
    }


def header_columns(table: Table, before: Table | None = None) -> JsonDict:
    """One entry per column: each header line's cell and what became of it, and the label.

    Args:
        table: the table as it is read now.
        before: the same table under another header, to show what its labels were.
    """
    fold, first = table.header, next(iter(table.rows), [])
    columns = [
        {
            "number": at + 1,
            "cells": [
                {"raw": raw, "filled": filled, "kind": _cell_kind(fold, line, at)}
                for line, (raw, filled) in enumerate(_column(fold, at))
            ],
            "label": label,
            "same_as": _first_twin(table.headers, at),
            "value": first[at] if at < len(first) else "",
        }
        for at, label in enumerate(table.headers[:MAX_COLUMNS])
    ]
    if before is not None:
        for column, label, was in zip_longest(columns, table.headers, before.headers[:MAX_COLUMNS]):
            if column is not None and was is not None and label != was:
                column["was"] = was
    return {
        "lines": _line_places(table),
        "columns": columns,
        "more": max(0, len(table.headers) - MAX_COLUMNS),
        "rows": table.n_body_rows,
    }


def override_effect(
    before: Table,
    after: Table,
    *,
    tokens: tuple[int, int],
    retrievals: tuple[Retrieval, Retrieval] | None = None,
) -> list[JsonDict]:
    """What a header set by hand changes, each as name, before and after in words.

    Args:
        before, after: the table as read by itself, and with its header set by hand.
        tokens: of all its rows serialized, before and after.
        retrievals: the answers to the question that is asked, before and after.
    """
    pairs = [
        ("Header lines", f"{before.header.depth}", f"{after.header.depth}"),
        ("Rows", f"{before.n_body_rows:,}", f"{after.n_body_rows:,}"),
        ("Tokens of its rows", f"{tokens[0]:,}", f"{tokens[1]:,}"),
    ]
    if retrievals is not None:
        one, other = (_matched(retrieval, after.table_id) for retrieval in retrievals)
        pairs.append(("Matched", one, other))
    return [{"name": name, "before": one, "after": other} for name, one, other in pairs]


def lines_in_words(count: int) -> str:
    """ "no line", "1 line", "3 lines"."""
    return "no line" if not count else f"{count} line{'s' if count > 1 else ''}"


def table_grid(table: Table) -> pd.DataFrame:
    """Body rows under their labels as a frame with unique column names.

    Where the table has sections, each row's path stands in a column before the others.
    """
    names = _unique([label or f"(column {at + 1})" for at, label in enumerate(table.headers)])
    rows = [[*row, *[""] * (len(names) - len(row))] for row in table.rows]
    grid = pd.DataFrame(rows, columns=names, dtype="str")
    if any(table.groups):
        grid.insert(0, _unique([*names, "Section"])[-1], pd.Series(table.groups, dtype="str"))
    return grid


def _column(fold: HeaderFold, at: int) -> list[tuple[str, str]]:
    """A column's cells, as printed and as filled, line by line; "" where a line is shorter."""
    return [
        (raw[at] if at < len(raw) else "", filled[at] if at < len(filled) else "")
        for raw, filled in zip_longest(fold.raw, fold.filled, fillvalue=())
    ]


def _cell_kind(fold: HeaderFold, line: int, at: int) -> str:
    """What became of a cell: blank stays blank, printed stands as it is, carried comes from the
    left, shared repeats its left neighbour, repeated says what stands above it, ignored is no
    label, and changed is read as another text.
    """
    raw, filled = _column(fold, at)[line]
    if raw != filled:
        return CARRIED if not raw else IGNORED if not filled else CHANGED
    if not raw:
        return BLANK
    above = [label for _, label in _column(fold, at)[:line]]
    if any(label and same_label(label, raw) for label in above):
        return REPEATED
    left = _column(fold, at - 1)[line][1] if at else ""
    return SHARED if left and same_label(left, raw) else PRINTED


def _first_twin(labels: Sequence[str], at: int) -> int | None:
    """Number of the first column that has the same label, if an earlier one has."""
    first = labels.index(labels[at])
    return first + 1 if labels[at] and first < at else None


def _line_places(table: Table) -> list[JsonDict]:
    """Name and place of each header line; without a place where lines and cells do not pair."""
    lines = table.line_df[table.line_df["role"] == "header"]
    places = [
        f"p. {page}, l. {line}"
        for page, line in zip(lines["page_num"].tolist(), lines["line_num"].tolist(), strict=True)
    ]
    depth = table.header.depth
    paired = places if len(places) == depth else [""] * depth
    return [{"name": f"Line {at + 1}", "place": place} for at, place in enumerate(paired)]


def _matched(retrieval: Retrieval, table_id: str) -> str:
    for decision in retrieval.decisions:
        if decision.table_id == table_id:
            level = "widened" if decision.widened else "row-level"
            return f"{decision.k} of {decision.n_body_rows}, {level}"
    return "none"


def _unique(names: Sequence[str]) -> list[str]:
    """The names, a later one numbered where an earlier one is the same."""
    unique: dict[str, None] = {}
    for name in names:
        at, candidate = 1, name
        while candidate in unique:
            at += 1
            candidate = f"{name} ({at})"
        unique[candidate] = None
    return list(unique)
