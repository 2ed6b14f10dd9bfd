"""All rules, and what they say about tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import pandas as pd

from core.lint import cells, geometry, header, kind, labels, rows
from core.lint.continuation import continuation
from core.lint.facts import Facts
from core.lint.grid import Cells
from core.lint.lines import Pages, lines_of_tables
from core.lint.model import Lint, worst_first
from core.tables import Table

Rule = Callable[[Facts], Iterable[Lint]]
"""A pure function: what it has to say about one table."""

RULES: tuple[Rule, ...] = (
    header.labels_like_values,
    header.unfolded_sub_header,
    continuation,
    rows.merged_rows,
    rows.values_without_label,
    rows.short_rows,
    rows.few_rows,
    rows.cut_rows,
    rows.lone_cells,
    labels.no_labels,
    labels.empty_labels,
    labels.duplicate_labels,
    labels.placeholder_labels,
    header.repeated_header,
    kind.table_of_contents,
    kind.prose,
    cells.empty_columns,
    cells.mostly_empty_columns,
    cells.long_cells,
    geometry.boxes,
    header.weak_header,
    header.header_by_hand,
)


def lint_table(
    table: Table, page_df: pd.DataFrame | None = None, previous: Table | None = None
) -> list[Lint]:
    """What looks wrong with one table, worst first.

    Args:
        table: as `read_tables` gives it.
        page_df: page_num, width and height in points of each page; without it boxes are not
            compared with their page.
        previous: the table before it in the document, if any.
    """
    pages = Pages.of(page_df)
    all_facts = _facts([table] if previous is None else [previous, table], pages)
    if previous is not None:
        next(all_facts)
    return _lint(next(all_facts))


def lint_tables(tables: Sequence[Table], page_df: pd.DataFrame | None = None) -> list[Lint]:
    """What looks wrong with the tables of a document: tables in reading order, for each the
    worst first. Arguments are those of `lint_table`."""
    return [lint for facts in _facts(tables, Pages.of(page_df)) for lint in _lint(facts)]


def _facts(tables: Sequence[Table], pages: Pages | None) -> Iterator[Facts]:
    previous: Facts | None = None
    cells = Cells(tables)
    for at, (table, lines) in enumerate(zip(tables, lines_of_tables(tables), strict=True)):
        facts = Facts(table, lines, cells, at, pages=pages, previous=previous)
        yield facts
        # Only the nearest predecessor is of interest: let go of those before it.
        facts.previous = None
        previous = facts


def _lint(facts: Facts) -> list[Lint]:
    return worst_first(lint for rule in RULES for lint in rule(facts))
