"""docling's HybridChunker as a baseline of `tests.bench_retrieval`.

Tables are read by docling's own Markdown backend; a title is a heading above its table. A chunk
holds a row if it holds the whole text that docling's serializer writes for it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

from core import count_tokens
from core.evaluation import Place
from tests.bench_chunks import Ask, Chunks, best_chunks, lines_below_header
from tests.bench_questions import Corpus, Part

if TYPE_CHECKING:
    from docling_core.transforms.chunker.hybrid_chunker import HybridChunker
    from docling_core.types.doc.document import DoclingDocument, TableItem

CHUNK_TOKENS = 256
"""The limit of the tokenizer that HybridChunker takes by default."""


def docling_triplets(corpus: Corpus) -> Ask:
    """HybridChunker at its defaults."""
    return best_chunks(_docling_chunks(corpus, as_markdown=False), 1, ranked=False)


def docling_markdown(corpus: Corpus) -> Ask:
    """HybridChunker with tables as Markdown."""
    return best_chunks(_docling_chunks(corpus, as_markdown=True), 1, ranked=False)


def _docling_chunks(corpus: Corpus, *, as_markdown: bool) -> Chunks:
    chunker = _hybrid_chunker(as_markdown=as_markdown)
    texts: list[str] = []
    places: list[set[Place]] = []
    pages: list[int] = []
    for part in corpus.parts:
        document = _docling_document(part)
        rows = dict(
            zip(lines_below_header(part), _row_texts(document, chunker, as_markdown), strict=True)
        )
        for chunk in chunker.chunk(document):
            texts.append(chunker.contextualize(chunk))
            places.append({place for place, text in rows.items() if text in chunk.text})
            pages.append(part.page_num)
    return Chunks(texts, places, pages)


@cache
def _hybrid_chunker(*, as_markdown: bool) -> HybridChunker:
    from docling_core.transforms.chunker.hierarchical_chunker import (
        ChunkingDocSerializer,
        ChunkingSerializerProvider,
    )
    from docling_core.transforms.chunker.hybrid_chunker import HybridChunker
    from docling_core.transforms.chunker.tokenizer.base import BaseTokenizer
    from docling_core.transforms.serializer.markdown import MarkdownTableSerializer

    class Tokens(BaseTokenizer):  # type: ignore[misc]
        def count_tokens(self, text: str) -> int:
            return count_tokens([text])[0]

        def get_max_tokens(self) -> int:
            return CHUNK_TOKENS

        def get_tokenizer(self) -> Callable[[str], int]:
            return self.count_tokens

    class AsMarkdown(ChunkingSerializerProvider):  # type: ignore[misc]
        def get_serializer(self, doc: DoclingDocument) -> ChunkingDocSerializer:
            return ChunkingDocSerializer(doc=doc, table_serializer=MarkdownTableSerializer())

    if as_markdown:
        return HybridChunker(tokenizer=Tokens(), serializer_provider=AsMarkdown())
    return HybridChunker(tokenizer=Tokens())


def _docling_document(part: Part) -> DoclingDocument:
    from docling.backend.md_backend import MarkdownDocumentBackend
    from docling.datamodel.base_models import InputFormat
    from docling.datamodel.document import InputDocument

    logging.getLogger("docling").setLevel(logging.ERROR)
    heading = [f"# {part.title}", ""] if part.title else []
    markdown = "\n".join([*heading, *part.lines])
    source = InputDocument(
        path_or_stream=BytesIO(markdown.encode()),
        format=InputFormat.MD,
        backend=MarkdownDocumentBackend,
        filename="table.md",
    )
    return MarkdownDocumentBackend(source, BytesIO(markdown.encode())).convert()


def _row_texts(document: DoclingDocument, chunker: HybridChunker, as_markdown: bool) -> list[str]:
    """The text of each row as the chunker's serializer writes it; "" would be in every chunk."""
    [table] = document.tables
    if as_markdown:
        serializer = chunker.serializer_provider.get_serializer(doc=document)
        lines = serializer.serialize(item=table).text.splitlines()
        return [line.strip() for line in lines if line.startswith("|")][2:]
    return [". ".join(parts) for parts in _triplets(table, document)]


def _triplets(table: TableItem, document: DoclingDocument) -> list[list[str]]:
    frame: Any = table.export_to_dataframe(document)
    labels = [str(label).strip() for label in frame.columns]
    return [
        [f"{cells[0]}, {label} = {cell}" for label, cell in zip(labels[1:], cells[1:], strict=True)]
        for cells in ([str(cell).strip() for cell in row] for row in frame.to_numpy())
    ]
