"""What Hypothesis generates: any line frame at all, and documents of well-formed tables."""

from __future__ import annotations

import html
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pandas as pd
from hypothesis import strategies as st

from tests.frames import line_frame, pipe_row

_Numbered = tuple[int, int, str | None]

# --------------------------------------------------------------------------- any lines at all

_WORDS = st.sampled_from(
    ["Model", "BLEU", "EN-DE", "cap", "n/a", "Füße", "日本", "x y", "-a-", "✓"]
)
_NUMBERS = st.sampled_from(["1", "27.3", "2,000 EUR", "v2", "٣", "x²", "FY24"])
_MARKUP = st.sampled_from([r"p \| q", "a<br>b", "a&#124;b", "`a|b`", "$|v|$", "**b**", "\\"])
_DASHES = st.sampled_from(["-", "---", ":-:", "--:", ":", "—", "- -"])
# A no-break space is stripped by rule 1 and is not the plain space a separator may hold.
_BLANKS = st.sampled_from(["", "", "", " ", "\t", "\u00a0", "\u2003", "\u200b", "\x1f"])

_header_cells = st.one_of(_WORDS, _WORDS, _BLANKS)
_any_cells = st.one_of(_WORDS, _NUMBERS, _MARKUP, _DASHES, _BLANKS)
_widths = st.integers(2, 5)


@st.composite
def _row_texts(
    draw: st.DrawFn, cells: st.SearchStrategy[str], widths: st.SearchStrategy[int] = _widths
) -> str:
    width = draw(widths)
    bar = draw(st.sampled_from([" | ", "|"]))
    inside = bar.join(draw(st.lists(cells, min_size=width, max_size=width)))
    left, right = draw(
        st.sampled_from([("| ", " |"), ("|", "|"), ("  |", "| "), ("\u00a0|", "|\t")])
    )
    return f"{left}{inside}{right}"


_separators = st.one_of(
    st.sampled_from(["|---|---|", "| --- | --- | --- |", "|:-:|-|", "|-----|", "||||", "| | |"]),
    st.text("-:| ", max_size=8).map(lambda inside: f"|{inside}|"),
)
_odd_lines = st.sampled_from(
    [
        "|",
        "||",
        "|||",
        "| |",
        "|a|",
        "| a",
        "a |",
        "a | b",
        "|a|b",
        "a|b|",
        "｜a｜b｜",
        "|\t|\t|",
        "|—|—|",
    ]
)
_other_lines = st.one_of(
    st.sampled_from(
        [None, "", " ", "\u00a0", "Article 7. Theft is covered.", "3", "---", "| --- "]
    ),
    st.text("ab|-: \t\u00a0", max_size=6),
)
_lines = st.one_of(
    _row_texts(_any_cells),
    _row_texts(_any_cells),
    _row_texts(_NUMBERS),
    _separators,
    _odd_lines,
    _other_lines,
)


@st.composite
def _table_texts(draw: st.DrawFn) -> list[str | None]:
    """Lines in a table's usual order, so that header rules are reached and not only rule 4."""
    width = draw(_widths)
    widths = st.sampled_from([width, width + 1]) if draw(st.booleans()) else st.just(width)
    labels, numbers = _row_texts(_header_cells, widths), _row_texts(_NUMBERS, widths)
    body = st.one_of(numbers, _row_texts(_any_cells, widths), _separators)
    return [
        *draw(st.lists(labels, max_size=2)),
        draw(_separators),
        *draw(st.lists(labels, max_size=2)),
        draw(numbers),
        *draw(st.lists(body, max_size=4)),
    ]


@st.composite
def line_frames(draw: st.DrawFn) -> pd.DataFrame:
    """Any line_df: tables, halves of tables, odd bars, prose, gaps in pages and lines, unsorted."""
    block = st.one_of(_table_texts(), _table_texts(), st.lists(_lines, max_size=4))
    blocks = draw(st.lists(block, min_size=1, max_size=6))
    page, line = draw(st.integers(1, 3)), 0
    numbered: list[_Numbered] = []
    for text in (text for block in blocks for text in block):
        step = draw(st.sampled_from([0] * 12 + [1, 1, 1, 2, 3]))
        page, line = page + step, 0 if step else line
        line += draw(st.sampled_from([1, 1, 1, 2]))
        numbered.append((page, line, text))
    return line_frame(_shuffled(draw, numbered))


