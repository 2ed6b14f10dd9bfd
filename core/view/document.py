"""What the app shows of a document besides its tables: lines, and which page to open at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

import pandas as pd

from core.frames import BOX_COLUMNS
from core.parsers import ParsedDocument
from core.retrieval import Retrieval
from core.tables import Table


def first_page_to_show(
    document: ParsedDocument,
    row_df: pd.DataFrame,
    retrieval: Retrieval | None,
    table: Table | None = None,
) -> int:
    """Page to open a document at: that of the table that was asked for, else the answer's, else
    that of the first table, else the first."""
    if table is not None:
        return table.pages[0]
    pages = document.page_df["page_num"]
    first = int(row_df["page_num"].iloc[0]) if len(row_df) else int(pages.iloc[0])
    return page_of_answer(retrieval, None) or first if retrieval else first


def page_of_answer(retrieval: Retrieval, page_num: int | None) -> int | None:
    """Page to turn to for an answer: the present one if it is cited, else the first cited."""
    cited = [page for page, _ in retrieval.citations]
    return page_num if page_num in cited or not cited else cited[0]


def lines_for_display(line_df: pd.DataFrame, page_num: int | None = None) -> pd.DataFrame:
    """line_df as parsed, of one page or of all, boxes rounded to a tenth of a point; where lines
    were recognised, how surely stands before their text."""
    lines = line_df if page_num is None else line_df[line_df["page_num"] == page_num]
    lines = lines.round(dict.fromkeys(BOX_COLUMNS, 1))
    if "confidence" not in lines or lines["confidence"].isna().all():
        return lines
    others = [name for name in lines.columns if name != "confidence"]
    at = others.index("text")
    return lines[[*others[:at], "confidence", *others[at:]]]


def file_stem(name: str) -> str:
    """What a download made from the document called `name` begins with."""
    return re.sub(r"[^\w-]+", "_", PurePath(name).stem).strip("_")[:60] or "document"


def page_has_text(line_df: pd.DataFrame, page_num: int) -> bool:
    """Whether the parser found any text on the page."""
    return bool((line_df.loc[line_df["page_num"] == page_num, "text"].str.strip() != "").any())


def default_table(
    tables: Sequence[Table], retrieval: Retrieval | None, page_num: int
) -> Table | None:
    """The table an answer touches first, else the first on the page, else the first of all."""
    touched = [decision.table_id for decision in retrieval.decisions] if retrieval else []
    wanted = [table for table in tables if table.table_id in touched[:1]]
    on_page = [table for table in tables if page_num in table.pages]
    return next(iter([*wanted, *on_page, *tables]), None)
