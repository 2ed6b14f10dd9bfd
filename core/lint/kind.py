"""Rules that ask whether this is a table at all: a table of contents, or prose in columns."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from core.lint.facts import Facts
from core.lint.model import Defect, Lint, counted
from core.tables.columns import matches

CONTENTS = Defect(
    "table-of-contents",
    "warning",
    "The headings of the document compete with the passages they point to: a question finds the "
    "page number of an answer instead of the answer.",
    "Leave this table out of the row index; the outline of the document serves better.",
)
PROSE = Defect(
    "prose",
    "warning",
    "Sentences cut into cells are found in pieces, under labels that are no labels.",
    "Compare it with the page; text set in columns should be parsed as paragraphs.",
)

_PAGE = re.compile(r"(?:^|[\s.…·_])(\d{1,4})\s*$")
_TITLE = re.compile(
    r"(?:table of )?contents|index|inhalt(?:sverzeichnis)?|table des matières|sommaire|índice|"
    r"indice|contenido|目录|目次",
    re.IGNORECASE,
)
_LONG = 12
"""Words that no ordinary cell reaches."""
_LONG_LABEL = 8
_LINE = 5
"""Words that a line of running text cut in columns has at least."""


def table_of_contents(facts: Facts) -> Iterator[Lint]:
    """Headings with page numbers that go up, joined by dots or called contents."""
    if facts.n_rows < 3 or facts.width < 1:
        return
    titled = any(
        _TITLE.fullmatch(text.strip(" :."))
        for text in (facts.table.caption, facts.table.header.title, *facts.labels)
        if text
    )
    dotted = int(facts.leaders.any(axis=1).sum())
    if not titled and dotted < 0.5 * facts.n_rows:
        return
    pages = [number for row in facts.table.rows if (number := _page_number(row)) is not None]
    steps = np.diff(pages)
    if len(pages) >= max(3, 0.6 * facts.n_rows) and (steps >= 0).mean() >= 0.9 and steps.any():
        how = f"{dotted} with dots before it" if dotted else "under the title of one"
        message = f"{len(pages)} of {facts.n_rows} rows end in a page number that goes up, {how}."
        yield facts.lint(CONTENTS, message, count=len(pages))


def prose(facts: Facts) -> Iterator[Lint]:
    """Sentences where values should be, and where labels should be."""
    if not facts.n_rows or not facts.width:
        return
    filled = int(facts.filled.sum())
    if facts.spaces.sum() < (_LINE - 1) * filled or facts.numeric.sum() > 0.1 * filled:
        return  # too few words for sentences
    labels = [label.count(" ") + 1 for label in facts.labels if label]
    long = int((facts.spaces >= _LONG - 1).sum())
    long_labels = sum(words >= _LONG_LABEL for words in labels)
    one_column = np.count_nonzero(facts.column_filled) == 1 and len(labels) <= 1
    is_prose = (
        (long_labels >= 0.5 * len(labels) > 0 and long >= 0.5 * filled)
        or (one_column and long >= 0.6 * filled)
        or (not labels and facts.n_rows <= 3 and long >= 0.6 * filled)
        or (_is_cut_text(facts, filled) and long_labels >= 0.5 * len(labels))
    )
    if is_prose:
        message = f"{long} of {counted(filled, 'cell')} hold {_LONG} words or more."
        yield facts.lint(PROSE, message, count=max(long, 1))


def _is_cut_text(facts: Facts, filled: int) -> bool:
    """Whether cells are lines of running text: of some length, most begun in lower case."""
    words = facts.spaces[facts.filled] + 1
    if not words.size or np.median(words) < _LINE:
        return False
    return int(matches(facts.cells, r"^[a-z,;)]").sum()) >= 0.5 * filled


def _page_number(row: list[str]) -> int | None:
    last = next((cell for cell in reversed(row) if cell), "")
    if not last.rstrip()[-1:].isdecimal():
        return None
    found = _PAGE.search(last)
    return int(found.group(1)) if found else None
