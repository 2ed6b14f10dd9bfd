"""What `ask` prints. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.retrieval import Decision, Retrieval


def answer_to_dict(answer: Retrieval) -> dict[str, Any]:
    """The answer as JSON holds it."""
    return {
        "question": answer.question,
        "shape": answer.shape,
        "found": answer.found,
        "partial": answer.partial,
        "context": answer.context,
        "citations": [list(citation) for citation in answer.citations],
        "lines": answer_to_records(answer),
        "decisions": [
            {
                "table_id": decision.table_id,
                "k": decision.k,
                "n_body_rows": decision.n_body_rows,
                "coverage": decision.coverage,
                "widened": decision.widened,
            }
            for decision in answer.decisions
        ],
        "tokens": {
            "encoding": answer.tokens.encoding,
            "context": asdict(answer.tokens.context),
            **{name: asdict(count) for name, count in answer.tokens.baselines.items()},
        },
        "notes": list(answer.notes),
    }


def answer_to_records(answer: Retrieval) -> list[dict[str, Any]]:
    """The lines of the context, each with its citation."""
    return [
        {"page_num": line.page_num, "line_num": line.line_num, "text": line.text}
        for line in answer.context_lines
    ]


def answer_to_lines(answer: Retrieval) -> Iterator[str]:
    """The answer as people read it: decisions, then the context with its citations."""
    if not answer.found:
        yield "Nothing matches."
        return
    yield from map(_decision_line, answer.decisions)
    ratio = answer.tokens.ratio("markdown")
    size = f"{answer.tokens.context.tokens:,} tokens"
    yield size if ratio is None else f"{size}; the tables whole are {ratio:.1f} times as many"
    yield ""
    places = [
        "" if line.citation is None else f"p. {line.page_num}, l. {line.line_num}"
        for line in answer.context_lines
    ]
    width = max(map(len, places))
    for place, line in zip(places, answer.context_lines, strict=True):
        yield f"{place:<{width}}  {line.text}"


def _decision_line(decision: Decision) -> str:
    how = "the whole table" if decision.widened else "these rows only"
    return (
        f"{decision.table_id}: {decision.k} of {decision.n_body_rows} rows "
        f"({decision.coverage:.0%}), {how}"
    )
