"""question -> matched rows -> widening decision -> context.

    row_df -> postings, row_facts, table_texts        what is known before any question
    question -> hits (with acronyms) -> table_scores  where its terms hit, and what that says
    hits, table_scores, meaning -> evidence           what each row scores that is touched at all
    evidence -> shape, cut, ranking -> widening       which rows or tables are meant and returned
    widening, table_lines -> context                  what generation would receive
    line_df -> blocks -> paragraphs                   the retriever that knows no rows
    context -> savings                                what it costs beside the baselines

index puts it together, retrieval is what comes back, written makes of it what is read,
meaning brings embeddings in.
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
