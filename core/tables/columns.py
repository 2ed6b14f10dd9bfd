"""Text columns as Arrow arrays, for what has to touch every line of a document."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import overload

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

_DASHES = r"\s*(?::?-{3,}:?)?\s*\|"
SEPARATOR = rf"^\|(?:(?:\s*:?-+:?\s*\|)+|(?:{_DASHES})*\s*:?-{{3,}}:?\s*\|(?:{_DASHES})*)$"
"""RE2 pattern of a separator row: a dash in every cell, or three in some and nothing else."""

_CHUNK = 1 << 18


def as_arrow(column: pd.Series) -> pa.Array:
    """A text column as one Arrow array, without a copy where pandas holds it as Arrow already."""
    array = pa.array(column, type=pa.large_string())
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def matches(text: pa.Array, pattern: str) -> np.ndarray:
    """(n,) bool: which texts match an RE2 pattern."""
    return pc.match_substring_regex(text, pattern).to_numpy(zero_copy_only=False).copy()


def bytes_held(text: pa.Array, marks: Sequence[bytes]) -> set[bytes]:
    """Which ASCII characters occur anywhere in an array of large strings: a look that costs next
    to nothing, before a search that costs something."""
    if not len(text):
        return set()
    offsets = np.frombuffer(text.buffers()[1], dtype=np.int64)
    start, end = int(offsets[text.offset]), int(offsets[text.offset + len(text)])
    data = memoryview(text.buffers()[2] or b"")
    found: set[bytes] = set()
    for at in range(start, end, _CHUNK):
        chunk = bytes(data[at : min(at + _CHUNK, end)])
        found.update(mark for mark in marks if mark not in found and mark in chunk)
        if len(found) == len(marks):
            break
    return found


class TextLines(Sequence[str]):
    """Texts of an Arrow array one by one, turned into Python's a stretch at a time."""

    _STRETCH = 1024

    def __init__(self, text: pa.Array) -> None:
        self._text = text
        self._stretch = lru_cache(maxsize=4)(self._read)

    def __len__(self) -> int:
        return len(self._text)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return self._text[at].to_pylist()
        return self._stretch(at // self._STRETCH)[at % self._STRETCH]

    def _read(self, number: int) -> list[str]:
        return self._text.slice(number * self._STRETCH, self._STRETCH).to_pylist()


def as_series(text: pa.Array) -> pd.Series:
    """An Arrow array of text as a pandas text column, without a copy."""
    return pd.Series(text, dtype="str")


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep the garbage collector still while a list per row is made.

    None of a million new lists is garbage, but the collector looks through all of them again
    and again as their number grows: two thirds of the time, measured.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def list_array(sizes: np.ndarray, values: pa.Array) -> pa.LargeListArray:
    """Lists of the given sizes, cut from `values` in order."""
    offsets = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    return pa.LargeListArray.from_arrays(pa.array(offsets), values)


def list_sizes(lists: pa.Array) -> np.ndarray:
    """(n,) int: length of each list."""
    return pc.list_value_length(lists).to_numpy(zero_copy_only=False)
