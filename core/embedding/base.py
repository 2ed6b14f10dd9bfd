"""What an embedder is, and what all of them share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np

from core.errors import RowlensError


class ModelError(RowlensError):
    """A model that was set up cannot be used: its library, files or service; says what to do."""


class Embedder(Protocol):
    """Turns texts into vectors whose inner product says how near two meanings are."""

    @property
    def name(self) -> str:
        """As the app shows it; two embedders of one name give the same vectors."""

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """A float32 array (number of texts, dimension), its rows of unit length.

        A text in which the model knows nothing is a row of zeros; no texts give (0, dimension).

        Raises:
            ModelError: the model cannot be used.
        """


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    """The rows at unit length, in float32; rows of zeros stay as they are."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32, copy=False)


def embed_said(
    texts: Sequence[str], dimension: int, embed: Callable[[list[str]], np.ndarray]
) -> np.ndarray:
    """Vectors of all texts, though `embed` sees each once and none that says nothing.

    Models give blank texts a meaning of their own, and services refuse them.
    """
    said = {text: None for text in texts if text.strip()}
    vectors = embed(list(said)) if said else np.zeros((0, dimension), np.float32)
    places = {text: place for place, text in enumerate(said)}
    with_zeros = np.vstack([vectors, np.zeros((1, vectors.shape[1]), np.float32)])
    return with_zeros[[places.get(text, len(said)) for text in texts]]


def in_batches(texts: Sequence[str], most: int, characters: int) -> Iterator[Sequence[str]]:
    """The texts in order, in runs of at most `most` texts and that many characters in all.

    A text longer than that is a run of its own.
    """
    start = total = 0
    for place, text in enumerate(texts):
        if place > start and (place - start == most or total + len(text) > characters):
            yield texts[start:place]
            start, total = place, 0
        total += len(text)
    if start < len(texts):
        yield texts[start:]


def encodable(text: str) -> str:
    """The text without lone surrogates, which no tokenizer and no request can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")
