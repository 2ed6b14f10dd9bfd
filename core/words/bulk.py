"""Texts -> tokens: the keys of whole columns at once.

The keys are those of `text_to_keys`, text by text. Time goes into what differs: equal texts are
keyed once, plain numbers by Arrow's kernels, other texts by their distinct pieces between spaces;
only texts that mix digits and spaces, where a piece may reach over a space, are read one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.words.pieces import over_spaces
from core.words.segment import text_to_keys

_PLAIN_NUMBER = r"^[-+−–]?(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]{1,40})(?:\.[0-9]{1,20})?%?$"
"""A number the kernels can key; what `number_to_keys` reads otherwise is left to it."""
_OTHER_NUMBER = r"^[-+−–]?[1-9][0-9]{0,2}\.[0-9]{3}%?$"
"""Looks plain, but the dot groups."""
FEW = 1000
"""Distinct texts up to which reading one by one is faster than starting the kernels."""
_CHUNK = 1 << 20


Keyed: TypeAlias = tuple[np.ndarray, np.ndarray, pa.Array]
"""(m,) number of keys of each of m texts, codes of all in order, and the keys they number."""


@dataclass(frozen=True)
class Tokens:
    """The keys of n texts, as t numbers into a vocabulary."""

    codes: np.ndarray
    """(t,) int32: position of each token's key in the vocabulary."""
    texts: np.ndarray
    """(t,) int32: number of the text each token comes from, ascending."""
    vocabulary: list[str]
    """Each key once, in no order."""


def texts_to_keys(texts: Sequence[str] | pa.Array) -> Tokens:
    """The keys of many texts; of each text those of `text_to_keys`, in order.

    A null counts as an empty text.
    """
    distinct, which = _distinct(_as_array(texts))
    lengths, codes, vocabulary = _key_distinct(distinct)
    starts = np.concatenate([[0], np.cumsum(lengths)])[:-1]
    n_keys = lengths[which]
    return Tokens(
        codes=codes[_ranges(starts[which], n_keys)],
        texts=np.repeat(np.arange(len(which), dtype=np.int32), n_keys),
        vocabulary=vocabulary,
    )


def _as_array(texts: Sequence[str] | pa.Array) -> pa.Array:
    if isinstance(texts, pa.ChunkedArray):
        texts = texts.combine_chunks()
    if not isinstance(texts, pa.Array):
        try:
            texts = pa.array(texts, pa.large_string(), from_pandas=True)
        except UnicodeEncodeError:
            # Lone surrogates are no letters, and Arrow cannot hold them.
            clean = [str(text).encode("utf-8", "replace").decode() for text in texts]
            texts = pa.array(clean, pa.large_string())
    if pa.types.is_dictionary(texts.type):
        texts = texts.dictionary_decode()
    return pc.fill_null(texts.cast(pa.large_string()), "")


def _distinct(texts: pa.Array) -> tuple[pa.Array, np.ndarray]:
    encoded = texts.dictionary_encode()
    return encoded.dictionary, encoded.indices.to_numpy()


def _key_distinct(texts: pa.Array) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """(m,) number of keys of each of m texts, the codes of all in order, the vocabulary."""
    if len(texts) <= FEW:
        lengths, codes, keys = _read(texts)
        return lengths, codes, keys.to_pylist()
    reaching = pc.match_substring_regex(texts, over_spaces()).to_numpy(zero_copy_only=False)
    plain = _are_plain_numbers(texts)
    lengths, codes, keys = _by_kind(
        texts,
        [
            (plain, _number_keys),
            (reaching & ~plain, _read),
            (~reaching & ~plain, _read_split),
        ],
    )
    return lengths, codes, keys.to_pylist()


