"""line_df -> tables -> row_df.

cells and pipes read single lines, runs joins them, layout cuts runs into tables, headers
folds labels, captions finds titles, reading puts it together.
"""

from core.tables.headers import HeaderFold, fold_multirow_header
from core.tables.model import Table, markdown_lines, table_to_markdown
from core.tables.reading import read_tables, serialize_table_rows

__all__ = [
    "HeaderFold",
    "Table",
    "fold_multirow_header",
    "markdown_lines",
    "read_tables",
    "serialize_table_rows",
    "table_to_markdown",
]
