"""Which lines of a laid-out table are its header: by evidence or as set by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.errors import OptionError
from core.tables.column_facts import Columns
from core.tables.headers import (
    KEY_VALUE,
    MAX_HEADER_ROWS,
    HeaderFold,
    fold_header,
    fold_levels,
    is_plain,
)
from core.tables.labels import without_placeholders
from core.tables.layout import Layout, line_key
from core.tables.pipes import PipeLines

_SAMPLE = 50
"""Body rows that show what the columns hold."""

HeaderRows = Mapping[str, int | str]
"""Per table_id the number of header lines as set by hand, or "key-value"."""


def check_header_rows(header_rows: HeaderRows | None, n_tables: int) -> dict[str, int | str]:
    """A copy of what was set by hand.

    Raises:
        OptionError: a number outside 0 to 5, another word, or a table that is not there.
    """
    by_hand = dict(header_rows or {})
    for table_id, count in by_hand.items():
        is_count = isinstance(count, int) and 0 <= count <= MAX_HEADER_ROWS
        if not is_count and count != KEY_VALUE:
            raise OptionError(
                f"header_rows[{table_id!r}] is {count!r}; give 0 to {MAX_HEADER_ROWS} header "
                f"lines, or {KEY_VALUE!r} for a list of keys and values without a header."
            )
    unknown = sorted(by_hand.keys() - {f"t{at + 1}" for at in range(n_tables)})
    if unknown:
        there = (
            f"the document has {n_tables} tables: t1 to t{n_tables}."
            if n_tables > 1
            else "the document has one table: t1."
            if n_tables
            else "the document has no tables."
        )
        raise OptionError(f"header_rows names table {unknown[0]!r}, but {there}")
    return by_hand


def apply_header(
    layout: Layout, pipes: PipeLines, *, strict: bool, header_rows: int | str | None = None
) -> tuple[HeaderFold, Layout]:
    """Fold the table's header, by evidence or with `header_rows` lines as set by hand.

    Returns the fold and the layout whose `above` and `body` follow from it.
    """
    above, body = layout.above, layout.body
    if header_rows is not None:
        lines = [*above, *body.tolist()]
        depth = 0 if header_rows == KEY_VALUE else min(int(header_rows), len(lines))
        fold = _fold_by_hand(pipes, lines, depth, header_rows)
        return fold, replace(layout, above=lines[:depth], body=np.array(lines[depth:], dtype=int))
    header, sample = [pipes.row(at) for at in above], [pipes.row(at) for at in body[:2].tolist()]
    if not strict and not (len(header) == 1 and is_plain(header[0], sample)):
        sample += [pipes.row(at) for at in body[2:_SAMPLE].tolist()]
    fold = fold_header(header, sample, strict=strict)
    taken = fold.depth - len(above)
    if taken < 0:
        return fold, replace(layout, above=[], body=np.array([*above, *body.tolist()], dtype=int))
    if taken == 0:
        return fold, layout
    folded = replace(layout, above=[*above, *body[:taken].tolist()], body=body[taken:])
    return fold, _drop_repeated_lines(folded, pipes, taken)


def _drop_repeated_lines(layout: Layout, pipes: PipeLines, taken: int) -> Layout:
    """Drop the further header lines that follow a repeated first one on the next page."""
    lower = [line_key(pipes.row(at)) for at in layout.above[-taken:]]
    again = [
        at + step
        for at in layout.repeats
        for step, key in enumerate(lower)
        if at + step < len(pipes) and line_key(pipes.row(at + step)) == key
    ]
    if not again:
        return layout
    kept = layout.body[~np.isin(layout.body, again)]
    return replace(layout, body=kept, dropped=[*layout.dropped, *again])


def cells_of_unused_headers(
    folds: Sequence[HeaderFold], layouts: Sequence[Layout], pipes: PipeLines
) -> dict[int, list[str]]:
    """Cells of lines that a parser wrote as a header but that are rows: without "Col1", which
    stood for a blank. By pipe line, only where that changes them."""
    changed = {}
    for fold, layout in zip(folds, layouts, strict=True):
        first = layout.body[:1].tolist()
        if fold.depth or not first or layout.separator[:1] < first:
            continue
        cells = pipes.row(first[0])
        named = without_placeholders(cells)
        if named != cells:
            changed[first[0]] = named
    return changed


def _fold_by_hand(
    pipes: PipeLines, lines: list[int], depth: int, header_rows: int | str
) -> HeaderFold:
    if depth:
        rows = [pipes.row(at) for at in lines[: depth + _SAMPLE]]
        width = max(map(len, rows[:depth]))
        columns = Columns(rows[depth:], width)
        why = f"Set by hand to {depth} header line{'' if depth == 1 else 's'}."
        return fold_levels(rows[:depth], rule="by hand", evidence=(why,), columns=columns)
    width = int(pipes.width[lines].max(initial=0)) if lines else 0
    why = "Set by hand to no header line."
    if header_rows == KEY_VALUE:
        why = "Set by hand to keys and values without a header."
    return HeaderFold((), (), ("",) * width, "by hand", (why,))
