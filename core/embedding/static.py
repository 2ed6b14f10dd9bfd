"""wordllama's table of word pieces: one vector each, a text is their mean. Offline, no network.

The pooling is our own, the tokenizer and the table are wordllama's; the vectors are those of its
`embed(norm=True)`. Its own way tokenizes whole texts and pads them, 30,000 short texts a second.
Here a word is tokenized once and remembered, and one sparse product adds up the pieces. This may be
done by words since no piece of the table crosses the start of a word.

The table was trained on English. It tells little between words of other languages, nothing
across languages, and reads THEFT and theft as different; `WordVectors` mends the case.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.embedding.base import ModelError, encodable, in_batches, unit_rows

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MODEL, DIMENSION = "l2_supercat", 256
NAME = f"wordllama:{MODEL}_{DIMENSION}"

TEXTS, CHARACTERS = 8192, 1_000_000
"""Most texts, and characters, that are pooled at a time: some 100 MB of work space."""
LONGEST = 10_000
"""Characters of a text that are read. The mean of more says nothing, and takes time."""
REMEMBERED, REMEMBERED_LENGTH = 100_000, 64
"""Words whose pieces are kept, and the longest that is: at most some 40 MB."""

_START = "▁"
"""How the pieces write the space before a word."""
_WORD = re.compile(f"{_START}+[^{_START}]*")
_BYTE = re.compile(r"<0x[0-9A-F]{2}>")
_IDEOGRAPH = re.compile("[㐀-䶿一-鿿豈-﫿]")


class PieceTable:
    """The pieces of words, their vectors, and which of them carry a meaning. Thread-safe."""

    def __init__(self, tokenizer: Tokenizer, vectors: np.ndarray) -> None:
        """The tokenizer becomes the table's own; vectors: float32 (number of pieces, dimension)."""
        tokenizer.encode_special_tokens = True  # text that looks like a control piece is text
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        end = tokenizer.token_to_id(_START)
        self._end = () if end is None else (end,)
        self._remembered = lru_cache(maxsize=REMEMBERED)(self._encoded)
        self.vectors = vectors
        special = {token.content for token in tokenizer.get_added_tokens_decoder().values()}
        pieces = [tokenizer.id_to_token(number) or "" for number in range(len(vectors))]
        self.letters = np.array(
            [
                0 if piece in special or _BYTE.fullmatch(piece) else count_letters(piece)
                for piece in pieces
            ]
        )
        """Letters and digits of each piece; none of control pieces and single bytes."""
        ideographs = np.array([bool(_IDEOGRAPH.search(piece)) for piece in pieces])
        self.joined_letters = np.where((self.letters > 1) | ideographs, self.letters, 0)
        """The same without pieces that are one letter, by which a word is only spelled."""

    def pieces_of(self, text: str) -> list[int]:
        """Numbers of the pieces of a text, in order."""
        words = text_to_words(text[:LONGEST])
        encode = self._remembered if max(map(len, words)) <= REMEMBERED_LENGTH else self._encoded
        return list(chain.from_iterable(map(encode, words)))

    def sums(self, pieces: Pieces) -> np.ndarray:
        """Sum of the vectors of each text's pieces: float32 (number of texts, dimension)."""
        from scipy.sparse import csr_array  # type: ignore[import-untyped]

        ones = np.ones(len(pieces.numbers), np.float32)
        shape = (len(pieces.bounds) - 1, len(self.vectors))
        return csr_array((ones, pieces.numbers, pieces.bounds), shape=shape) @ self.vectors

    def _encoded(self, word: str) -> tuple[int, ...]:
        if not word:  # a space that ends a text; the tokenizer says nothing of an empty one
            return self._end
        # One word at a time the tokenizer starts no threads, so that it has nothing to warn of
        # when a process forks.
        return tuple(self._tokenizer.encode(encodable(word), add_special_tokens=False).ids)