def _shuffled(draw: st.DrawFn, numbered: Sequence[_Numbered]) -> list[_Numbered]:
    """In order, or in an order that one small number decides: cheaper than `st.permutations`."""
    seed = draw(st.integers(0, 20))
    return random.Random(seed).sample(numbered, len(numbered)) if seed else list(numbered)


# --------------------------------------------------------------------------- well-formed tables


@dataclass(frozen=True)
class PrintedRow:
    """A body row: what it says, and the only place where it is printed."""

    cells: list[str]
    page_num: int
    line_num: int


@dataclass
class PrintedTable:
    """A table as its author means it."""

    headers: list[str]
    rows: list[PrintedRow] = field(default_factory=list)


@dataclass(frozen=True)
class PrintedDocument:
    """Tables and the line frame they were printed into."""

    tables: list[PrintedTable]
    line_df: pd.DataFrame


# fmt: off
_LABELS = [
    "Covered event", "Cap", "Deductible", "Condition", "Layer Type", "Complexity per Layer",
    "Région", "Größe", "市場", "Preis in €", "Warranty (years)", "Maximum | minimum", "R&D spend",
    "Name of the ship", "Draught", "Опция",
]
_STEMS = [
    "theft", "Fire service record", "naïve Bayes", "n ≤ d", "地震", "Überschwemmung",
    "tread of 3 mm", "a | b", "R&D", "below −5 °C", "100% of the cap", "“quoted”", r"C:\data",
    "x < y", "owner's", "e-mail: a@b.example",
]
# fmt: on

_Print = Callable[[str], str]


def _escape(cell: str) -> str:
    return cell.replace("|", r"\|")


_PRINTED_AS: list[_Print] = [
    _escape,
    _escape,
    _escape,
    lambda cell: cell.replace("|", "&#124;"),
    lambda cell: _escape(cell).replace(" ", "<br>", 1),
    lambda cell: _escape(cell).replace(" ", "<br/>"),
    lambda cell: _escape(cell).replace(" ", "\u00a0"),
    lambda cell: _escape(html.escape(cell, quote=False)),
    lambda cell: f"\u200b{_escape(cell)}\ufeff",
    lambda cell: f"  {_escape(cell)}   ",
]


class _Values:
    """Cell contents that occur once in a document, so that each can be looked for anywhere."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.made = 0

    def amount(self) -> str:
        self.made += 1
        kind = self.draw(st.sampled_from(["{:,} EUR", "{}.5", "-{} %", "no. {}"]))
        return kind.format(1_000 + self.made)

    def any(self) -> str:
        self.made += 1
        stem = self.draw(st.sampled_from(_STEMS))
        mark = "".join(chr(ord("a") + int(digit)) for digit in f"{self.made:03d}")
        return self.draw(st.sampled_from([f"{stem} {mark}", f"{stem} {self.made + 1_000}"]))


@st.composite
def printed_documents(draw: st.DrawFn) -> PrintedDocument:
    """One to three tables with one-line headers, in pipes or HTML, over page breaks and the
    furniture of pages, some rows cut into text lines, between lines of prose."""
    values = _Values(draw)
    page = _Printer(draw)
    tables = []
    for _ in range(draw(st.integers(1, 3))):
        page.text("The following amounts apply to every claim made under this contract.")
        print_as = draw(st.sampled_from([_print_table, _print_table, _print_html]))
        tables.append(print_as(draw, values, page))
    page.text("Amounts are reviewed once a year.")
    return PrintedDocument(tables, line_frame(_shuffled(draw, page.numbered)))


class _Printer:
    """Numbers the lines of a document as they are printed."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.page, self.line = 1, 0
        self.numbered: list[_Numbered] = []

    def text(self, text: str) -> None:
        self.line += 1
        self.numbered.append((self.page, self.line, text))

    def cells(self, cells: list[str], *, cut: bool = False) -> tuple[int, int]:
        """Print a row, with `cut` broken at one of its spaces; returns its page and first line."""
        row = pipe_row([self.draw(st.sampled_from(_PRINTED_AS))(cell) for cell in cells])
        spaces = [at for at, character in enumerate(row) if character == " "]
        inside = [at for at in spaces if not _is_beside_bar(row, at)]
        place = (self.page, self.line + 1)
        at = self.draw(st.sampled_from(inside)) if cut and inside else 0
        for part in (row[:at], row[at:]) if at else (row,):
            self.text(part)
        return place

    def turn(self, *, furniture: bool = False) -> None:
        if furniture:
            self.text(self.draw(st.sampled_from(["", f"- {self.page} -", "<!-- PageBreak -->"])))
        self.page, self.line = self.page + 1, 0
        if furniture:
            self.text(self.draw(st.sampled_from(["", '<!-- PageHeader="Annual report" -->'])))


