"""What `tests.bench_retrieval` measures Rowlens against: other ways from a question to a context.

    whole table   every table as Markdown; only asked about a table alone
    any keyword   rows in which any content word of the question occurs, labels included, and the
                  whole table from a coverage of 0.60 on: what retrieval did before labels were
                  told from values
    BM25 rows     the three best rows of row_df, serialized, by BM25
    Chonkie       its TableChunker, one row a chunk under its header line; three best by BM25
    docling       its HybridChunker at default settings (a row is written as triplets, "row, column
                  = value"), 256 tokens a chunk as with its default tokenizer; best chunk by BM25
    docling md    the same with tables written as Markdown, header repeated, as its documentation
                  shows it

BM25 is that of bm25s with its defaults, English stopwords and Snowball's English stemmer.
"""

from __future__ import annotations

import time

import numpy as np

from core import count_tokens
from core.evaluation import Place
from tests.bench_chunks import (
    NOT_RANKED,
    Answer,
    Ask,
    Chunks,
    Gold,
    Method,
    best_chunks,
    lines_below_header,
    texts_to_keys,
)
from tests.bench_docling import docling_markdown, docling_triplets
from tests.bench_questions import Corpus

WIDEN_FROM = 0.6


def whole_table(corpus: Corpus) -> Ask:
    """The table as Markdown, whatever is asked."""

    def ask(question: str, gold: Gold) -> Answer:
        holds = corpus.has_rows_at(gold.places)
        tokens = sum(corpus.markdown_tokens.values())
        return Answer(NOT_RANKED, None, holds, tokens, True, tokens > 0, 0.0)

    return ask


def any_keyword(corpus: Corpus) -> Ask:
    """Rows where any word of the question occurs, or the whole table from 0.60 coverage on."""
    rows = corpus.row_df["row_serialized"].tolist()
    words = [set(keys) for keys in texts_to_keys(rows)]
    sizes = np.array(count_tokens(rows), dtype=np.int64)
    places = _row_places(corpus)
    table = corpus.row_df["table_id"].to_numpy()

    def ask(question: str, gold: Gold) -> Answer:
        start = time.perf_counter()
        asked = set(texts_to_keys([question])[0])
        matched = np.array([not asked.isdisjoint(keys) for keys in words], dtype=bool)
        tokens, held, widened = 0, set[Place](), False
        for table_id, page_num in corpus.table_pages.items():
            of_table = table == table_id
            k, n = int((matched & of_table).sum()), int(of_table.sum())
            whole = k + 1e-9 >= WIDEN_FROM * n and n > 1
            returned = np.flatnonzero(of_table if whole else matched & of_table)
            tokens += corpus.markdown_tokens[page_num] if whole else int(sizes[returned].sum())
            held |= {places[at] for at in returned}
            widened |= whole
        seconds = time.perf_counter() - start
        holds = set(gold.places) <= held
        return Answer(NOT_RANKED, None, holds, tokens, widened, bool(matched.any()), seconds)

    return ask


def bm25_rows(corpus: Corpus) -> Ask:
    """Serialized rows."""
    chunks = Chunks(
        corpus.row_df["row_serialized"].tolist(),
        [{place} for place in _row_places(corpus)],
        corpus.row_df["page_num"].tolist(),
    )
    return best_chunks(chunks, 3, ranked=True)


def chonkie_rows(corpus: Corpus) -> Ask:
    """Chonkie's chunks of one row each, called once per table on its Markdown."""
    from chonkie import TableChunker

    chunker = TableChunker("row", 1)
    texts: list[str] = []
    places: list[set[Place]] = []
    for part in corpus.parts:
        chunks = chunker.chunk("\n".join(part.lines))
        rows = lines_below_header(part)
        if len(chunks) != len(rows):
            raise ValueError(f"Page {part.page_num}: {len(chunks)} chunks for {len(rows)} rows.")
        texts += [chunk.text for chunk in chunks]
        places += [{place} for place in rows]
    return best_chunks(Chunks(texts, places, [min(lines)[0] for lines in places]), 3, ranked=True)


BASELINES: dict[str, Method] = {
    "whole table": whole_table,
    "any keyword": any_keyword,
    "BM25 rows": bm25_rows,
    "Chonkie": chonkie_rows,
    "docling": docling_triplets,
    "docling md": docling_markdown,
}
ALONE_ONLY = ("whole table", "any keyword")
"""Ways that choose no table: over a whole set there is nothing to measure."""


def _row_places(corpus: Corpus) -> list[Place]:
    columns = (corpus.row_df[name].tolist() for name in ("page_num", "line_num"))
    return list(zip(*columns, strict=True))
