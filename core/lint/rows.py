"""Rules about rows: too many or too few cells, too few rows, labels alone, cut and merged rows."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from core.lint.facts import Facts
from core.lint.model import Defect, Lint, counted
from core.tables.cells import split_row
from core.tables.columns import matches
from core.tables.labels import is_number

VALUES_WITHOUT_LABEL = Defect(
    "values-without-label",
    "error",
    "The values beyond the last label are cited without a name; and if a cell was split further "
    "left, all values after it stand under the wrong label.",
    "Compare the row with the page: a bar inside a cell, or a column that the header lost, makes "
    "rows too wide. Parse the document again, or escape the bar as \\|.",
)
SHORT_ROWS = Defect(
    "short-rows",
    "warning",
    "Missing cells are taken to be the last ones. If another cell got lost, the values after it "
    "stand under the wrong label.",
    "Compare the row with the page; if its values are shifted, parse the document again with "
    "another parser.",
)
NO_ROWS = Defect(
    "no-rows",
    "warning",
    "A table without rows gives no chunk: nothing in it can be found.",
    "If its rows were taken for header lines, lower the number of header rows in the tab Headers; "
    "if they stand in the next table, the parser cut it.",
)
ONE_ROW = Defect(
    "one-row",
    "info",
    "With one row there is nothing to choose from: it is shown as it is.",
    "Nothing to do if the page shows one row; else the parser cut the table.",
)
LONE_CELLS = Defect(
    "lone-cells",
    "info",
    "A cell alone is cited as a row. If it heads a section or states a unit, the rows below it "
    "lack that context; if it is the rest of a cell, either half is found without the other.",
    "Nothing to do if the other cells are blank on the page too; else parse the document again "
    "with another parser.",
)
CUT_ROWS = Defect(
    "cut-rows",
    "warning",
    "The rest of a cell stands in a row of its own: either half is found without the other.",
    "Parse the document again with another parser, or join the two lines in the source.",
)
MERGED_ROWS = Defect(
    "merged-rows",
    "error",
    "Values of several rows stand in one cell, so that an answer gives all of them or the wrong "
    "one.",
    "Compare the row with the page and parse the document again with another parser: rows "
    "without a rule between them were read as one.",
)

# "37.1 (2.8)" is a value and what belongs to it, "(3) (4)" are two.
_ONE = r"[-+−–]?[$€£]?\d[\d,.]*%?"
_SEVERAL = rf"^(?:{_ONE}(?:\s+{_ONE})+|\({_ONE}\)(?:\s+\({_ONE}\))+)$"
# "1 234 567,8" is one number.
_SPACED = r"^[-+−–(]?[$€£]?\d{1,3}(?:\s\d{3})+(?:[.,]\d+)?[%)]?$"
_ODD_BARS = re.compile(r"[\\`$&]")
_TOO_FEW = 2
"""Rows that cannot say what is usual in their columns."""
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


def values_without_label(facts: Facts) -> Iterator[Lint]:
    """Rows with values beyond the last label."""
    longer = np.flatnonzero(facts.sizes > facts.width).tolist()
    rows = [at for at in longer if any(facts.table.rows[at][facts.width :])]
    if rows:
        message = (
            f"{counted(len(rows), 'row')} of {facts.n_rows:,} "
            f"{'has' if len(rows) == 1 else 'have'} values beyond the "
            f"{counted(facts.width, 'label')}."
        )
        yield facts.lint(
            VALUES_WITHOUT_LABEL, message, row=rows[0], column=facts.width, count=len(rows)
        )


def short_rows(facts: Facts) -> Iterator[Lint]:
    """Rows printed with fewer cells than there are labels, more than a label alone."""
    if not facts.n_rows or not facts.width:
        return
    # A column that only a wider row has brought is nothing that the others lack.
    named = max((at + 1 for at, label in enumerate(facts.labels) if label), default=facts.width)
    # Where the last cell has a value, none is missing, or the reading has found which.
    open_rows = ~facts.filled[:, named - 1] & (facts.row_filled > 1)
    if not open_rows.any():
        return
    lines = np.flatnonzero(facts.lines.role == "row")
    row = facts.lines.row_index[lines]
    # A row on several lines is cut by the page, or HTML: its bars say nothing.
    alone = np.bincount(row, minlength=facts.n_rows)[row] == 1
    asked = alone & open_rows[row]
    found = [
        at
        for line, at in zip(lines[asked].tolist(), row[asked].tolist(), strict=True)
        if _is_short(facts, at, line, named)
    ]
    if found:
        message = (
            f"{counted(len(found), 'row')} of {facts.n_rows:,} "
            f"{'has' if len(found) == 1 else 'have'} fewer than {named} cells."
        )
        yield facts.lint(SHORT_ROWS, message, row=found[0], count=len(found))


def few_rows(facts: Facts) -> Iterator[Lint]:
    """No body row, or one."""
    if not facts.n_rows:
        yield facts.lint(NO_ROWS, "The table has a header and no row below it.")
    elif facts.n_rows == 1:
        yield facts.lint(ONE_ROW, "The table has a single row.", row=0)


def lone_cells(facts: Facts) -> Iterator[Lint]:
    """Rows of three columns or more, the fewer of all, that hold one cell alone."""
    if facts.width < 3 or facts.n_rows < 2:
        return
    rows = np.flatnonzero(facts.row_filled == 1)
    if 0 < len(rows) <= 0.5 * facts.n_rows:
        row, column = int(rows[0]), int(np.argmax(facts.filled[rows[0]]))
        message = f"{counted(len(rows), 'row')} of {facts.n_rows:,} with a single filled cell."
        yield facts.lint(LONE_CELLS, message, row=row, column=column, count=len(rows))


def cut_rows(facts: Facts) -> Iterator[Lint]:
    """Rows with one cell behind a blank first one that goes on in the middle of a sentence.

    In a column of numbers it is a unit of the rows below, and no rest of anything.
    """
    if facts.width < 2 or facts.n_rows < 2:
        return
    alone = (facts.row_filled == 1) & ~facts.filled[:, 0]
    if not alone.any():
        return
    words = facts.filled & ~facts.numeric & ~facts.column_numeric
    rows = np.flatnonzero(alone & words.any(axis=1))
    found = []
    for at in rows.tolist():
        column = int(np.argmax(facts.filled[at]))
        cells = facts.column_texts(column) if at else []
        if at and words[at - 1, column] and _goes_on(cells, at):
            found.append((at, column))
    if found:
        message = (
            f"{counted(len(found), 'row')} of {facts.n_rows:,} "
            f"{'goes' if len(found) == 1 else 'go'} on with the cell above."
        )
        row, column = found[0]
        yield facts.lint(CUT_ROWS, message, row=row, column=column, count=len(found))


def merged_rows(facts: Facts) -> Iterator[Lint]:
    """Rows with several numbers in several cells whose columns hold one elsewhere."""
    rows = {*_several_numbers(facts), *_several_lines(facts)}
    if rows:
        first = min(rows)
        message = (
            f"{counted(len(rows), 'row')} of {facts.n_rows:,} "
            f"{'seems' if len(rows) == 1 else 'seem'} to be several in one."
        )
        yield facts.lint(MERGED_ROWS, message, row=first, count=len(rows))


def _is_short(facts: Facts, row: int, line: int, width: int) -> bool:
    n_cells = int(facts.lines.bars[line]) - 1
    text = facts.lines.text[line].as_py().strip()
    if n_cells < 1 or not text.startswith("|"):
        return False
    if _ODD_BARS.search(text):
        n_cells = len(split_row(text))
    # Where values stand behind the printed cells, the reading has put them in their places.
    return n_cells < width and not facts.filled[row, n_cells:].any()


def _goes_on(cells: list[str], at: int) -> bool:
    """Whether a cell begins in lower case where the others of its column do not."""
    others = [cell for cell in cells[max(0, at - 50) : at + 50] if cell]
    lower = sum(cell[0].islower() for cell in others)
    begun = sum(map(str.isalpha, cells[at - 1])) > 3
    return begun and cells[at][0].islower() and len(cells[at]) > 3 and lower <= 0.4 * len(others)


def _several_numbers(facts: Facts) -> list[int]:
    if not facts.n_rows or facts.width < 2:
        return []
    gaps = facts.gap
    if np.count_nonzero(gaps.sum(axis=1) > 1) == 0:
        return []
    several = gaps & facts.grid(matches(facts.cells, _SEVERAL) & ~matches(facts.cells, _SPACED))
    numbers = facts.spaces + 1
    one = facts.numeric & ~several
    # Where most cells of a column hold several numbers, that is how it is printed.
    usual = (one.sum(axis=0) >= np.maximum(several.sum(axis=0), 1)) | (facts.n_rows <= _TOO_FEW)
    odd = several & usual
    rows = np.flatnonzero(odd.sum(axis=1) > 1)
    return [
        int(at)
        for at in rows
        if len(set(numbers[at][odd[at]].tolist())) == 1
        and odd[at].sum() >= 0.5 * (facts.numeric[at] & usual).sum()
    ]


def _several_lines(facts: Facts) -> list[int]:
    """Rows whose cells all have the same number of line breaks, one at least between numbers."""
    found = []
    for line in np.flatnonzero((facts.lines.breaks > 1) & (facts.lines.role == "row")).tolist():
        text = facts.lines.text[line].as_py().strip().strip("|")
        cells = [_BREAK.split(cell.strip()) for cell in text.split("|") if cell.strip()]
        if (
            len(cells) > 1
            and len({len(parts) for parts in cells}) == 1
            and any(all(map(is_number, map(str.strip, parts))) for parts in cells)
        ):
            found.append(int(facts.lines.row_index[line]))
    return found
