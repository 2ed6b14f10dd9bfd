"""Rules about cells and columns: empty ones, and very long ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.lint.facts import Facts
from core.lint.model import Defect, Lint, counted

EMPTY_COLUMN = Defect(
    "empty-column",
    "info",
    "A label without any value: a question for this column finds nothing, or the values that the "
    "parser put beside it.",
    "Compare the column with the page; if its values are elsewhere, parse the document again with "
    "another parser.",
)
MOSTLY_EMPTY_COLUMN = Defect(
    "mostly-empty-column",
    "info",
    "Few rows have a value here: a question for this column finds little.",
    "Nothing to do if the page leaves these cells blank too.",
)
LONG_CELLS = Defect(
    "long-cells",
    "warning",
    "A chunk of this size answers many questions a little and none well, and it fills the context.",
    "If the cell holds text rather than a value, retrieve it as a paragraph; if several rows were "
    "read as one, parse the document again with another parser.",
)

MANY_CHARACTERS, MANY_WORDS = 2_000, 400
_SPARSE, _ROWS_TO_JUDGE = 0.1, 5


def empty_columns(facts: Facts) -> Iterator[Lint]:
    """Columns with a label and no value."""
    if facts.n_rows < 2:
        return
    empty = [int(at) for at in np.flatnonzero(facts.column_filled == 0) if facts.labels[at]]
    if empty:
        message = f"{counted(len(empty), 'column')} of {facts.width} without any value."
        yield facts.lint(EMPTY_COLUMN, message, column=empty[0], count=len(empty))


def mostly_empty_columns(facts: Facts) -> Iterator[Lint]:
    """Columns in which nine cells of ten are blank."""
    if facts.n_rows < _ROWS_TO_JUDGE:
        return
    filled = facts.column_filled
    sparse = np.flatnonzero((filled > 0) & (filled <= _SPARSE * facts.n_rows)).tolist()
    if sparse:
        message = (
            f"{counted(len(sparse), 'column')} of {facts.width} mostly blank: column "
            f"{sparse[0] + 1} has {filled[sparse[0]]} values in {facts.n_rows:,} rows."
        )
        yield facts.lint(MOSTLY_EMPTY_COLUMN, message, column=sparse[0], count=len(sparse))


def long_cells(facts: Facts) -> Iterator[Lint]:
    """Cells of more than 2,000 characters or 400 words."""
    if not facts.n_rows or not facts.width:
        return
    # No word is shorter than a character and its space.
    long = (facts.length > MANY_CHARACTERS) | (facts.spaces >= MANY_WORDS)
    if long.any():
        row, column = (int(at) for at in np.argwhere(long)[0])
        message = (
            f"{counted(int(long.sum()), 'cell')} of more than {MANY_CHARACTERS:,} characters or "
            f"{MANY_WORDS} words; the longest has {int(facts.length.max()):,} characters."
        )
        yield facts.lint(LONG_CELLS, message, row=row, column=column, count=int(long.sum()))
