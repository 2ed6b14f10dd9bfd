"""Taking frames and tables away; a file is made when its button is pressed, not before."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

from core import Table
from core.export import FORMATS, frame_to_bytes, table_to_csv, table_to_markdown, tables_to_xlsx
from core.view.document import file_stem


def draw(
    name: str,
    line_df: pd.DataFrame,
    row_df: pd.DataFrame,
    tables: list[Table],
    table: Table | None,
) -> None:
    """A menu of downloads: rows, lines, all tables, and the table that is shown."""
    with st.popover("Export", icon=":material/download:", width="stretch"):
        stem = file_stem(name)
        _row(
            f"Rows ({len(row_df):,})",
            {
                form: (f"{stem}-row_df.{form}", partial(frame_to_bytes, row_df, form))
                for form in FORMATS
            },
        )
        _row(
            f"Lines ({len(line_df):,})",
            {
                form: (f"{stem}-line_df.{form}", partial(frame_to_bytes, line_df, form))
                for form in FORMATS
            },
        )
        if tables:
            _row(
                f"Tables ({len(tables):,})",
                {"xlsx": (f"{stem}-tables.xlsx", partial(tables_to_xlsx, tables))},
            )
        if table is not None:
            each = f"{stem}-{table.table_id}"
            _row(
                f"Table {table.table_id}",
                {
                    "csv": (f"{each}.csv", partial(table_to_csv, table)),
                    "md": (f"{each}.md", partial(table_to_markdown, table)),
                },
            )


def _row(label: str, files: dict[str, tuple[str, Callable[[], bytes | str]]]) -> None:
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