def _is_beside_bar(row: str, at: int) -> bool:
    return row[:at].rstrip().endswith("|") or row[at:].lstrip().startswith("|")


def _print_table(draw: st.DrawFn, values: _Values, page: _Printer) -> PrintedTable:
    width = draw(st.integers(2, 5))
    labels = draw(st.permutations(_LABELS))[:width]
    table = PrintedTable(list(labels))
    separator = "|" + draw(st.sampled_from(["---|", ":--|", " - |", "--:|"])) * width
    page.cells(table.headers)
    page.text(separator)
    is_full = True
    for at in range(draw(st.integers(1, 8))):
        broken = at > 0 and draw(st.integers(0, 3)) == 0
        promoted = broken and _turn_page(draw, page, table, separator, furniture=is_full)
        # A cut row is known by the row above it, which has its width.
        cut = not broken and is_full and draw(st.integers(0, 3)) == 0
        if promoted:
            cells = [values.amount() for _ in range(width)]
        else:
            cells = _cells(draw, values, width, ragged=not broken and not cut)
        table.rows.append(PrintedRow(cells, *page.cells(cells, cut=cut)))
        is_full = len(cells) == width
        if promoted:
            page.text(separator)
    return table


def _turn_page(
    draw: st.DrawFn, page: _Printer, table: PrintedTable, separator: str, *, furniture: bool
) -> bool:
    """Break the page inside a table; True if the parser will promote the next row to a header."""
    page.turn(furniture=furniture and draw(st.booleans()))
    how = draw(st.sampled_from(["plain", "header", "header and separator", "promoted"]))
    if how.startswith("header"):
        page.cells(table.headers)
    if how == "header and separator":
        page.text(separator)
    return how == "promoted"


def _print_html(draw: st.DrawFn, values: _Values, page: _Printer) -> PrintedTable:
    """A table in HTML, its tags on one line per row or on one each."""
    width = draw(st.integers(2, 5))
    labels = draw(st.permutations(_LABELS))[:width]
    table = PrintedTable(list(labels))
    on_one_line = draw(st.booleans())
    page.text("<table>")
    _print_html_row(page, table.headers, "th", on_one_line)
    for at in range(draw(st.integers(1, 8))):
        broken = at > 0 and draw(st.integers(0, 3)) == 0
        if broken:
            page.text("</table>")
            page.turn(furniture=draw(st.booleans()))
            page.text("<table>")
        how = draw(st.sampled_from(["plain", "header", "promoted"])) if broken else "plain"
        if how == "header":
            _print_html_row(page, table.headers, "th", on_one_line)
        if broken and how != "header":
            cells = [values.amount() for _ in range(width)]
        else:
            cells = _cells(draw, values, width, ragged=False)
        table.rows.append(PrintedRow(cells, page.page, page.line + 1))
        _print_html_row(page, cells, "th" if how == "promoted" else "td", on_one_line)
    page.text("</table>")
    return table


def _print_html_row(page: _Printer, cells: list[str], tag: str, on_one_line: bool) -> None:
    parts = ["<tr>", *(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells), "</tr>"]
    for text in ("".join(parts),) if on_one_line else parts:
        page.text(text)


def _cells(draw: st.DrawFn, values: _Values, width: int, *, ragged: bool) -> list[str]:
    """A row as wide as the header, or ragged; its first two cells are never blank."""
    sizes = [width] * 6 + [max(2, width - 1), width + 1]
    size = draw(st.sampled_from(sizes)) if ragged else width
    return [_cell(draw, values, may_be_blank=column > 1) for column in range(size)]


def _cell(draw: st.DrawFn, values: _Values, *, may_be_blank: bool) -> str:
    kinds = ["any", "amount", "blank"] if may_be_blank else ["any", "amount"]
    kind = draw(st.sampled_from(kinds))
    if kind == "blank":
        return ""
    return values.amount() if kind == "amount" else values.any()
