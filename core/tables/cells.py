"""Text of one pipe row -> its cells, as content rather than markup (contract section 5).

Only what holds something special comes here; plain rows and cells are read in bulk by `pipes`.
"""

from __future__ import annotations

import html
import re

SPECIAL = (
    r"[\\&`<*_~\x00-\x1f\x7f\x{85}\x{a0}\x{ad}\x{2000}-\x{200b}\x{200e}\x{200f}\x{2028}-\x{202f}"
    r"\x{205f}\x{2060}\x{2066}-\x{2069}\x{3000}\x{feff}]"
)
"""RE2 class of characters that may stand for other content; everything else is plain."""

UNSURE_BARS = r"[\\`]"
"""RE2 class of characters that may make a bar of their row content."""

_CODE_SPAN = r"(?P<ticks>`+)(?:(?!`).)+?(?P=ticks)(?!`)"
# pandoc's rule for $...$, so that "$840 | $790" stays two prices and no formula.
_FORMULA = r"\$(?=\S)(?:[^$]*[^\s$])\$(?!\d)"
_BAR = re.compile(rf"\\.|{_CODE_SPAN}|(?P<bar>\|)")
_BAR_OR_FORMULA = re.compile(rf"\\.|{_CODE_SPAN}|{_FORMULA}|(?P<bar>\|)")

_LINE_BREAK = re.compile(r"\s*<br\s*/?>\s*", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]"
)
_ODD_SPACE = re.compile("[\t\n\v\f\r\u0085\u00a0\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_EMPHASIS_MARKS = ("*", "_", "~", "`")
_EMPHASIS = re.compile(r"(\*{1,3}|_{1,3}|~~|`)(?=\S)(?P<inner>.*\S)\1", re.DOTALL)


def split_row(text: str, *, formulas: bool = False) -> list[str]:
    """Cells of one stripped pipe row; exactly one bar is cut from each end.

    Escaped bars and bars inside code spans are content, and with `formulas` also those
    inside $...$: that reading is a repair for rows that come out too wide without it.
    """
    interior = text[1:-1]
    if not formulas and "`" not in interior:
        return [clean_cell(cell) for cell in _split_at_unescaped_bars(interior)]
    pattern = _BAR_OR_FORMULA if formulas else _BAR
    cuts = [match.start() for match in pattern.finditer(interior) if match.group("bar")]
    starts, ends = [0, *(cut + 1 for cut in cuts)], [*cuts, len(interior)]
    return [clean_cell(interior[start:end]) for start, end in zip(starts, ends, strict=True)]


def _split_at_unescaped_bars(interior: str) -> list[str]:
    cells: list[str] = []
    escaped = False
    for part in interior.split("|"):
        if escaped:
            cells[-1] += "|" + part
        else:
            cells.append(part)
        escaped = (len(part) - len(part.rstrip("\\"))) % 2 == 1
    return cells


def clean_cell(cell: str) -> str:
    """Content of a cell: `<br>` as one space, escapes and entities decoded, no stray marks.

    Emphasis goes only where it wraps the whole cell: `**Total**` is "Total", `a * b` stays.
    """
    if "<" in cell:
        cell = _LINE_BREAK.sub(" ", cell)
    cell = cell.strip()
    if cell[:1] in _EMPHASIS_MARKS:
        cell = _without_emphasis(cell)
    if "\\" in cell:
        cell = _ESCAPED.sub(r"\1", cell)
    if "&" in cell:
        cell = html.unescape(cell)
    if not cell.isprintable():
        cell = _ODD_SPACE.sub(" ", _INVISIBLE.sub("", cell)).strip()
    return cell


def clean_text(text: str) -> str:
    """Text without invisible characters, every stretch of spaces and line breaks as one space."""
    return " ".join(_ODD_SPACE.sub(" ", _INVISIBLE.sub("", text)).split())


def escape_cell(cell: str) -> str:
    """A cell's content as it stands between bars, the inverse of `clean_cell` for bars."""
    return cell.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "<br>")


def _without_emphasis(cell: str) -> str:
    while match := _EMPHASIS.fullmatch(cell):
        if match.group(1) in match.group("inner"):
            break  # "**a** and **b**" is not one emphasised cell
        cell = match.group("inner")
    return cell
