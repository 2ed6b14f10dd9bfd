"""MuPDF's characters -> words -> printed lines. Pure: plain dicts in, no PyMuPDF needed.

Boxes are (x0, y0, x1, y1) in points, origin top-left.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any

Box = tuple[float, float, float, float]

SAME_LINE = 0.4
"""Baselines this close, in font sizes, are one printed line: superscripts are raised by 0.36."""

LOWERED = 0.1
"""Letters this far below the baseline, in font sizes, and smaller, are a subscript."""

TOUCHING = 0.12
"""A gap below this, in font sizes, is no blank; MuPDF itself writes a blank from 0.15 on."""

_RIGHT_TO_LEFT = ("R", "AL")
_EXPONENT = re.compile(r"[+\-−–]?[^\W_]+(?:[/.,][^\W_]+)*|[+\-−–]")
_ORDINAL = re.compile(r"st|nd|rd|th")


@dataclass(frozen=True, slots=True)
class Glyph:
    """One character."""

    char: str
    box: Box
    baseline: float
    size: float


@dataclass(frozen=True, slots=True)
class Word:
    """Characters printed without a gap."""

    text: str
    box: Box
    glyphs: tuple[Glyph, ...]
    baseline: float
    size: float
    """Font size in points."""
    block: int
    line: int
    """MuPDF's block and line, numbered over the page: its idea of what belongs together."""
    upright: bool
    """Printed along x; otherwise the line runs up, down or askew."""
    confidence: float = math.nan
    """0 to 1 where the word was recognised in a picture; NaN where the document holds its text."""


def mean_confidence(words: Iterable[Word]) -> float:
    """Mean over the words that were recognised; NaN where none was."""
    given = [word.confidence for word in words if not math.isnan(word.confidence)]
    return sum(given) / len(given) if given else math.nan


def union(boxes: Iterable[Box]) -> Box:
    """Smallest box around one or more boxes."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def blocks_to_words(blocks: Sequence[dict[str, Any]]) -> list[Word]:
    """Words of a page, from the blocks of PyMuPDF's `extractRAWDICT()`, in its order."""
    words = []
    n_lines = 0
    for n_block, block in enumerate(blocks):
        for line in block.get("lines", ()):
            n_lines += 1
            upright = line["dir"][0] > 0.999
            for glyphs in _line_to_glyphs(line):
                words.append(_glyphs_to_word(glyphs, n_block, n_lines, upright))
    return words


def blocks_to_turn(blocks: Sequence[dict[str, Any]]) -> int:
    """Degrees (0, 90, 180, 270) to turn the page clockwise, so that most of its text is upright."""
    count = Counter[int]()
    for block in blocks:
        for line in block.get("lines", ()):
            x, y = (round(part) for part in line["dir"])
            turn = {(1, 0): 0, (0, -1): 90, (-1, 0): 180, (0, 1): 270}.get((x, y), 0)
            count[turn] += sum(len(span["chars"]) for span in line["spans"])
    turn, most = max(count.items(), key=lambda item: item[1], default=(0, 0))
    return turn if most * 2 > count.total() else 0


def blocks_to_size(blocks: Sequence[dict[str, Any]]) -> float:
    """Font size of half the characters or more; 0 where there are none."""
    count = Counter[float]()
    for block in blocks:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                count[span["size"]] += len(span["chars"])
    reached = 0
    for size in sorted(count):
        reached += count[size]
        if reached * 2 >= count.total():
            return size
    return 0.0


def words_to_lines(words: Sequence[Word]) -> list[list[Word]]:
    """Printed lines, top to bottom, each in reading order.

    MuPDF starts a new line at every wide gap; pieces on one baseline are joined again here.
    """
    pieces = [list(group) for _, group in groupby(words, key=lambda word: word.line)]
    if not any(word.upright for word in words):  # for text on its side MuPDF's order is better
        return sorted(pieces, key=lambda piece: piece[0].line)
    pieces.sort(key=lambda piece: (_largest(piece).baseline, piece[0].box[0]))
    lines: list[list[list[Word]]] = []
    for piece in pieces:
        if lines and _on_line(piece, lines[-1]):
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return [_in_reading_order(line) for line in lines]


def join_words(words: Sequence[Word]) -> str:
    """One line's words as text: a blank between words, none where pieces touch."""
    text = words[0].text
    for before, word in pairwise(words):
        text += _separator(before, word) + word.text
    return text


def split_word(word: Word, at: int) -> tuple[Word, Word]:
    """The word cut before its character number `at`."""
    left, right = (
        replace(
            _glyphs_to_word(part, word.block, word.line, word.upright), confidence=word.confidence
        )
        for part in (word.glyphs[:at], word.glyphs[at:])
    )
    return left, right


