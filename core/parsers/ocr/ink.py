"""Recognised pieces of text and the ink of the picture -> words with tight boxes. Pure.

The recogniser's boxes are wider than the print by a share of its height, and it knows where a
character is by a few pixels only. The ink in them says the rest: where words start and end, and
how large the print is.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from core.parsers.ocr.engine import Segment
from core.parsers.pymupdf.words import Glyph, Word, union

WIDE_GAP = 0.8
"""No ink over this many font sizes parts words, even where the text has no blank."""

_DARK = 0.45
"""Ink differs from the paper by at least this share of what the darkest pixels do."""

_RULE = 0.9
"""A row or column of pixels with this share of ink is a rule, not print."""

_TALL = frozenset("bdfhijklt")
_DEEP = frozenset("gjpqyQ,;()[]{}|/$§")
_ASCENT, _X_HEIGHT, _DESCENT = 0.72, 0.52, 0.21
"""How far print reaches above and below its baseline, in font sizes."""


@dataclass(frozen=True, slots=True)
class Ink:
    """Where the ink of one line lies, in pixels of the whole picture."""

    top: float
    bottom: float
    columns: np.ndarray
    """For each pixel column from `left` on, whether there is ink."""
    left: int


def segment_to_words(segment: Segment, grey: np.ndarray, scale: float, number: int) -> list[Word]:
    """Words of a piece of text that lies level in a picture of (height, width) grey bytes.

    Boxes are in points, `scale` of them a pixel; `number` is what block and line are called.
    """
    ink = find_ink(segment.corners, grey)
    size, baseline = _size_and_baseline(segment.text, ink)
    chars = [char for char in segment.text if not char.isspace()]
    x = np.maximum.accumulate(np.clip(segment.centres[:, 0], ink.left, _right(ink)))
    words = []
    for start, end, left, right in _cuts(segment.text, x, ink, size):
        inner = [(a + b) / 2 for a, b in pairwise(x[start:end])]
        edges = [left, *(min(max(edge, left), right) for edge in inner), right]
        glyphs = tuple(
            Glyph(
                char,
                (x0 * scale, ink.top * scale, x1 * scale, ink.bottom * scale),
                baseline * scale,
                size * scale,
            )
            for char, (x0, x1) in zip(chars[start:end], pairwise(edges), strict=True)
        )
        words.append(
            Word(
                text="".join(chars[start:end]),
                box=union(glyph.box for glyph in glyphs),
                glyphs=glyphs,
                baseline=baseline * scale,
                size=size * scale,
                block=number,
                line=number,
                upright=True,
                confidence=segment.confidence,
            )
        )
    return words


def find_ink(corners: np.ndarray, grey: np.ndarray) -> Ink:
    """The print inside a box, without rules at its edges; the box, less a margin, if none."""
    height, width = grey.shape
    x0, y0 = np.clip(np.floor(corners.min(axis=0)), 0, (width - 1, height - 1)).astype(int)
    x1, y1 = np.clip(np.ceil(corners.max(axis=0)), (x0 + 1, y0 + 1), (width, height)).astype(int)
    crop = grey[y0:y1, x0:x1].astype(np.int16)
    contrast = np.abs(crop - np.median(crop))
    ink: np.ndarray = np.asarray(contrast > max(_DARK * float(np.percentile(contrast, 99)), 24.0))
    ink[:, ink.mean(axis=0) > _RULE] = False
    ink[ink.mean(axis=1) > _RULE] = False
    top, bottom = _band(ink.sum(axis=1))
    columns: np.ndarray = np.asarray(ink[top:bottom].any(axis=0))
    if not columns.any():
        margin = 0.2 * (y1 - y0)
        return Ink(y0 + margin, y1 - margin, np.ones(x1 - x0, bool), int(x0))
    first, last = np.flatnonzero(columns)[[0, -1]]
    return Ink(float(y0 + top), float(y0 + bottom), columns[first : last + 1], int(x0 + first))


def _band(inked: np.ndarray) -> tuple[int, int]:
    """Rows of pixels around the fullest one of the middle that have ink."""
    quarter = len(inked) // 4
    middle = quarter + int(np.argmax(inked[quarter : len(inked) - quarter]))
    blank = np.flatnonzero(inked == 0)
    above, below = blank[blank < middle], blank[blank > middle]
    top = int(above[-1]) + 1 if above.size else 0
    return top, int(below[0]) if below.size else len(inked)


def _size_and_baseline(text: str, ink: Ink) -> tuple[float, float]:
    """Font size and baseline, from the height of the ink and the shapes of the letters."""
    tall = any(char.isupper() or char.isdigit() or char in _TALL for char in text)
    wide = any(ord(char) > 0x2E7F for char in text)  # Chinese and the like fill their square
    ascent = 0.88 if wide else _ASCENT if tall or not text.islower() else _X_HEIGHT
    descent = 0.12 if wide else _DESCENT if any(char in _DEEP for char in text) else 0.0
    size = (ink.bottom - ink.top) / (ascent + descent)
    return size, ink.bottom - descent * size


def _right(ink: Ink) -> float:
    return float(ink.left + len(ink.columns))


def _cuts(text: str, x: np.ndarray, ink: Ink, size: float) -> list[tuple[int, int, float, float]]:
    """For each word its first and last character and its edges: (start, end, left, right)."""
    gaps = _gaps(ink)
    lengths = np.cumsum([len(word) for word in text.split()])[:-1]
    cuts = {int(at): _gap_between(gaps, float(x[at - 1]), float(x[at])) for at in lengths}
    for gap in gaps:
        at = int(np.searchsorted(x, (gap[0] + gap[1]) / 2))
        if gap[1] - gap[0] >= WIDE_GAP * size and 0 < at < len(x):
            # The wide gap wins over a blank that seems to lie one character beside it.
            for near in (at - 1, at + 1):
                if near in cuts and cuts[near] == gap:
                    at = near
            cuts[at] = gap
    order = sorted(cuts)
    starts, ends = [0, *order], [*order, len(x)]
    lefts = [float(ink.left), *(cuts[at][1] for at in order)]
    rights = [*(cuts[at][0] for at in order), _right(ink)]
    return [
        (start, end, left, max(left, right))
        for start, end, left, right in zip(starts, ends, lefts, rights, strict=True)
    ]


def _gaps(ink: Ink) -> list[tuple[float, float]]:
    """Runs of columns without ink."""
    steps = np.flatnonzero(np.diff(ink.columns.astype(np.int8)))
    return [
        (float(ink.left + start + 1), float(ink.left + end + 1))
        for start, end in zip(steps[::2], steps[1::2], strict=True)
    ]


def _gap_between(
    gaps: list[tuple[float, float]], before: float, after: float
) -> tuple[float, float]:
    """The widest gap that lies, by its middle, between two characters; else their middle."""
    inside = [gap for gap in gaps if before <= (gap[0] + gap[1]) / 2 <= after]
    middle = (before + after) / 2
    return max(inside, key=lambda gap: gap[1] - gap[0], default=(middle, middle))
