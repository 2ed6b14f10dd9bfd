"""Taking frames, tables, the context and the report away; a file is made when its button is
pressed, not before."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

from core import ParsedDocument, Retrieval, Table
from core.export import FORMATS, frame_to_bytes, table_to_csv, table_to_markdown, tables_to_xlsx
from core.library import Document
from core.view.context import context_with_citations
from core.view.document import file_stem
from pages.ui.report import report_maker
from pages.ui.tabs import Finding

Files = dict[str, tuple[str, Callable[[], bytes | str]]]
"""By what the button says: name of the file, and what makes it."""


def draw(document: Document, parsed: ParsedDocument, finding: Finding) -> None:
    """A menu of downloads: the report, the context, rows, lines, all tables, and the table that
    is shown."""
    tables, table = finding.reading.tables, finding.table
    with st.popover("Export", icon=":material/download:", width="stretch"):
        stem = file_stem(document.name)
        report = report_maker(document, parsed, finding)
        _row("Report", {"html": (f"{stem}-report.html", report)})
        if finding.retrieval is not None and finding.retrieval.found:
            _row("Context", _context(stem, finding.retrieval))
        _frame("Rows", f"{stem}-row_df", finding.reading.row_df)
        _frame("Lines", f"{stem}-line_df", parsed.line_df)
        if tables:
            _row(
                f"Tables ({len(tables):,})",
                {"xlsx": (f"{stem}-tables.xlsx", partial(tables_to_xlsx, tables))},
            )
        if table is not None:
            _row(f"Table {table.table_id}", _table(f"{stem}-{table.table_id}", table))


def _context(stem: str, retrieval: Retrieval) -> Files:
    return {
        "txt": (f"{stem}-context.txt", partial(str, retrieval.context)),
        "cited txt": (
            f"{stem}-context-cited.txt",
            partial(context_with_citations, retrieval),
        ),
    }


def _table(stem: str, table: Table) -> Files:
    return {
        "csv": (f"{stem}.csv", partial(table_to_csv, table)),
        "md": (f"{stem}.md", partial(table_to_markdown, table)),
    }


def _frame(label: str, stem: str, frame: pd.DataFrame) -> None:
    _row(
        f"{label} ({len(frame):,})",
        {form: (f"{stem}.{form}", partial(frame_to_bytes, frame, form)) for form in FORMATS},
    )


def _row(label: str, files: Files) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(label)
        for form, (file_name, make) in files.items():
            st.download_button(
                form.upper(),
                make,
                file_name,
                key=f"export.{label.split(' (')[0]}.{form}",
                on_click="ignore",
                type="tertiary",
            )
