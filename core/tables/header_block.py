"""Which lines of a laid-out table are its header: by evidence or as set by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.tables.headers import HeaderFold, fold_header, fold_levels
from core.tables.layout import Layout, line_key
from core.tables.pipes import PipeLines


def apply_header(
    layout: Layout, pipes: PipeLines, *, strict: bool, header_rows: int | None = None
) -> tuple[HeaderFold, Layout]:
    """Fold the table's header, by evidence or with `header_rows` lines as set by hand.

    Returns the fold and the layout whose `above` and `body` follow from it.
    """
    above, body = layout.above, layout.body
    if header_rows is not None:
        lines = [*above, *body.tolist()]
        depth = min(header_rows, len(lines))
        fold = _fold_by_hand(pipes, lines, depth)
        return fold, replace(layout, above=lines[:depth], body=np.array(lines[depth:], dtype=int))
    preview = [pipes.row(at) for at in body[:2].tolist()]
    fold = fold_header([pipes.row(at) for at in above], preview, strict=strict)
    taken = fold.depth - len(above)
    if taken <= 0:
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


def _fold_by_hand(pipes: PipeLines, lines: list[int], depth: int) -> HeaderFold:
    reason = f"Set by hand to {depth} header line{'' if depth == 1 else 's'}."
    if depth:
        return fold_levels([pipes.row(at) for at in lines[:depth]], rule="by hand", reason=reason)
    width = int(pipes.width[lines].max(initial=0)) if lines else 0
    return HeaderFold((), (), ("",) * width, "by hand", reason)
