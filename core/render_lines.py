"""A page for a source that has none to show: its lines drawn where they stand, or set out.

Saved parser output comes with boxes but without its PDF; Markdown, Word or CSV have no boxes at
all. Either way rows can be lit on the picture as on a real page.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd

from core.frames import BOX_COLUMNS
from core.parsers.mupdf import LOCK, load_pymupdf
from core.render import PageImage, draw_page
from core.render_words import words_frame
from core.tables.cells import clean_cell

MAX_LINES = 400
"""Lines drawn of one page; those after it are left out."""

Edges = list[float]
"""Left edges of columns and the right edge of the last, as shares of the row's width."""

Room = tuple[float, float, float, float]

_WIDTH, _MARGIN, _LINE, _SIZE = 640.0, 36.0, 18.0, 10.0
"""The made-up page in points: its width, margin, height of a line, and size of type."""
_LEFT = 72.0
"""Left margin of the made-up page, with room for the numbers of rows."""
_LETTER = 0.5
"""Mean width of a letter, by the size of type."""
_MOST_WRAPPED = 3
_WIDEST_CELL = 40
_SMALLEST = 0.6
"""Type that does not fit its box shrinks to this share, then the text is cut."""
_INK = (0.25, 0.25, 0.3)
_PIPE = re.compile(r"\s*\|.*\|\s*")
_SEPARATOR = re.compile(r"[\s|:\-]*")
_BARE_BAR = re.compile(r"(?<!\\)\|")


def set_out_lines(line_df: pd.DataFrame, page_num: int) -> tuple[pd.DataFrame, float, float]:
    """The first `MAX_LINES` lines of a page with boxes on a made-up page, and its width and
    height in points.

    Prose takes up to three lines; a pipe row one; separators and blank lines a thin one.
    """
    lines = line_df[line_df["page_num"] == page_num].head(MAX_LINES)
    text = lines["text"].astype(str)
    per_line = (_WIDTH - _MARGIN - _LEFT) / (_LETTER * _SIZE)
    wrapped = np.ceil(text.str.len().to_numpy() / per_line).clip(1, _MOST_WRAPPED)
    is_pipe = text.str.fullmatch(_PIPE).to_numpy(dtype=bool)
    is_thin = text.str.fullmatch(_SEPARATOR).to_numpy(dtype=bool)
    heights = np.where(is_thin, _LINE / 4, np.where(is_pipe, _LINE, wrapped * _LINE))
    bottoms = _MARGIN + heights.cumsum()
    placed = lines.assign(x0=_LEFT, y0=bottoms - heights, x1=_WIDTH - _MARGIN, y1=bottoms)
    height = float(bottoms[-1] if len(bottoms) else 0.0) + _MARGIN
    return placed, _WIDTH, max(height, _WIDTH / 4)


def draw_lines(lines: pd.DataFrame, width: float, height: float, *, dpi: float = 110) -> PageImage:
    """A picture of the lines of one page, each text in its box; pipe rows as rows of cells.

    Args:
        lines: text and boxes in points; lines without a box are left out.
        width: of the page in points.
        height: likewise.
        dpi: resolution, lowered for a page that would have too many pixels.
    """
    with LOCK, load_pymupdf().open() as document:
        page = document.new_page(width=width, height=height)
        pen = _Pen()
        writer = load_pymupdf().TextWriter(page.rect)
        for text, room, is_cell in _lay_out(lines):
            for line in pen.set_type(text, room, wraps=not is_cell):
                writer.append((room[0], line.baseline), line.text, line.font, line.size)
        writer.write_text(page, color=_INK)
        return draw_page(page, dpi)


def drawn_cells(lines: pd.DataFrame) -> pd.DataFrame:
    """The cells that `draw_lines` draws, and where: text, x0, y0, x1, y1 in points."""
    with LOCK:
        pen = _Pen()
        cells = [
            (clean_cell(text), (room[0], room[1], min(room[0] + width, room[2]), room[3]))
            for text, room, is_cell in _lay_out(lines)
            if is_cell
            for width in [line.width for line in pen.set_type(text, room)]
        ]
    boxes = np.array([box for _, box in cells], dtype=float).reshape(-1, 4)
    return words_frame([text for text, _ in cells], boxes)


