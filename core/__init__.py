"""Rowlens core."""
from core.tables import fold_multirow_header, read_tables, serialize_table_rows
