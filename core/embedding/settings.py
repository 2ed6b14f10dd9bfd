"""Which embedder is used: the offline one, unless ROWLENS_EMBEDDER names another."""

from __future__ import annotations

import os
import threading
from functools import lru_cache

from core.embedding.base import Embedder
from core.embedding.endpoint import EndpointEmbedder
from core.embedding.sentence import SentenceEmbedder
from core.embedding.service import Service, read_service
from core.embedding.static import PieceTable, StaticEmbedder, WordVectors, load_table
from core.errors import OptionError

VARIABLE = "ROWLENS_EMBEDDER"
CHOICES = ("wordllama", "sentence-transformers:MODEL_OR_FOLDER", "openai:MODEL")

_WITHOUT = f"unset {VARIABLE} for the offline default"
_loading = threading.Lock()


def default_embedder() -> Embedder:
    """The static embedder, loaded once; offline.

    Raises:
        ModelError: wordllama is not installed.
    """
    return StaticEmbedder(_table())


def default_word_vectors() -> WordVectors:
    """The vectors of single words, from the same table.

    Raises:
        ModelError: wordllama is not installed.
    """
    return WordVectors(_table())


def choose_embedder(spec: str | None = None) -> Embedder:
    """The embedder of that name, the same one each time; None reads ROWLENS_EMBEDDER.

    Args:
        spec: "" or "wordllama"; "sentence-transformers:" and a model's folder or name;
            "openai:" and a model, asked at ROWLENS_EMBEDDER_URL with ROWLENS_EMBEDDER_KEY.

    Raises:
        OptionError: there is no such embedder, or no usable address or key for it.
        ModelError: its library or model is missing.
    """
    wanted = (os.environ.get(VARIABLE, "") if spec is None else spec).strip()
    kind, _, model = (part.strip() for part in wanted.partition(":"))
    if wanted in ("", "wordllama"):
        return default_embedder()
    if kind == "sentence-transformers" and model:
        with _loading:
            return _sentence_embedder(model)
    if kind == "openai" and model:
        service = read_service(VARIABLE, model, _WITHOUT)
        with _loading:
            return _endpoint_embedder(service)
    raise OptionError(
        f"Embedder {wanted[:100]!r} does not exist; set {VARIABLE} to one of {', '.join(CHOICES)}."
    )


def _table() -> PieceTable:
    with _loading:
        return _loaded_table()


_loaded_table = lru_cache(maxsize=1)(load_table)


@lru_cache(maxsize=2)
def _sentence_embedder(model: str) -> SentenceEmbedder:
    return SentenceEmbedder(model)


@lru_cache(maxsize=4)
def _endpoint_embedder(service: Service) -> EndpointEmbedder:
    return EndpointEmbedder(service)