def gap(before: Word, word: Word) -> float:
    """Blank space between two words of a line, in points; negative where they overlap."""
    return max(before.box[0], word.box[0]) - min(before.box[2], word.box[2])


def _line_to_glyphs(line: dict[str, Any]) -> Iterator[list[Glyph]]:
    """The characters of each word of one MuPDF line."""
    glyphs: list[Glyph] = []
    for span in line["spans"]:
        size = span["size"]
        for char in span["chars"]:
            if char["c"].isspace():
                if glyphs:
                    yield glyphs
                glyphs = []
            elif unicodedata.category(char["c"]) != "Cc":
                x0, y0, x1, y1 = char["bbox"]
                glyphs.append(Glyph(char["c"], (x0, y0, x1, y1), char["origin"][1], size))
    if glyphs:
        yield glyphs


def _glyphs_to_word(glyphs: Sequence[Glyph], block: int, line: int, upright: bool) -> Word:
    base = max(glyphs, key=lambda glyph: glyph.size)
    text = _mark_superscripts(glyphs) if upright else "".join(glyph.char for glyph in glyphs)
    return Word(
        text=text,
        box=union(glyph.box for glyph in glyphs),
        glyphs=tuple(glyphs),
        baseline=base.baseline,
        size=base.size,
        block=block,
        line=line,
        upright=upright,
    )


def _mark_superscripts(glyphs: Sequence[Glyph]) -> str:
    """The word's text, with ^ before an exponent: without it 10^20 reads as 1020.

    A subscript of letters gets _ (d_model, not dmodel); one of digits stays as in CO2.
    """
    text = ""
    base = glyphs[0]
    raised = ""
    lowered = False
    for glyph in glyphs:
        if _is_raised(glyph, base):
            raised += glyph.char
            continue
        text += _superscript(text, raised)
        was_lowered, lowered = lowered, _is_lowered(glyph, base)
        starts = lowered and not was_lowered and text[-1:].isalpha() and glyph.char.isalpha()
        text += f"_{glyph.char}" if starts else glyph.char
        raised = ""
        if not lowered:
            base = glyph
    return text + _superscript(text, raised)


def _is_raised(glyph: Glyph | Word, base: Glyph | Word) -> bool:
    lift = base.baseline - glyph.baseline
    return glyph.size <= 0.9 * base.size and 0.15 * base.size <= lift <= base.size


def _is_lowered(glyph: Glyph | Word, base: Glyph | Word) -> bool:
    drop = glyph.baseline - base.baseline
    return glyph.size <= 0.9 * base.size and LOWERED * base.size <= drop <= 0.5 * base.size


def _superscript(before: str, raised: str) -> str:
    is_exponent = (
        before[-1:].isalnum()
        and _EXPONENT.fullmatch(raised)
        and not (before[-1:].isdigit() and _ORDINAL.fullmatch(raised))
    )
    return f"^{raised}" if is_exponent else raised


def _separator(before: Word, word: Word) -> str:
    if before.line == word.line or not (before.upright and word.upright):
        return " "
    size = max(before.size, word.size)
    if not -0.3 * size < gap(before, word) < TOUCHING * size:
        return " "
    if _is_raised(word, before) and _superscript(before.text, word.text) != word.text:
        return "^"
    letters = before.text[-1:].isalpha() and word.text[:1].isalpha()
    return "_" if letters and _is_lowered(word, before) else ""


def _largest(piece: Sequence[Word]) -> Word:
    return max(piece, key=lambda word: word.size)


def _on_line(piece: Sequence[Word], line: Sequence[Sequence[Word]]) -> bool:
    base = _largest([_largest(other) for other in line])
    word = _largest(piece)
    if not (base.upright and word.upright):
        return False
    if abs(base.baseline - word.baseline) > SAME_LINE * max(base.size, word.size):
        return False
    box = union(one.box for one in piece)
    others = [union(one.box for one in other) for other in line]
    # Stacked pieces, such as the two limits of an integral, share no line.
    return all(min(box[2], b[2]) - max(box[0], b[0]) < 0.3 * word.size for b in others)


def _in_reading_order(line: list[list[Word]]) -> list[Word]:
    leftward = sum(_is_right_to_left(word.text) for piece in line for word in piece)
    n_words = sum(len(piece) for piece in line)
    if leftward * 2 > n_words:
        ordered = sorted(line, key=lambda piece: -piece[0].box[2])
    else:
        ordered = sorted(line, key=lambda piece: piece[0].box[0])
    return [word for piece in ordered for word in piece]


def _is_right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in text)
