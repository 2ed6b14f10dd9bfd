"""question -> matched rows -> widening decision -> context.

terms reads questions and cells, evidence says where each term hits, shape and cut decide
which rows or tables are meant, widening and context what is returned, savings what it costs;
index puts it together.
"""

from core.retrieval.context import ContextLine
from core.retrieval.index import Index, Retrieval, build_index, retrieve
from core.retrieval.savings import Count, Savings
from core.retrieval.shape import MIXED, SHAPES, SYNTHESIS, TARGETED
from core.retrieval.terms import Term
from core.retrieval.widening import DEFAULT_THRESHOLD, Decision

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
