"""question -> matched rows -> widening decision -> context.

    row_df -> postings, row_facts, table_texts        what is known before any question
    question -> hits (with acronyms) -> evidence      where its terms hit, and what that scores
    evidence -> shape, cut -> widening -> context     which rows or tables are meant and returned
    line_df -> blocks -> paragraphs                   the retriever that knows no rows
    context -> savings                                what it costs beside the baselines

index puts it together, retrieval is what comes back, meaning brings embeddings in.
"""

from core.retrieval.context import ContextLine
from core.retrieval.index import Index, build_index, retrieve
from core.retrieval.retrieval import Retrieval
from core.retrieval.savings import Count, Savings
from core.retrieval.shape import MIXED, SHAPES, SYNTHESIS, TARGETED
from core.retrieval.widening import DEFAULT_THRESHOLD, Decision
from core.words import Term

__all__ = [
    "DEFAULT_THRESHOLD",
    "MIXED",
    "SHAPES",
    "SYNTHESIS",
    "TARGETED",
    "ContextLine",
    "Count",
    "Decision",
    "Index",
    "Retrieval",
    "Savings",
    "Term",
    "build_index",
    "retrieve",
]
