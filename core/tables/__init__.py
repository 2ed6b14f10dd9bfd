"""line_df -> tables -> row_df.

Lines: cells, pipes, html (html_grid), split_rows and odd_rows read rows; passages hides what is no
table; runs and continuations join rows over gaps and pages; layout (layout_parts, borders,
headless, evidence) cuts runs into tables. Header: header_block chooses and folds it by the rules
of headers and header_lines, which ask labels (what a text looks like), column_facts (what a
column holds) and spans (how far a label reaches); literal_header is the strict rule. Body: body
reads body_rows for sections, groups, indents and filling. captions finds titles, reading puts it
together, serialize writes the chunks, model is a table.
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
