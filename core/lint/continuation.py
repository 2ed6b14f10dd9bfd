"""The rule that asks whether a table is the rest of the one before it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.lint.facts import Facts
from core.lint.header import data_columns
from core.lint.model import Defect, Lint
from core.tables.headers import KEY_VALUE

CONTINUATION = Defect(
    "continuation",
    "warning",
    "Read as a table of its own, the rest of a table has no labels or the wrong ones, and neither "
    "part is ever given as a whole.",
    "Compare the two on the page. If they are one table, parse the document again with another "
    "parser, or take out what stands between them.",
)

_CONTINUED = re.compile(
    r"\bcont(?:inued|inuation|['’.]?d|\.)|\bfortsetzung|\bsuite\b", re.IGNORECASE
)
_FIRST_LINES = 3
"""A running head and a page number may stand above a table at the top of a page."""
_TOP, _LOWER = 0.15, 0.6
"""Shares of the page's height."""


def continuation(facts: Facts) -> Iterator[Lint]:
    """A table as wide as the one before, directly below it or at the top of the next page, with
    the same labels, none, or labels that would be values there."""
    previous = facts.previous
    if previous is None or facts.width != previous.width or not _follows(facts, previous):
        return
    if KEY_VALUE in (facts.table.header.rule, previous.table.header.rule):
        return
    before, number = previous.table.table_id, facts.width
    if not facts.has_labels:
        message = f"It has no labels and {number} columns, as {before} just before it."
        yield facts.lint(CONTINUATION, message)
    elif data := data_columns(facts, previous):
        message = (
            f"{len(data)} of its {number} labels would be values in {before} just before it, as "
            f"{facts.labels[data[0]]!r}."
        )
        yield facts.lint(CONTINUATION, message, column=data[0], count=len(data), severity="error")
    elif _plain(facts) == _plain(previous) and not _has_its_own_title(facts, previous):
        message = f"It has the same {number} labels as {before} just before it."
        # A line above it on the page may be a title: tables of one make share their labels.
        below_a_line = int(facts.lines.line_num[0]) > 1
        yield facts.lint(CONTINUATION, message, severity="info" if below_a_line else None)


def _follows(facts: Facts, previous: Facts) -> bool:
    page, line = int(facts.lines.page_num[0]), int(facts.lines.line_num[0])
    last_page, last_line = int(previous.lines.page_num[-1]), int(previous.lines.line_num[-1])
    if page == last_page:
        return line - last_line <= 1
    if page != last_page + 1:
        return False
    height = facts.pages.height_of(page) if facts.pages else None
    last_height = facts.pages.height_of(last_page) if facts.pages else None
    top, bottom = facts.lines.boxes[1][0], previous.lines.boxes[3][-1]
    at_top = line <= _FIRST_LINES or bool(height and top <= _TOP * height)
    # Without geometry nothing speaks against the end of the page.
    return at_top and not (last_height and bottom < _LOWER * last_height)


def _has_its_own_title(facts: Facts, previous: Facts) -> bool:
    """Whether a title that is not that of the table before stands above this one."""
    title, before = facts.table.caption.casefold(), previous.table.caption.casefold()
    return title not in ("", before) and not _CONTINUED.search(title)


def _plain(facts: Facts) -> list[str]:
    return [label.casefold() for label in facts.labels]
