"""RapidOCR -> the pieces of text in a picture. The one place that uses it.

Its models lie in its wheel: nothing is fetched. The engine is built once per process, when it is
first needed, and is used by one thread at a time.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from core.errors import SourceUnavailable

LEAST_CONFIDENCE = 0.3
"""Below this a reading is of specks and ornaments, not of text."""

_LONGEST_SIDE = 6_000
"""Pixels; RapidOCR shrinks larger pictures, at 2,000 unless told otherwise."""

_LOCK = threading.Lock()


@dataclass(frozen=True, slots=True)
class Segment:
    """Text in one line, with no wide gap in it, as a rule."""

    text: str
    confidence: float
    """0 to 1."""
    corners: np.ndarray
    """(4, 2) pixels: top left, top right, bottom right, bottom left as the text is read."""
    centres: np.ndarray
    """(n, 2) pixels: about the middle of each character of the text that is no blank."""


def recognise(picture: np.ndarray) -> list[Segment]:
    """Text of a picture of (height, width, 3) RGB bytes, top to bottom.

    Raises:
        SourceUnavailable: RapidOCR is not installed.
    """
    with _LOCK:
        found = _engine()(
            _to_bgr(picture),
            use_det=True,
            # Its check for lines that are upside down turns short numbers; see `count_turned`.
            use_cls=False,
            use_rec=True,
            return_word_box=True,
            return_single_char_box=True,
        )
    if found.boxes is None or found.txts is None:
        return []
    texts, scores, corners = list(found.txts), list(found.scores), np.asarray(found.boxes, float)
    # It leaves out lines for which it has no characters; then nobody knows which are left.
    characters = found.word_results if len(found.word_results) == len(texts) else [()] * len(texts)
    return [
        Segment(text.strip(), float(score), quad, _centres(text, quad, chars))
        for text, score, quad, chars in zip(texts, scores, corners, characters, strict=True)
        if text.strip() and score >= LEAST_CONFIDENCE
    ]


def count_turned(lines: Sequence[np.ndarray]) -> int:
    """How many of these pictures of one line of text each are upside down."""
    turned = 0
    for line in lines:
        with _LOCK:
            found = _engine()(_to_bgr(line), use_det=False, use_cls=True, use_rec=False)
        turned += bool(found.cls_res) and found.cls_res[0][0] == "180"
    return turned


@cache
def _engine() -> Any:
    try:
        from rapidocr import RapidOCR
    except ImportError as error:
        raise SourceUnavailable(
            f"OCR needs RapidOCR, which cannot be imported here ({error}). "
            f"Run: pip install rapidocr onnxruntime"
        ) from error
    return RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.text_score": 0.0,
            "Global.max_side_len": _LONGEST_SIDE,
            "EngineConfig.onnxruntime.intra_op_num_threads": len(os.sched_getaffinity(0))
            if hasattr(os, "sched_getaffinity")
            else os.cpu_count() or 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def _to_bgr(picture: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(picture[:, :, ::-1])


def _centres(text: str, corners: np.ndarray, characters: Sequence[Any]) -> np.ndarray:
    """Middles of the characters that are no blanks; spread evenly where they are not known."""
    printed = "".join(text.split())
    if "".join(char for char, *_ in characters) == printed and printed:
        return np.array([np.mean(box, axis=0) for *_, box in characters], float)
    at = [index for index, char in enumerate(text.strip()) if not char.isspace()]
    share = ((np.array(at) + 0.5) / len(text.strip()))[:, None]
    left, right = (corners[0] + corners[3]) / 2, (corners[1] + corners[2]) / 2
    return left + (right - left) * share
