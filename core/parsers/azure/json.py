"""The JSON of an AnalyzeResult, whatever its spelling: values that may be missing or wrong. Pure.

REST writes camelCase, the SDKs' `to_dict` snake_case: keys are snake_case from here on.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from core.errors import DocumentError

Node = dict[str, Any]
Box = tuple[float, float, float, float]
Span = tuple[int, int]
"""Start and end in the content, in whatever units it counts; only compared with each other."""

_LARGEST = 2**53
"""Whole numbers beyond are nonsense in a result, and would overflow the frames."""

_NUMBERS = {int, float}

_UPPER = re.compile(r"(?<=[a-z0-9])[A-Z]")
_SAYS_WHAT_TO_SAVE = (
    "Save the answer of the service as it came (GET .../analyzeResults/...), or the SDK's "
    "result.as_dict(), and open that."
)
_HOLDS = {
    "content": str,
    **dict.fromkeys(("pages", "tables", "paragraphs", "read_results", "page_results"), list),
}
"""What a result may hold of a document, and as what; one of them must be there."""


def load_result(name: str, data: bytes) -> Node:
    """The AnalyzeResult in a file, without the wrapper of the operation.

    Raises:
        DocumentError: no JSON, too deep, no AnalyzeResult, or of an analysis that failed or has
            not ended.
    """
    try:
        root = json.loads(data, object_hook=_with_snake_keys)
    except RecursionError as error:
        raise DocumentError(
            f"{name} is nested too deeply to be an AnalyzeResult. {_SAYS_WHAT_TO_SAVE}"
        ) from error
    except ValueError as error:
        raise DocumentError(
            f"{name} is damaged: it is no valid JSON ({str(error)[:200]}). {_SAYS_WHAT_TO_SAVE}"
        ) from error
    if not isinstance(root, dict):
        raise DocumentError(f"{name} holds no AnalyzeResult. {_SAYS_WHAT_TO_SAVE}")
    _check_status(name, root)
    result = root.get("analyze_result", root)
    if not isinstance(result, dict) or not any(
        isinstance(result.get(key), kind) for key, kind in _HOLDS.items()
    ):
        raise DocumentError(
            f"{name} holds no AnalyzeResult: there are neither pages nor tables in it. "
            f"{_SAYS_WHAT_TO_SAVE}"
        )
    return result


def nodes(node: Node, key: str) -> Iterator[Node]:
    """The objects in a list; anything else there is passed over."""
    found = node.get(key)
    if isinstance(found, list):
        yield from (item for item in found if isinstance(item, dict))


def child(node: Node, key: str) -> Node:
    """An object, {} where there is none."""
    found = node.get(key)
    return found if isinstance(found, dict) else {}


def text(node: Node, *keys: str) -> str:
    """The first of the keys that holds a text, as text that can be encoded; "" without one."""
    for key in keys:
        found = node.get(key)
        if isinstance(found, str):
            try:
                found.encode()
            except UnicodeEncodeError:  # half a surrogate pair
                found = found.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            return found
    return ""


def one_line(content: str) -> str:
    """Text on one line: line breaks and every stretch of white space as one space."""
    return " ".join(content.split())


def number(value: Any) -> float | None:
    """A finite number, None for anything else."""
    if type(value) not in _NUMBERS:  # bool is no number here
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def whole(node: Node, *keys: str, low: int = 0) -> int | None:
    """The first of the keys that holds a whole number of at least `low`; None without one."""
    for key in keys:
        found = number(node.get(key))
        if found is not None and found.is_integer() and low <= found <= _LARGEST:
            return int(found)
    return None


def spans(node: Node) -> list[Span]:
    """Where in the content something stands, ascending."""
    found = []
    for span in [*nodes(node, "spans"), child(node, "span")]:
        start, length = whole(span, "offset"), whole(span, "length")
        if start is not None and length:
            found.append((start, start + length))
    return sorted(found)


def outline(node: Node) -> Box | None:
    """Smallest upright box around a polygon, in the units of its page; None without one.

    A polygon is [x1, y1, x2, y2, ...], [{"x": ..., "y": ...}, ...] or [[x, y], ...]; it is tilted
    where the page was scanned a little askew. Four numbers are two corners.
    """
    polygon = node.get("polygon") or node.get("bounding_polygon") or node.get("bounding_box")
    if not isinstance(polygon, list):
        return None
    if not set(map(type, polygon)) <= _NUMBERS:
        polygon = list(_coordinates(polygon))
        if not set(map(type, polygon)) <= _NUMBERS:
            return None
    try:
        flat = [float(value) for value in polygon]
    except OverflowError:
        return None
    if len(flat) < 4 or len(flat) % 2 or not math.isfinite(sum(flat)):
        return None
    x, y = flat[::2], flat[1::2]
    return min(x), min(y), max(x), max(y)


def union(boxes: Sequence[Box]) -> Box:
    """Smallest box around some boxes."""
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def _coordinates(polygon: list[Any]) -> Iterator[Any]:
    for point in polygon:
        if isinstance(point, dict):
            yield from (point.get("x"), point.get("y"))
        elif isinstance(point, list):
            yield from point[:2]
        else:
            yield point


def _with_snake_keys(node: Node) -> Node:
    return {_snake(key): value for key, value in node.items()}


@lru_cache(maxsize=4096)
def _snake(key: str) -> str:
    return _UPPER.sub(lambda match: f"_{match.group()}", key).lower()


def _check_status(name: str, root: Node) -> None:
    status = text(root, "status").lower()
    if status in ("", "succeeded", "partiallysucceeded"):
        return
    if status in ("running", "notstarted"):
        raise DocumentError(
            f"{name} was saved while the analysis was still going on (status {status!r}), so it "
            f"holds no result. Ask the service again until the status is 'succeeded'."
        )
    result = child(root, "analyze_result")
    errors = [child(root, "error"), *nodes(result, "errors"), *nodes(root, "errors")]
    reasons = [one_line(text(error, "message", "code")) for error in errors]
    why = "; ".join(reason for reason in reasons if reason)[:300] or "no reason given"
    raise DocumentError(
        f"{name} holds no result: the analysis ended with status {status[:40]!r} ({why}). "
        f"Analyse the document again."
    )
