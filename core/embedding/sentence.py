"""A sentence-transformers model on this machine. It is read from disk; nothing is downloaded."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from core.embedding.base import ModelError, embed_said, encodable, unit_rows

LONGEST = 20_000
"""Characters of a text that are handed over. Models read a few hundred words and drop the rest."""


class SentenceEmbedder:
    """Texts by a sentence-transformers model, questions and rows alike.

    A model that wants different words before questions and documents gets its default prompt.
    """

    def __init__(self, model: str) -> None:
        """`model` is a folder, or the name of a model in Hugging Face's cache.

        Raises:
            ModelError: the library is missing, or no such model is on this machine.
        """
        self.name = f"sentence-transformers:{model}"
        self._model = _load(model)
        # Tokenizers are set up anew by each call, and two calls at once would disturb each other.
        self._lock = threading.Lock()
        self._dimension = self._encode(["dimension"]).shape[1]

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """See `core.embedding.Embedder`; blank texts are zero."""
        return embed_said(texts, self._dimension, self._encode)

    def _encode(self, texts: list[str]) -> np.ndarray:
        handed = [encodable(text[:LONGEST]) for text in texts]
        problem = ""
        with self._lock:
            try:
                vectors = self._model.encode(handed, show_progress_bar=False, convert_to_numpy=True)
            except Exception as error:  # models bring code of their own
                problem = f"{type(error).__name__}: {error}"
        if not problem:
            vectors = np.asarray(vectors, np.float32)
            if vectors.ndim == 2 and len(vectors) == len(texts) and np.isfinite(vectors).all():
                return unit_rows(vectors)
            problem = f"an array of shape {vectors.shape} for {len(texts)} texts"
        raise ModelError(
            f"{self.name} cannot embed ({problem[:200]}). Choose another model, or unset "
            "ROWLENS_EMBEDDER for the offline default."
        )


def _load(model: str) -> Any:
    # Read when tokenizers are first used; their threads would warn whenever a process forks.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        from sentence_transformers import (  # type: ignore[import-not-found,unused-ignore]
            SentenceTransformer,
        )
    except Exception as error:  # not installed, or beside another torch than it was built for
        raise ModelError(
            f"{model!r} needs sentence-transformers, which cannot be imported "
            f"({type(error).__name__}). Install it: pip install sentence-transformers==6.3.0; or "
            "unset ROWLENS_EMBEDDER for the offline default."
        ) from error
    try:
        return SentenceTransformer(model, local_files_only=True)
    except Exception as error:  # what is missing, or of another kind, ends in many types
        raise ModelError(
            f"No sentence-transformers model can be loaded from {model!r} "
            f"({type(error).__name__}). Give the folder of a saved model, or download it once: "
            f"hf download {model}."
        ) from error
