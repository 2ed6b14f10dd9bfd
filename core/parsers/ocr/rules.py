"""The picture of a page -> the rules drawn on it: long straight runs of dark pixels."""

from __future__ import annotations

import numpy as np

from core.parsers.pymupdf.rules import THIN, Rule, Rules, join_rules

SHORTEST = 18.0
"""A run shorter than this many points is a stroke of a letter, or a dash."""


def picture_to_rules(picture: np.ndarray, scale: float) -> Rules:
    """Rules of a level picture of (height, width, 3) RGB bytes, `scale` points a pixel."""
    import cv2

    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    around = max(15, int(12 / scale) | 1)  # a dozen points
    dark = cv2.adaptiveThreshold(
        grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, around, 18
    )
    length = max(3, int(SHORTEST / scale))
    across = [
        Rule((y0 + y1) / 2 * scale, x0 * scale, x1 * scale)
        for x0, y0, x1, y1 in _runs(dark, (length, 1))
        if (y1 - y0) * scale <= THIN
    ]
    down = [
        Rule((x0 + x1) / 2 * scale, y0 * scale, y1 * scale)
        for x0, y0, x1, y1 in _runs(dark, (1, length))
        if (x1 - x0) * scale <= THIN
    ]
    return Rules(join_rules(across), join_rules(down))


def _runs(dark: np.ndarray, shape: tuple[int, int]) -> list[tuple[int, int, int, int]]:
    """Boxes (x0, y0, x1, y1) in pixels of what a line of that shape fits into."""
    import cv2

    # Made wider across the run first, so that one that steps aside by a pixel stays whole.
    thick = (1, 3) if shape[1] == 1 else (3, 1)
    spread = cv2.dilate(dark, np.ones(thick[::-1], np.uint8))
    opened = cv2.morphologyEx(spread, cv2.MORPH_OPEN, np.ones(shape[::-1], np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(cv2.bitwise_and(opened, dark))
    return [(x, y, x + width, y + height) for x, y, width, height, _ in stats[1:].tolist()]
