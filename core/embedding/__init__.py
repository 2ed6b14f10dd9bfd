"""Texts as vectors: near when they mean the same, though no word agrees.

The default is a static table of word pieces (wordllama) that comes inside its wheel: it runs on
this machine, without network, key or download. `ROWLENS_EMBEDDER` names another:

    wordllama                              the default
    sentence-transformers:MODEL            a model's folder, or one already downloaded
    openai:MODEL                           an OpenAI-compatible service, see below

A service has its address in ROWLENS_EMBEDDER_URL and its key in ROWLENS_EMBEDDER_KEY. It is sent
the texts: **questions, and cells and paragraphs of the document, leave the machine**, which
happens with no other choice and never unless it was set up.

base says what an embedder is, static, sentence and endpoint are the three, service is the way to
an OpenAI-compatible service, settings choose. Libraries are imported only when they are used.
"""

from core.embedding.base import Embedder, ModelError
from core.embedding.settings import choose_embedder, default_embedder, default_word_vectors
from core.embedding.static import WordVectors

__all__ = [
    "Embedder",
    "ModelError",
    "WordVectors",
    "choose_embedder",
    "default_embedder",
    "default_word_vectors",
]