def _lay_out(lines: pd.DataFrame) -> Iterator[tuple[str, Room, bool]]:
    """Each text, the room it is drawn in, and whether it is a cell of a pipe row."""
    placed = lines.dropna(subset=BOX_COLUMNS).head(MAX_LINES)
    texts = placed["text"].astype(str).tolist()
    boxes = placed[BOX_COLUMNS].to_numpy(dtype=float).tolist()
    at = 0
    for is_row, group in groupby(texts, key=_is_row):
        run = list(group)
        cells = [_cells(text) for text in run] if is_row else [[text] for text in run]
        edges = _edges(cells)
        for values, (x0, y0, x1, y1) in zip(cells, boxes[at : at + len(run)], strict=True):
            for text, left, right in zip(values, edges, edges[1:], strict=False):
                yield text, (x0 + left * (x1 - x0), y0, x0 + right * (x1 - x0), y1), is_row
        at += len(run)


def _is_row(text: str) -> bool:
    return _PIPE.fullmatch(text) is not None


def _cells(row: str) -> list[str]:
    if _SEPARATOR.fullmatch(row):
        return []
    cells = _BARE_BAR.split(row.strip())[1:-1]
    return [cell.replace("\\|", "|").strip() for cell in cells]


def _edges(rows: Sequence[Sequence[str]]) -> Edges:
    """Columns as wide as their longest text, within reason."""
    count = max(map(len, rows), default=0)
    padded = ([*row, *[""] * (count - len(row))] for row in rows)
    widths = [min(max(map(len, column)), _WIDEST_CELL) + 2 for column in zip(*padded, strict=True)]
    return [0.0, *(np.cumsum(widths) / max(sum(widths), 1)).tolist()]


@dataclass(frozen=True, slots=True)
class _Type:
    """A line of text as it is set."""

    text: str
    font: Any
    size: float
    baseline: float

    @property
    def width(self) -> float:
        return float(self.font.text_length(self.text, self.size))


class _Pen:
    """Fits texts into boxes, in a typeface that has their letters."""

    def __init__(self) -> None:
        pymupdf = load_pymupdf()
        self._plain, self._wide = pymupdf.Font("helv"), pymupdf.Font("cjk")

    def set_type(self, text: str, box: Room, *, wraps: bool = False) -> Iterator[_Type]:
        """The lines of a text at the left of a box, shrunk, wrapped or cut until it fits."""
        text = " ".join(text.split())
        x0, y0, x1, y1 = box
        if not text or x1 - x0 < 1 or y1 - y0 < 1:
            return
        font = self._plain if all(map(self._plain.has_glyph, map(ord, text))) else self._wide
        count = min(_MOST_WRAPPED, max(1, round((y1 - y0) / _LINE))) if wraps else 1
        size = min(_SIZE, 0.8 * (y1 - y0) / count)
        room = x1 - x0
        needed = font.text_length(text, size) / count
        size = max(size * min(1.0, room / needed), _SMALLEST * size)
        step = (y1 - y0) / count
        for at, line in enumerate(_break(text, font, size, room, count)):
            yield _Type(line, font, size, y0 + at * step + step / 2 + 0.35 * size)


def _break(text: str, font: Any, size: float, room: float, count: int) -> list[str]:
    """At most `count` lines no wider than the room; what is left over is cut with an ellipsis."""
    letters = max(int(len(text) * room / max(font.text_length(text, size), room)), 1)
    lines = textwrap.wrap(text, letters) if letters < len(text) else [text]
    if len(lines) > count:
        lines = [*lines[: count - 1], lines[count - 1][: max(letters - 1, 1)] + "…"]
    return lines