@dataclass(frozen=True)
class Pieces:
    """Pieces of several texts, one after the other."""

    numbers: np.ndarray
    """Numbers of the pieces, int32."""
    bounds: np.ndarray
    """Where each text begins, and where the last ends: one more than there are texts."""

    @classmethod
    def of(cls, texts: Sequence[list[int]]) -> Pieces:
        bounds = np.cumsum([0, *map(len, texts)])
        return cls(np.fromiter(chain.from_iterable(texts), np.int32, bounds[-1]), bounds)

    def totals(self, values: np.ndarray) -> np.ndarray:
        """Sum of a value of each piece by text."""
        running = np.concatenate([[0], np.cumsum(values[self.numbers])])
        return running[self.bounds[1:]] - running[self.bounds[:-1]]


class StaticEmbedder:
    """Texts by the mean of their pieces' vectors; the offline default."""

    name = NAME

    def __init__(self, table: PieceTable) -> None:
        self._table = table

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """See `core.embedding.Embedder`; zeros for texts without a letter or digit it knows.

        A text takes 1 kB.
        """
        vectors = np.zeros((len(texts), DIMENSION), np.float32)
        start = 0
        for batch in in_batches(texts, TEXTS, CHARACTERS):
            pieces = Pieces.of([self._table.pieces_of(text) for text in batch])
            sums = self._table.sums(pieces)
            sums[pieces.totals(self._table.letters) == 0] = 0
            vectors[start : start + len(batch)] = unit_rows(sums)
            start += len(batch)
        return vectors


class WordVectors:
    """Single words by the same table, for matching them softly."""

    name = NAME

    def __init__(self, table: PieceTable) -> None:
        self._table = table

    def words(self, words: Sequence[str]) -> np.ndarray:
        """A float32 array (number of words, dimension), its rows of unit length, or of zeros.

        Case does not count: of vehicle, Vehicle and the spelling as given, the one of fewest
        pieces is read, because that one the table knows best. Zeros for a word that it can only
        spell, half its letters or more one by one, and so for numbers: they would be near to
        every other number of the same digits.
        """
        vectors = np.zeros((len(words), DIMENSION), np.float32)
        start = 0
        for batch in in_batches(words, TEXTS, CHARACTERS):
            pieces = Pieces.of([self._best_pieces(word) for word in batch])
            sums = self._table.sums(pieces)
            letters = np.array([count_letters(word[:LONGEST]) for word in batch])
            sums[2 * pieces.totals(self._table.joined_letters) <= letters] = 0
            vectors[start : start + len(batch)] = unit_rows(sums)
            start += len(batch)
        return vectors

    def _best_pieces(self, word: str) -> list[int]:
        small = word.casefold()
        spellings = dict.fromkeys((small, small.capitalize(), word))
        return min((self._table.pieces_of(spelling) for spelling in spellings), key=len)


def text_to_words(text: str) -> list[str]:
    """Words of a text, whose pieces one after the other are those of the text; at least one.

    The tokenizer marks the start of a word by _START, in place of the space before it. Of several
    spaces, all but the first belong to the word, which is why they are not simply split off.
    """
    words = text.split(" ")
    if "" in words or _START in text:
        marked = _START + text.replace(" ", _START)
        words = [word[1:].replace(_START, " ") for word in _WORD.findall(marked)]
    return words


def count_letters(text: str) -> int:
    """Letters and digits of a text."""
    return sum(map(str.isalnum, text))


def load_table() -> PieceTable:
    """wordllama's table from its own wheel; nothing is downloaded.

    Raises:
        ModelError: wordllama is not installed, or came without its table.
    """
    # wordllama sets up logging for the whole program, unless it is set up already.
    root, silent = logging.getLogger(), logging.NullHandler()
    root.addHandler(silent)
    try:
        import wordllama  # type: ignore[import-untyped]

        folder = Path(wordllama.__file__).parent
        model = wordllama.WordLlama.load(
            MODEL, cache_dir=folder, dim=DIMENSION, disable_download=True
        )
    except ImportError:
        raise ModelError(
            "The offline embedder needs wordllama, which is not installed. Install it: "
            "pip install wordllama==0.4.0.post1."
        ) from None
    except (OSError, ValueError) as error:
        raise ModelError(
            f"wordllama came without its table ({type(error).__name__}). Install it again: "
            "pip install --force-reinstall wordllama==0.4.0.post1."
        ) from error
    finally:
        root.removeHandler(silent)
    return PieceTable(model.tokenizer, model.embedding)
