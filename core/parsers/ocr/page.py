"""A picture of a page -> its text, with the picture turned so that the text runs level."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.parsers.ocr.engine import Segment, count_turned, recognise
from core.parsers.ocr.ink import segment_to_words
from core.parsers.pymupdf.words import Word

LEVEL = 0.1
"""Text that slopes by fewer degrees is level."""

SURE = 0.85
"""Text that is the right way up is recognised at least this well, unless the scan is poor."""

_WIDTH_TO_LEVEL = 1_200
"""Pixels: a picture this large is enough to see whether it is level."""
_OFF, _STEP = 0.8, 0.05
"""Degrees: how far the boxes of text may be off, and how fine to look."""

_VOTERS = 9
"""Lines that are asked whether the page is upside down: the longest ones."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What is read in a picture."""

    picture: np.ndarray
    """(height, width, 3) RGB bytes: turned clockwise by `turn`, then made level."""
    segments: list[Segment]
    """In pixels of `picture`."""
    turn: int
    """0, 90, 180 or 270 degrees."""
    slope: float
    """Degrees by which the lines of the turned picture ran down to the right."""


def read_picture(picture: np.ndarray) -> Reading:
    """Recognise the text of a picture, whichever way up it is."""
    as_it_is = recognise(picture)
    turn = find_turn(picture, as_it_is)
    segments = recognise(_turned(picture, turn)) if turn else as_it_is
    if segments and mean_confidence(segments) < SURE:
        # On a poor scan those asked may err. Text that is upside down reads far worse.
        other_turn = (turn + 180) % 360
        other = recognise(_turned(picture, other_turn)) if other_turn else as_it_is
        if mean_confidence(other) > mean_confidence(segments):
            turn, segments = other_turn, other
    picture = _turned(picture, turn)
    slope = refine_slope(picture, find_slope(segments))
    if slope:
        picture, segments = _made_level(picture, segments, slope)
    return Reading(picture, segments, turn, slope)


def reading_to_words(reading: Reading, width: float) -> list[Word]:
    """Words of the level page, in units of which it is `width` wide."""
    scale = width / reading.picture.shape[1]
    grey = reading.picture.mean(axis=2).astype(np.uint8)
    return [
        word
        for number, segment in enumerate(reading.segments)
        for word in segment_to_words(segment, grey, scale, number)
    ]


def mean_confidence(segments: Sequence[Segment]) -> float:
    """Mean over the characters, 0 to 1; 0 where there are none."""
    n_characters = sum(len(segment.text) for segment in segments)
    weighted = sum(segment.confidence * len(segment.text) for segment in segments)
    return weighted / max(n_characters, 1)


def find_turn(picture: np.ndarray, segments: Sequence[Segment]) -> int:
    """Degrees to turn the picture clockwise, so that most of its text is upright."""
    spans = [np.ptp(segment.corners, axis=0) for segment in segments]
    long = sorted(zip(spans, segments, strict=True), key=lambda pair: -max(pair[0]))
    sideways = sum(max(span) * (1 if span[1] > span[0] else -1) for span, _ in long) > 0
    lines = [
        _cut_out(picture, segment.corners, sideways)
        for span, segment in long
        if (span[1] > span[0]) == sideways
    ][:_VOTERS]
    upside_down = count_turned(lines) * 2 > len(lines)
    return (270 if upside_down else 90) if sideways else 180 if upside_down else 0


def find_slope(segments: Sequence[Segment]) -> float:
    """Degrees by which lines run down to the right: what half the length of print is below."""
    slopes, lengths = [], []
    for segment in segments:
        along = (
            segment.corners[1] + segment.corners[2] - segment.corners[0] - segment.corners[3]
        ) / 2
        length = float(np.hypot(*along))
        height = float(np.hypot(*(segment.corners[3] - segment.corners[0])))
        if length > 2.5 * height:
            slopes.append(math.degrees(math.atan2(along[1], along[0])))
            lengths.append(length)
    if not slopes:
        return 0.0
    order = np.argsort(slopes)
    reached = np.cumsum(np.array(lengths)[order])
    return float(np.array(slopes)[order][np.searchsorted(reached, reached[-1] / 2)])


def refine_slope(picture: np.ndarray, about: float) -> float:
    """The slope near `about` at which rows of pixels differ most: lines of print, then blanks.

    Boxes of short pieces of text say it to half a degree only. 0 where the picture is level.
    """
    import cv2

    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    shrink = min(1.0, _WIDTH_TO_LEVEL / max(grey.shape))
    small = cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    ink = np.maximum(np.median(small) - small.astype(np.float32), 0)
    height, width = ink.shape

    def contrast(slope: float) -> float:
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), slope, 1.0)
        rows = cv2.warpAffine(ink, matrix, (width, height)).sum(axis=1)
        return float(np.square(np.diff(rows)).sum())

    near = about + np.arange(-_OFF, _OFF + _STEP / 2, _STEP)
    slope = max([0.0, *near.tolist()], key=contrast)
    return slope if abs(slope) >= LEVEL else 0.0


def turn_points(points: np.ndarray, degrees: float, centre: tuple[float, float]) -> np.ndarray:
    """Points (n, 2), y downwards, turned clockwise about a centre."""
    angle = math.radians(degrees)
    cos, sin = math.cos(angle), math.sin(angle)
    return (points - centre) @ np.array([[cos, sin], [-sin, cos]]) + centre


def _cut_out(picture: np.ndarray, corners: np.ndarray, sideways: bool) -> np.ndarray:
    x0, y0 = np.maximum(np.floor(corners.min(axis=0)), 0).astype(int)
    x1, y1 = np.ceil(corners.max(axis=0)).astype(int)
    line = picture[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)]
    return _turned(line, 90) if sideways else line


def _turned(picture: np.ndarray, turn: int) -> np.ndarray:
    return np.ascontiguousarray(np.rot90(picture, -(turn // 90)))


def _made_level(
    picture: np.ndarray, segments: Sequence[Segment], slope: float
) -> tuple[np.ndarray, list[Segment]]:
    import cv2

    height, width = picture.shape[:2]
    centre = (width / 2, height / 2)
    matrix = cv2.getRotationMatrix2D(centre, slope, 1.0)
    level = cv2.warpAffine(
        picture, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(level), [
        replace(
            segment,
            corners=turn_points(segment.corners, -slope, centre),
            centres=turn_points(segment.centres, -slope, centre),
        )
        for segment in segments
    ]
