"""Embeddings of an OpenAI-compatible service. **Its texts leave the machine.**

The questions, and the cells and paragraphs of every document they are asked of, are sent to the
address in ROWLENS_EMBEDDER_URL. Set it up only if they may go there.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np

from core.embedding.base import ModelError, embed_said, encodable, in_batches, unit_rows
from core.embedding.service import Service, ask, make_client, wrong_answer

TEXTS, CHARACTERS = 256, 200_000
"""Most texts, and characters, of one request; services take 300,000 tokens."""
LONGEST = 8_000
"""Characters of a text that are sent; models take 512 to 8,192 tokens."""
SECONDS, RETRIES = 60.0, 2
MOST_BYTES = 64_000_000
KEPT_BYTES = 64_000_000
"""Of vectors that are kept, so that a text sent once is not sent again."""


class EndpointEmbedder:
    """Texts by a service's model, in batches; results are kept by text. Thread-safe."""

    def __init__(self, service: Service, *, seconds: float = SECONDS) -> None:
        """`seconds` are for one request, of which there are up to three for a batch.

        Raises:
            ModelError: openai is not installed.
        """
        self.name = f"openai:{service.model} at {service.host}"
        self._service = service
        self._seconds = seconds
        self._client = make_client(service, seconds=seconds, retries=RETRIES)
        self._kept: OrderedDict[str, np.ndarray] = OrderedDict()
        self._lock = threading.Lock()
        self._dimension = 0

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """See `core.embedding.Embedder`; blank texts are zero, and not sent."""
        if not self._dimension and not any(text.strip() for text in texts):
            self._embed_said(["dimension"])
        return embed_said(texts, self._dimension, self._embed_said)

    def _embed_said(self, texts: list[str]) -> np.ndarray:
        sent = [encodable(text[:LONGEST]) for text in texts]
        found = {text: vector for text in sent if (vector := self._recalled(text)) is not None}
        missing = [text for text in dict.fromkeys(sent) if text not in found]
        for batch in in_batches(missing, TEXTS, CHARACTERS):
            fetched = dict(zip(batch, self._fetched(batch), strict=True))
            self._keep(fetched)
            found |= fetched
        return np.stack([found[text] for text in sent])

    def _fetched(self, texts: Sequence[str]) -> np.ndarray:
        create = self._client.embeddings.with_streaming_response.create
        answer = ask(
            self._service,
            lambda: create(model=self._service.model, input=list(texts), encoding_format="float"),
            seconds=self._seconds,
            most_bytes=MOST_BYTES,
        )
        try:
            vectors = answer_to_vectors(answer, len(texts))
        except (TypeError, ValueError, KeyError, OverflowError):
            problem = wrong_answer(self._service, f"no embeddings of {len(texts)} texts")
        else:
            with self._lock:
                self._dimension = self._dimension or vectors.shape[1]
            if vectors.shape[1] == self._dimension:
                return unit_rows(vectors)
            problem = wrong_answer(
                self._service, f"{vectors.shape[1]} dimensions, {self._dimension} before"
            )
        raise ModelError(f"The service at {self._service.host} {problem}.")

    def _recalled(self, text: str) -> np.ndarray | None:
        with self._lock:
            if text in self._kept:
                self._kept.move_to_end(text)
            return self._kept.get(text)

    def _keep(self, vectors: dict[str, np.ndarray]) -> None:
        with self._lock:
            for text, vector in vectors.items():
                self._kept[text] = vector.copy()  # a row alone, not the batch it is a view of
            while len(self._kept) * self._dimension * 4 > KEPT_BYTES:
                self._kept.popitem(last=False)


def answer_to_vectors(answer: Any, count: int) -> np.ndarray:
    """Vectors of an answer, in the order of its indices: float32 (count, dimension).

    Raises:
        TypeError, ValueError, KeyError, OverflowError: it is something else.
    """
    items = answer["data"]
    by_index = {item["index"]: item["embedding"] for item in items}
    if len(items) != count or set(by_index) != set(range(count)):
        raise ValueError("other indices")
    vectors = np.array([by_index[place] for place in range(count)], np.float32)
    if vectors.ndim != 2 or not vectors.shape[1] or not np.isfinite(vectors).all():
        raise ValueError("no numbers")
    return vectors
