"""The words that speak for a table as a whole: its labels, its caption, what stands above it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.words import texts_to_keys

LABEL, CAPTION, ABOVE = 0.8, 1.0, 0.7
"""What a hit says for a table: on a column label, on its caption, on a line above it."""

# "Table 1" must not answer to every question with a table, or a 1, in it.
_LABELLED = re.compile(
    r"(?i)^\s*(?:table|tab\.?|tabelle|tableau|tabla|tabella|exhibit|schedule|表)\s*[\w.\-–]*[.:]?\s"
)
_REACH = 3
"""Lines above a table that introduce it: its section's heading, a title, a lead-in."""
_LONGEST = 200
"""Characters from which a line above a table is prose about something else as well."""


class TableTexts:
    """Keys of the m tables of a row_df, looked up by question terms.

    The lines above a table are taken from line_df, where it holds the table's page.
    """

    def __init__(self, line_df: pd.DataFrame, row_df: pd.DataFrame) -> None:
        first = row_df.drop_duplicates("table_id")
        self.n_tables = len(first)
        headers = [_texts(labels) for labels in first["column_headers"]]
        self.captions = [_LABELLED.sub("", str(caption)) for caption in first["caption"]]
        self.above = _lines_above(line_df, first)
        self.texts = [
            "\n".join(parts) for parts in zip(self.captions, self.above, headers, strict=True)
        ]
        self._labels = _Weighted(headers, LABEL)
        # "2019" in a caption names the table's year; a lone 1 is a footnote's mark.
        self._captions = _Weighted(self.captions, CAPTION, numbers=False)
        self._above = _Weighted(self.above, ABOVE, numbers=False)

    @property
    def keys(self) -> set[str]:
        """Every key that occurs."""
        return {*self._labels.keys, *self._captions.keys, *self._above.keys}

    def abbreviations(self, word: str) -> list[str]:
        """Keys of labels that shorten a word: "yds" and "pct" for "yards" and "percentage"."""
        return [
            key
            for key in self._labels.keys
            if 3 <= len(key) <= _SHORT < len(word) and _shortens(key, word)
        ]

    def labels(self, key: str) -> np.ndarray:
        """(m,) float: LABEL where a column label holds the key, else 0."""
        return self._labels.weights(key, self.n_tables)

    def titles(self, key: str, *, use_toc: bool = True) -> np.ndarray:
        """(m,) float: weight of the key in captions and, with `use_toc`, in the lines above."""
        found = self._captions.weights(key, self.n_tables)
        if use_toc:
            found = np.maximum(found, self._above.weights(key, self.n_tables))
        return found


_SHORT = 4
"""Letters of an abbreviated label at most, and three at least."""
_VOWELS = frozenset("aeiouy")


def _shortens(key: str, word: str) -> bool:
    """Whether the key is how the word begins, or its consonants in their order from the first
    letter on."""
    if word.startswith(key):
        return True
    letters = iter(word)
    return (
        key[0] == word[0]
        and _VOWELS.isdisjoint(key[1:])
        and all(letter in letters for letter in key)
    )


class _Weighted:
    """key -> the tables whose text holds it, all at one weight."""

    def __init__(self, texts: Sequence[str], weight: float, *, numbers: bool = True) -> None:
        self._weight = weight
        tables: defaultdict[int, list[int]] = defaultdict(list)
        tokens = texts_to_keys(texts)
        for code, table in zip(tokens.codes.tolist(), tokens.texts.tolist(), strict=True):
            tables[code].append(table)
        self._tables = {
            key: tables[code]
            for code, key in enumerate(tokens.vocabulary)
            if numbers or not key.isdigit() or len(key) > 2
        }

    @property
    def keys(self) -> set[str]:
        return set(self._tables)

    def weights(self, key: str, n_tables: int) -> np.ndarray:
        found = np.zeros(n_tables)
        found[self._tables.get(key, [])] = self._weight
        return found


def _texts(labels: Sequence[str]) -> str:
    return "\n".join(labels)


def _lines_above(line_df: pd.DataFrame, first: pd.DataFrame) -> list[str]:
    """The short lines right above each table, on its page, that belong to no table."""
    page, line = line_df["page_num"].to_numpy(), line_df["line_num"].to_numpy()
    text = line_df["text"].str.strip()
    in_table = (text.str.startswith("|") & text.str.endswith("|")).to_numpy(dtype=bool)
    starts = pd.MultiIndex.from_arrays([page, line]).get_indexer(
        pd.MultiIndex.from_frame(first[["page_num", "line_num"]])
    )
    above = []
    for start in starts.tolist():
        at = start
        found: list[str] = []
        while at > 0 and in_table[at - 1] and page[at - 1] == page[start]:
            at -= 1
        while at > 0 and len(found) < _REACH and page[at - 1] == page[start]:
            at -= 1
            if in_table[at]:
                break
            if text.iloc[at]:
                found.append(text.iloc[at])
        above.append(
            " ".join(_LABELLED.sub("", line) for line in reversed(found) if len(line) <= _LONGEST)
        )
    return above if len(above) == len(first) else [""] * len(first)
