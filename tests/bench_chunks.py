"""Chunks and BM25 over them: what the baselines of `tests.bench_retrieval` share.

BM25 is that of bm25s with its defaults, English stopwords and Snowball's English stemmer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import bm25s
import numpy as np
import Stemmer

from core import count_tokens
from core.evaluation import Place
from tests.bench_questions import Corpus, Part

NOT_RANKED = float("nan")

_stemmer = Stemmer.Stemmer("english")


@dataclass(frozen=True)
class Answer:
    """What one way made of one question; NaN or None where it has no such thing."""

    rank: float
    """Of the first gold row."""
    table_first: bool | None
    """The right table came first."""
    holds: bool
    """All gold rows are in the context."""
    tokens: int
    widened: bool | None
    found: bool
    seconds: float
    shape: str = ""
    first_row: str = ""


@dataclass(frozen=True)
class Gold:
    """Where the answer to a question stands."""

    page_num: int
    places: list[Place]


Ask = Callable[[str, Gold], Answer]
Method = Callable[[Corpus], Ask]
"""Prepares a document, and gives the function that asks it."""


@dataclass(frozen=True)
class Chunks:
    """What a chunker made of a document, ready for BM25."""

    texts: list[str]
    places: list[set[Place]]
    """Lines that each chunk holds in full."""
    pages: list[int]


def texts_to_keys(texts: Sequence[str]) -> list[list[str]]:
    """Stemmed content words of each text, as bm25s makes them."""
    return bm25s.tokenize(
        list(texts), stopwords="en", stemmer=_stemmer, return_ids=False, show_progress=False
    )


def best_chunks(chunks: Chunks, k: int, *, ranked: bool) -> Ask:
    keys = texts_to_keys(chunks.texts)
    known = {key for of_chunk in keys for key in of_chunk}
    bm25 = bm25s.BM25()
    if known:
        bm25.index(keys, show_progress=False)
    sizes = count_tokens(chunks.texts)

    def ask(question: str, gold: Gold) -> Answer:
        start = time.perf_counter()
        asked = [key for key in texts_to_keys([question])[0] if key in known]
        scores = bm25.get_scores(asked) if asked else np.zeros(len(chunks.texts))
        order = np.argsort(-scores, kind="stable")
        order = order[scores[order] > 0].tolist()
        returned = order[:k]
        seconds = time.perf_counter() - start
        wanted = set(gold.places)
        hits = (
            rank for rank, at in enumerate(order, 1) if not wanted.isdisjoint(chunks.places[at])
        )
        return Answer(
            rank=float(next(hits, np.inf)) if ranked else NOT_RANKED,
            table_first=bool(returned) and chunks.pages[returned[0]] == gold.page_num,
            holds=wanted <= set().union(*(chunks.places[at] for at in returned)),
            tokens=sum(sizes[at] for at in returned),
            widened=None,
            found=bool(returned),
            seconds=seconds,
            first_row=chunks.texts[returned[0]] if returned else "",
        )

    return ask


def lines_below_header(part: Part) -> list[Place]:
    """Places of the lines below the first line and the separator."""
    above = 3 if part.title else 2
    return [(part.page_num, at + above + 1) for at in range(len(part.lines) - 2)]
