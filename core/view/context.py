"""The context line by line, as text to copy and as a grid with citations."""

from __future__ import annotations

from core.retrieval import Retrieval


def context_with_citations(retrieval: Retrieval) -> str:
    """The context, each quoted line preceded by its page and line."""
    lines = []
    for line in retrieval.context_lines:
        cited = f"[p. {line.page_num}, l. {line.line_num}]" if line.citation else ""
        lines.append(f"{cited:<15} {line.text}")
    return "\n".join(lines)
