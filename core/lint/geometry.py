"""Rules about boxes: lines without one, and boxes that do not lie on their page."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.lint.facts import Facts
from core.lint.model import Defect, Lint, counted

NO_BOXES = Defect(
    "no-boxes",
    "info",
    "Rows are found and cited as ever, but cannot be lit on the page.",
    "Parse the document with a parser that gives boxes, if you want to see rows on the page.",
)
MISSING_BOXES = Defect(
    "missing-boxes",
    "warning",
    "These lines cannot be lit on the page, and where a page break or a column gap is judged by "
    "place, they are judged without.",
    "Parse the document again; if the boxes come from your own code, give every line one.",
)
OFF_PAGE = Defect(
    "off-page",
    "warning",
    "A citation points to a place that the page does not have: the boxes may be in other units, "
    "or turned with the page.",
    "Boxes are points from the top-left of the page as displayed, after rotation and crop: check "
    "what the parser gives.",
)

_SLACK = 2.0
"""Points that a box may stand out over the edge of the page."""


def boxes(facts: Facts) -> Iterator[Lint]:
    """Lines without a box, or with one off the page."""
    x0, y0, x1, y1 = facts.lines.boxes
    # Parsers make separators up, those of repeated headers too: no place on the page shows one.
    printed = (facts.lines.role != "separator") & (facts.lines.role != "dropped")
    placed = (x1 > x0) & (y1 > y0)
    missing = printed & ~placed
    n_lines, n_missing = int(np.count_nonzero(printed)), int(np.count_nonzero(missing))
    if not n_lines:
        return
    if n_missing == n_lines:
        yield facts.lint(NO_BOXES, f"None of the {n_lines:,} lines has a box.", count=n_lines)
        return
    if n_missing:
        message = f"{counted(n_missing, 'line')} of {n_lines:,} without a box."
        yield facts.lint(MISSING_BOXES, message, line=int(np.argmax(missing)), count=n_missing)
    if facts.pages is None:
        return
    at = facts.pages.find(facts.lines.page_num)
    width, height = facts.pages.width[at], facts.pages.height[at]
    off = (x0 < -_SLACK) | (y0 < -_SLACK) | (x1 > width + _SLACK) | (y1 > height + _SLACK)
    off = (off | (facts.pages.page_num[at] != facts.lines.page_num)) & placed
    if off.any():
        first, n_off = int(np.argmax(off)), int(np.count_nonzero(off))
        message = f"{counted(n_off, 'line')} of {n_lines:,} with a box off the page."
        yield facts.lint(OFF_PAGE, message, line=first, count=n_off)
