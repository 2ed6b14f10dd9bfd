"""Rowlens' core: document -> line_df -> tables -> row_df -> match -> decision -> context.

The path of a document is the listing of this folder: `parsers` make a line_df, `tables` read
it into row_df, `retrieval` answers questions from it; `lint` says what looks wrong with tables.
`frames` says what the frames hold. Nothing here knows of Streamlit.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.errors import RowlensError
    from core.lint import Lint, lint_table, lint_tables, worst_severity
    from core.parsers import ParsedDocument, parse_document
    from core.retrieval import Index, Retrieval, build_index, retrieve
    from core.tables import Table, fold_multirow_header, read_tables, serialize_table_rows
    from core.tokens import count_tokens

_HOMES = {
    "Index": "core.retrieval",
    "Lint": "core.lint",
    "ParsedDocument": "core.parsers",
    "Retrieval": "core.retrieval",
    "RowlensError": "core.errors",
    "Table": "core.tables",
    "build_index": "core.retrieval",
    "count_tokens": "core.tokens",
    "fold_multirow_header": "core.tables",
    "lint_table": "core.lint",
    "lint_tables": "core.lint",
    "parse_document": "core.parsers",
    "read_tables": "core.tables",
    "retrieve": "core.retrieval",
    "serialize_table_rows": "core.tables",
    "worst_severity": "core.lint",
}


def __getattr__(name: str) -> Any:
    """A name of the API, imported when it is asked for: a process that only draws a page, or
    shows a help text, need not wait for the rest."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


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
