"""How deep each row label is printed: space and bullets before it, read from the line itself."""

from __future__ import annotations

import re

import numpy as np

from core.tables.body_rows import BodyRows

_SAMPLE = 200
_LEVELS = 6
"""Most depths of indentation in one table; more are chance."""

_SPACE = {"\t": 4, "\u2002": 2, "\u2003": 2, "\u3000": 2, "&emsp;": 2, "&ensp;": 2}
_LEAD = re.compile(r"((?:[ \t\u00a0\u2002\u2003\u3000]|&nbsp;|&e[mn]sp;|&#160;)*)([-–·•.\s]*)")
_LEAD_UNIT = re.compile(r"&[^;]+;|.")
_BULLETS = re.compile(r"^(?:[-–·•]\s+|\.[.\s]+)+(?=\w)")


def read_indents(rows: BodyRows) -> np.ndarray | None:
    """(n,) int: depth of each label as printed, or None where indentation says nothing.

    Labels set flush right or centred have uneven space before them too; that is no depth.
    """
    if not rows.indented.any() or _is_aligned(rows):
        return None
    printed = [_lead(rows.printed_label(at)) for at in range(len(rows))]
    known = sorted({width for width, named in zip(printed, rows.named, strict=True) if named})
    depth, start = dict[int, int](), -2
    for width in known:
        if width - start >= 2:
            start = width
        depth[width] = start
    levels = sorted(set(depth.values()))
    if not 1 < len(levels) <= _LEVELS:
        return None
    depths = np.array([levels.index(depth[width]) if width in depth else 0 for width in printed])
    named = np.flatnonzero(rows.named)
    if depths[named[0]] or not (np.diff(depths[named]) > 0).any():
        return None
    depths[~rows.named] = depths.max()
    return depths


def without_bullets(label: str) -> str:
    """A label without the dashes or dots that indent it."""
    return _BULLETS.sub("", label)


def _is_aligned(rows: BodyRows) -> bool:
    sample = [rows.printed_label(int(at)) for at in np.flatnonzero(rows.named)[:_SAMPLE]]
    before = [len(label) - len(label.lstrip()) for label in sample]
    after = [len(label) - len(label.rstrip()) for label in sample]
    one_width = len({len(label) for label in sample}) == 1
    flush_right = one_width and len(set(after)) == 1
    centred = one_width and all(abs(a - b) < 2 for a, b in zip(before, after, strict=True))
    return flush_right or centred


def _lead(printed: str) -> int:
    """Width of what stands before a label: space, and bullets as two."""
    found = _LEAD.match(printed)
    space, marks = found.groups() if found else ("", "")
    width = sum(_SPACE.get(unit, 1) for unit in _LEAD_UNIT.findall(space))
    bullets = _BULLETS.match(printed[len(space) :])
    return width + (2 * len(re.findall(r"[^\s]", marks)) if bullets else 0)
