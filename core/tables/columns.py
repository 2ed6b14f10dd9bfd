"""Text columns as Arrow arrays, for what has to touch every line of a document."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc


def as_arrow(column: pd.Series) -> pa.Array:
    """A text column as one Arrow array, without a copy where pandas holds it as Arrow already."""
    array = pa.array(column, type=pa.large_string())
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def matches(text: pa.Array, pattern: str) -> np.ndarray:
    """(n,) bool: which texts match an RE2 pattern."""
    return pc.match_substring_regex(text, pattern).to_numpy(zero_copy_only=False).copy()


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
