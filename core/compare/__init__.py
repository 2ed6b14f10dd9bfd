"""Two readings of one document -> what differs: tables paired, rows and columns aligned, said."""

from core.compare.diff import compare_tables, diff_tables
from core.compare.model import Comparison, TableDiff, TablePair
from core.compare.pairing import pair_tables

__all__ = [
    "Comparison",
    "TableDiff",
    "TablePair",
    "compare_tables",
    "diff_tables",
    "pair_tables",
]
