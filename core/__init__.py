"""Rowlens' core: document -> line_df -> tables -> row_df -> match -> decision -> context.

The path of a document is the listing of this folder: `parsers` make a line_df, `tables` read
it into row_df, `retrieval` answers questions from it; `lint` says what looks wrong with tables.
`frames` says what the frames hold. Nothing here knows of Streamlit.
"""

from core.errors import RowlensError
from core.lint import Lint, lint_table, lint_tables, worst_severity
from core.parsers import ParsedDocument, parse_document
from core.retrieval import Index, Retrieval, build_index, retrieve
from core.tables import Table, fold_multirow_header, read_tables, serialize_table_rows
from core.tokens import count_tokens

__all__ = [
    "Index",
    "Lint",
    "ParsedDocument",
    "Retrieval",
    "RowlensError",
    "Table",
    "build_index",
    "count_tokens",
    "fold_multirow_header",
    "lint_table",
    "lint_tables",
    "parse_document",
    "read_tables",
    "retrieve",
    "serialize_table_rows",
    "worst_severity",
]
