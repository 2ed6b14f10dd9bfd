"""The contract's four rules and its literal header guard, line by line in plain Python.

This is the oracle that `strict=True` has to agree with, and the baseline of the bench. It is
written to be read beside contract sections 2 to 4, not to be fast. Where the contract leaves a
choice, this is the reading:

- Lines are read in order of page and line number; missing text is "". Text is stripped first.
- The interior of a pipe row is what stands between its first and its last bar. A separator's
  interior holds nothing but dashes, colons, bars and plain spaces, so a wholly blank row is one.
- A run is a stretch of pipe rows. Any other line ends it, a blank one too, and so does a page
  step other than 0 or +1.
- The first separator of a run splits it. The row directly above is the header; rows further
  above are neither header nor body. With nothing above, the labels are blank, as many as the
  first body row has cells, and there is no header for the guard to look at.
- Later separators are skipped; every other row below the first one is a body row. A run without
  a separator is no table. One with a separator is a table even if it has no body row, so it
  takes a number but gives no row.
- Cells are cut at every bar and stripped; nothing is unescaped.
- A blank cell in the header lets labels run to the right, always. Only then is the first body
  row a candidate for a sub-header; `str.isdigit` says what a digit is.
- Row by row, the shorter of labels and cells is filled up with "" on the right; nothing is cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields

import pandas as pd

Line = tuple[int, int, str]
"""page_num, line_num, text"""


@dataclass
class _Run:
    rows: list[Line] = field(default_factory=list)


@dataclass(frozen=True)
class LiteralRow:
    """One body row, as row_df holds it."""

    table_id: str
    page_num: int
    line_num: int
    column_headers: list[str]
    row_cells: list[str]
    row_serialized: str
    row_index: int
    n_body_rows: int


def read_line_df(line_df: pd.DataFrame) -> list[LiteralRow]:
    """Every body row of every table of a line_df."""
    places = zip(line_df["page_num"].tolist(), line_df["line_num"].tolist(), strict=True)
    texts = (text if isinstance(text, str) else "" for text in line_df["text"].tolist())
    return read_lines((page, line, text) for (page, line), text in zip(places, texts, strict=True))


def read_line_df_as_frame(line_df: pd.DataFrame) -> pd.DataFrame:
    """The same as a row_df, so that the bench compares like with like."""
    names = [column.name for column in fields(LiteralRow)]
    rows = read_line_df(line_df)
    return pd.DataFrame({name: [getattr(row, name) for row in rows] for name in names})


def read_lines(lines: Iterable[Line]) -> list[LiteralRow]:
    """Every body row of every table, in reading order."""
    rows: list[LiteralRow] = []
    number = 0
    for run in _runs(sorted(lines, key=lambda line: line[:2])):
        split = _first_separator(run)
        if split is None:
            continue
        number += 1
        rows.extend(_table_rows(f"t{number}", run.rows, split))
    return rows


def _runs(lines: Iterable[Line]) -> Iterator[_Run]:
    run = _Run()
    for page, line, text in lines:
        text = text.strip()
        if not _is_pipe_row(text):
            yield run
            run = _Run()
            continue
        if run.rows and page - run.rows[-1][0] not in (0, 1):
            yield run
            run = _Run()
        run.rows.append((page, line, text))
    yield run


def _is_pipe_row(text: str) -> bool:
    return text.startswith("|") and text.endswith("|") and "|" in text[1:-1]


def _is_separator(text: str) -> bool:
    return all(character in "-:| " for character in text[1:-1])


def _first_separator(run: _Run) -> int | None:
    for at, (_, _, text) in enumerate(run.rows):
        if _is_separator(text):
            return at
    return None


def _table_rows(table_id: str, run: list[Line], split: int) -> list[LiteralRow]:
    body = [line for line in run[split + 1 :] if not _is_separator(line[2])]
    cells = [_cells(text) for _, _, text in body]
    if split > 0:
        labels, eaten = _fold_literally(_cells(run[split - 1][2]), cells)
    else:
        labels, eaten = [""] * (len(cells[0]) if cells else 0), 0

    rows: list[LiteralRow] = []
    for (page, line, _), values in zip(body[eaten:], cells[eaten:], strict=True):
        width = max(len(labels), len(values))
        headers = labels + [""] * (width - len(labels))
        filled = values + [""] * (width - len(values))
        rows.append(
            LiteralRow(
                table_id=table_id,
                page_num=page,
                line_num=line,
                column_headers=headers,
                row_cells=filled,
                row_serialized=serialize(headers, filled),
                row_index=len(rows),
                n_body_rows=len(body) - eaten,
            )
        )
    return rows


def serialize(headers: list[str], cells: list[str]) -> str:
    """One row as text; a blank header prints the bare cell."""
    return " | ".join(
        f"{header}: {cell}" if header else cell for header, cell in zip(headers, cells, strict=True)
    )


def _cells(text: str) -> list[str]:
    return [cell.strip() for cell in text[1:-1].split("|")]


def _fold_literally(header: list[str], body: list[list[str]]) -> tuple[list[str], int]:
    """Labels, and how many body rows went into them (0 or 1)."""
    if "" not in header:
        return header, 0
    filled: list[str] = []
    for label in header:
        filled.append(label if label or not filled else filled[-1])
    if not _is_sub_header(header, body):
        return filled, 0
    return [f"{upper} {lower}".strip() for upper, lower in zip(filled, body[0], strict=True)], 1


def _is_sub_header(header: list[str], body: list[list[str]]) -> bool:
    return (
        len(body) >= 2
        and len(body[0]) == len(header)
        and not _holds_digit(body[0])
        and _holds_digit(body[1])
    )


def _holds_digit(cells: list[str]) -> bool:
    return any(character.isdigit() for cell in cells for character in cell)
