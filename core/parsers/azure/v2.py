"""Layout results of API v2.0 and v2.1 (readResults, pageResults) -> the later shape. Pure.

They have no content to point into: lines and words get places in a content of their own making,
and a cell those of the words that its `elements` name.
"""

from __future__ import annotations

import re

from core.parsers.azure.json import Node, nodes, text, whole

_ELEMENT = re.compile(
    r"#/(?:analyzeResult/)?readResults/(\d{1,9})/(?:lines/(\d{1,9})/words/(\d{1,9})|"
    r"selectionMarks/(\d{1,9}))"
)
_Places = dict[tuple[int, ...], Node]
"""Span of each word by (page, line, word), of each selection mark by (page, mark)."""


def is_v2(result: Node) -> bool:
    """Whether a result (keys in snake_case) is of API v2."""
    return "pages" not in result and ("read_results" in result or "page_results" in result)


def from_v2(result: Node) -> Node:
    """The result in the shape of the later versions, with pages, tables and spans."""
    places: _Places = {}
    pages, offset = [], 0
    for at, read in enumerate(nodes(result, "read_results")):
        page, offset = _page(at, read, offset, places)
        pages.append(page)
    known = [page["page_number"] for page in pages]
    tables = []
    for at, found in enumerate(nodes(result, "page_results")):
        number = whole(found, "page", low=1) or at + 1
        if number not in known:  # without text details only the tables are there
            known.append(number)
            pages.append({"page_number": number, "unit": "inch"})
        tables += [_table(table, number, places) for table in nodes(found, "tables")]
    return {"pages": pages, "tables": tables}


def _page(at: int, read: Node, offset: int, places: _Places) -> tuple[Node, int]:
    begin = offset
    lines, words, marks = [], [], []
    for line_at, line in enumerate(nodes(read, "lines")):
        start = offset
        for word_at, word in enumerate(nodes(line, "words")):
            span = {"offset": offset, "length": max(len(text(word, "text")), 1)}
            places[at, line_at, word_at] = span
            words.append({**word, "span": span})
            offset += span["length"] + 1
        offset = max(offset, start + len(text(line, "text")) + 1)
        lines.append({**line, "spans": [{"offset": start, "length": offset - start - 1}]})
    for mark_at, mark in enumerate(nodes(read, "selection_marks")):
        span = {"offset": offset, "length": 1}
        places[at, mark_at] = span
        marks.append({**mark, "span": span})
        offset += 2
    number = whole(read, "page", low=1) or at + 1
    page = {
        **read,
        "page_number": number,
        "lines": lines,
        "words": words,
        "selection_marks": marks,
        "spans": [{"offset": begin, "length": max(offset - begin, 1)}],
    }
    return page, offset


def _table(table: Node, page: int, places: _Places) -> Node:
    cells = [
        {
            **cell,
            "kind": "columnHeader" if cell.get("is_header") is True else "content",
            "bounding_regions": [{**cell, "page_number": page}],
            "spans": _spans(cell, places),
        }
        for cell in nodes(table, "cells")
    ]
    return {
        "row_count": whole(table, "rows"),
        "column_count": whole(table, "columns"),
        "cells": cells,
        "bounding_regions": [{**table, "page_number": page}],
    }


def _spans(cell: Node, places: _Places) -> list[Node]:
    found = []
    elements = cell.get("elements")
    for element in elements if isinstance(elements, list) else []:
        match = _ELEMENT.match(element) if isinstance(element, str) else None
        if match:
            key = tuple(int(part) for part in match.groups() if part is not None)
            found += [places[key]] if key in places else []
    return found