def _by_kind(
    texts: pa.Array, kinds: Sequence[tuple[np.ndarray, Callable[[pa.Array], Keyed]]]
) -> Keyed:
    """Keys of texts of which each is of one kind, (m,) bool, that has a way of its own."""
    chosen = [np.flatnonzero(mask) for mask, _ in kinds]
    parts = [read(texts.take(pa.array(at))) for at, (_, read) in zip(chosen, kinds, strict=True)]
    order = np.concatenate(chosen)
    lengths = np.concatenate([lengths for lengths, _, _ in parts])
    keys, codes = _merge(parts)
    starts = np.concatenate([[0], np.cumsum(lengths)])[:-1]
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return lengths[back], codes[_ranges(starts[back], lengths[back])], keys


def _are_plain_numbers(texts: pa.Array) -> np.ndarray:
    """(m,) bool: what `_number_keys` can key."""
    plain = pc.and_(
        pc.match_substring_regex(texts, _PLAIN_NUMBER),
        pc.invert(pc.match_substring_regex(texts, _OTHER_NUMBER)),
    )
    return np.asarray(plain.to_numpy(zero_copy_only=False))


def _number_keys(texts: pa.Array) -> Keyed:
    percent = pc.ends_with(texts, "%").to_numpy(zero_copy_only=False)
    bare = pc.utf8_trim(texts, "-+−–%")
    bare = pc.replace_substring(bare, ",", "")
    decimal = pc.match_substring(bare, ".")
    bare = pc.if_else(decimal, pc.utf8_rtrim(pc.utf8_rtrim(bare, "0"), "."), bare)
    lengths = np.where(percent, 2, 1)
    codes = np.full(int(lengths.sum()), len(bare), dtype=np.int32)
    codes[np.cumsum(lengths) - lengths] = np.arange(len(bare), dtype=np.int32)
    return lengths, codes, pa.concat_arrays([bare, pa.array(["%"], pa.large_string())])


def _read(texts: pa.Array) -> Keyed:
    return _gather(
        text_to_keys(text)
        for at in range(0, len(texts), _CHUNK)
        for text in texts.slice(at, _CHUNK).to_pylist()
    )


def _read_split(texts: pa.Array) -> Keyed:
    """Keys by the distinct stretches between spaces: "1,250.00 EUR" holds a plain number."""
    words = pc.utf8_split_whitespace(texts)
    n_words = pc.list_value_length(words).to_numpy(zero_copy_only=False).astype(np.int64)
    distinct, which = _distinct(words.flatten())
    lengths, codes, keys = _read(distinct) if len(distinct) <= FEW else _read_words(distinct)
    starts = np.concatenate([[0], np.cumsum(lengths)])[:-1]
    n_keys = lengths[which]
    ends = np.concatenate([[0], np.cumsum(n_keys)])
    last = np.cumsum(n_words)
    return ends[last] - ends[last - n_words], codes[_ranges(starts[which], n_keys)], keys


def _read_words(words: pa.Array) -> Keyed:
    plain = _are_plain_numbers(words)
    return _by_kind(words, [(plain, _number_keys), (~plain, _read)])


def _gather(keyed: Iterable[list[str]]) -> Keyed:
    codes: dict[str, int] = {}
    numbers: list[int] = []
    lengths: list[int] = []
    for keys in keyed:
        lengths.append(len(keys))
        numbers += [codes.setdefault(key, len(codes)) for key in keys]
    keys = pa.array(list(codes), pa.large_string())
    return np.array(lengths, dtype=np.int64), np.array(numbers, dtype=np.int32), keys


def _merge(parts: Sequence[Keyed]) -> tuple[pa.Array, np.ndarray]:
    """One vocabulary for all parts, and their codes into it, one after the other."""
    keys = pa.concat_arrays([keys for _, _, keys in parts]).dictionary_encode()
    shifts = np.cumsum([0, *(len(keys) for _, _, keys in parts)])
    numbers = keys.indices.to_numpy()
    codes = [numbers[codes + shift] for (_, codes, _), shift in zip(parts, shifts, strict=False)]
    return keys.dictionary, np.concatenate(codes)


def _ranges(starts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """start, start + 1 ... of each range, one after the other."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(starts - (ends - lengths), lengths) + np.arange(total)
