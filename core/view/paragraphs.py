"""The best paragraphs of an answer -> page, lines and text, with what a question hits marked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from core.retrieval import Retrieval
from core.view.rows import Segment, marked

LONGEST = 450
"""Characters of a paragraph that are shown, from shortly before its first hit on."""
_BEFORE = 120

JsonDict = dict[str, Any]


def paragraphs_to_list(
    retrieval: Retrieval, line_df: pd.DataFrame, lines_of: Callable[[int], np.ndarray]
) -> list[JsonDict]:
    """The best paragraphs, best first.

    Args:
        line_df: that of the index.
        lines_of: positions in line_df of the lines of a block.
    """
    keys = {term.text: {term.key, *term.alternatives} for term in retrieval.terms}
    found = []
    for block in retrieval.paragraphs.to_dict("records"):
        lines = line_df.iloc[lines_of(int(block["block"]))]
        held = [term for term in block["terms"] if term in keys]
        wanted = {key for term in held for key in keys[term]}
        text = " ".join(" ".join(lines["text"]).split())
        found.append(
            {
                "page": int(lines["page_num"].iloc[0]),
                "cite": _cite(lines),
                "share": f"{len(held)} of {_counted(len(keys), 'word')}" if keys else "",
                "segments": _cut(marked(text, "text", wanted)),
            }
        )
    return found


def _cite(lines: pd.DataFrame) -> str:
    first, last = lines.iloc[0], lines.iloc[-1]
    if first["page_num"] != last["page_num"]:
        return f"p. {first['page_num']}–{last['page_num']}"
    if first["line_num"] == last["line_num"]:
        return f"p. {first['page_num']}, l. {first['line_num']}"
    return f"p. {first['page_num']}, l. {first['line_num']}–{last['line_num']}"


def _cut(segments: list[Segment]) -> list[Segment]:
    """At most LONGEST characters, the first hit among them."""
    before = 0
    for text, kind in segments:
        if kind.endswith("-hit"):
            break
        before += len(text)
    else:
        before = 0
    length = sum(len(text) for text, _ in segments)
    start = max(0, min(before - _BEFORE, length - LONGEST))
    kept: list[Segment] = [("…", "text")] if start else []
    at = 0
    for text, kind in segments:
        part = text[max(0, start - at) : max(0, start + LONGEST - at)]
        at += len(text)
        if part:
            kept.append((part, kind))
    return [*kept, ("…", "text")] if start + LONGEST < length else kept


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
