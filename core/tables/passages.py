"""Stretches of lines whose pipe rows are no tables: fenced code, and text within pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.tables.columns import matches

_FENCE = r"^(?:`{3,}|~{3,})"
_FENCE_PARTS = re.compile(r"(?P<mark>`{3,}|~{3,})\s*(?P<info>[^`]*)$")
_OF_TEXT = {"markdown", "md", "html", "table", "text/markdown"}
"""Languages of a fence that holds the document's own text, as language models write pages."""

_PICTURE = r"(?i)^[^\pL]*(?:start|end) of picture text\b"
_END = re.compile(r"^\W*end\b", re.IGNORECASE)


def untabled_lines(text: pa.Array, page_num: np.ndarray) -> np.ndarray | None:
    """(n,) bool: lines inside a code fence or inside the text of a picture; None if there are none.

    What is opened must be closed on the same page or the next, or else it hides nothing.
    """
    fences = pc.or_(pc.starts_with(text, "```"), pc.starts_with(text, "~~~"))
    spans = [*_fenced(text, page_num, np.flatnonzero(fences.to_numpy(zero_copy_only=False)))]
    marked = pc.or_(pc.starts_with(text, "<!--"), pc.starts_with(text, "**-"))
    marks = np.flatnonzero(marked.to_numpy(zero_copy_only=False))
    spans += _pictures(text, page_num, marks)
    if not spans:
        return None
    inside = np.zeros(len(text), dtype=bool)
    for start, end in spans:
        inside[start : end + 1] = True
    return inside


def _fenced(text: pa.Array, page_num: np.ndarray, at: np.ndarray) -> Iterable[tuple[int, int]]:
    """First and last line of every closed fence of code."""
    opened: tuple[int, str, str] | None = None
    for line, content in zip(at.tolist(), text.take(pa.array(at)).to_pylist(), strict=True):
        parts = _FENCE_PARTS.match(content)
        if parts is None:
            continue
        mark, info = parts["mark"], parts["info"].strip().casefold()
        if opened is not None and page_num[line] - page_num[opened[0]] > 1:
            opened = None
        if opened is None:
            opened = (line, mark, info)
        elif not info and mark.startswith(opened[1]):
            if opened[2] not in _OF_TEXT:
                yield opened[0], line
            opened = None


def _pictures(text: pa.Array, page_num: np.ndarray, at: np.ndarray) -> Iterable[tuple[int, int]]:
    """First and last line of every stretch between the two marks of a picture's text."""
    at = at[matches(text.take(pa.array(at)), _PICTURE)]
    opened: int | None = None
    for line, content in zip(at.tolist(), text.take(pa.array(at)).to_pylist(), strict=True):
        if not _END.match(content):
            opened = line
        elif opened is not None and page_num[line] - page_num[opened] <= 1:
            yield opened, line
            opened = None
