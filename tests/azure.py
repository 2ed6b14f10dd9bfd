"""Small AnalyzeResults made on the spot, in every shape in which the service and its SDKs write
the same document."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Rect = tuple[float, float, float, float]
"""x0, y0, x1, y1 in the units of the page."""


@dataclass
class Span:
    """A cell of a table: text, place, spans, kind, box."""

    text: str
    row: int
    column: int
    rows: int = 1
    columns: int = 1
    kind: str = ""


@dataclass
class Shape:
    """How the service writes a result."""

    version: str = "2024-11-30"
    snake: bool = False
    markdown: bool = False
    unit: str = "inch"
    scale: float = 1.0
    polygon: str = "flat"
    wrapped: bool = True


@dataclass
class Payload:
    """An AnalyzeResult in the making; what is added comes one after the other in the content."""

    shape: Shape = field(default_factory=Shape)
    width: float = 8.5
    height: float = 11.0

    def __post_init__(self) -> None:
        self.content = ""
        self.pages: list[dict[str, Any]] = []
        self.tables: list[dict[str, Any]] = []
        self.paragraphs: list[dict[str, Any]] = []
        self.page()

    def page(self, *, angle: float = 0.0) -> None:
        """Begin a page."""
        self.pages.append(
            {
                "pageNumber": len(self.pages) + 1,
                "angle": angle,
                "width": self.width * self.shape.scale,
                "height": self.height * self.shape.scale,
                "unit": self.shape.unit,
                "words": [],
                "lines": [],
                "selectionMarks": [],
                "spans": [{"offset": len(self.content), "length": 0}],
            }
        )

    def line(self, text: str, box: Rect, role: str = "") -> dict[str, Any]:
        """A paragraph of one line."""
        if self.shape.markdown:
            self.content += {"title": "# ", "sectionHeading": "## "}.get(role, "")
        span = self._write(text, box)
        paragraph = {
            "content": text,
            "spans": [span],
            "boundingRegions": [self._region(box)],
            **({"role": role} if role else {}),
        }
        self.paragraphs.append(paragraph)
        self._end("\n\n" if self.shape.markdown else "\n")
        return paragraph

    def mark(self, state: str, box: Rect) -> None:
        """A selection mark outside tables, written into the content."""
        span = self._span(f":{state}:")
        self.content += f":{state}:"
        self.pages[-1]["selectionMarks"].append(
            {"state": state, "span": span, "confidence": 0.5, **self._polygon(box)}
        )
        self._end("\n")

    def table(self, cells: Sequence[Span], x: Sequence[float], y: Sequence[float]) -> Any:
        """A table whose columns and rows are divided at x and y."""
        written = []
        begin = len(self.content)
        for cell in cells:
            box = (
                x[cell.column],
                y[cell.row],
                x[min(cell.column + cell.columns, len(x) - 1)],
                y[min(cell.row + cell.rows, len(y) - 1)],
            )
            spans = []
            tag = "th" if cell.kind == "columnHeader" else "td"
            self.content += f"<{tag}>" if self.shape.markdown else ""
            for at, text in enumerate(cell.text.split("\n")):
                if text.startswith(":") and text.endswith(":"):
                    self.mark(text.strip(":"), box)
                    spans.append(self.pages[-1]["selectionMarks"][-1]["span"])
                elif text:
                    height = (box[3] - box[1]) / (cell.text.count("\n") + 1)
                    top = box[1] + at * height
                    spans.append(self._write(text, (box[0], top, box[2], top + height)))
                    self._end("\n")
            self.content += f"</{tag}>\n" if self.shape.markdown else ""
            written.append(
                {
                    **({"kind": cell.kind} if cell.kind else {}),
                    "rowIndex": cell.row,
                    "columnIndex": cell.column,
                    **({"rowSpan": cell.rows} if cell.rows > 1 else {}),
                    **({"columnSpan": cell.columns} if cell.columns > 1 else {}),
                    "content": cell.text,
                    "boundingRegions": [self._region(box)],
                    "spans": spans,
                }
            )
        self._end("")
        table = {
            "rowCount": len(y) - 1,
            "columnCount": len(x) - 1,
            "cells": written,
            "boundingRegions": [self._region((x[0], y[0], x[-1], y[-1]))],
            "spans": [{"offset": begin, "length": len(self.content) - begin}],
        }
        self.tables.append(table)
        return table

    def result(self) -> Any:
        """The result as its version writes it."""
        if self.shape.version.startswith("2."):
            return self._wrapped(self._v2())
        old = self.shape.version.startswith("2021")
        result = {
            "apiVersion": self.shape.version,
            "modelId": "prebuilt-layout",
            "stringIndexType": "textElements",
            "content": self.content,
            "pages": self.pages,
            "tables": self.tables,
            "styles": [],
        }
        if not old:
            result["paragraphs"] = self.paragraphs
        if self.shape.version.startswith("2024"):
            result["contentFormat"] = "markdown" if self.shape.markdown else "text"
            result["sections"] = []
        result = json.loads(json.dumps(result))
        if old:
            result = _renamed(result, {"polygon": "boundingBox"})
        return self._wrapped(result)

    def json(self) -> bytes:
        """The result as a file."""
        return json.dumps(self.result()).encode()

    def _write(self, text: str, box: Rect) -> dict[str, int]:
        """A line and its words, each as wide as its share of the letters."""
        page = self.pages[-1]
        span = self._span(text)
        step = (box[2] - box[0]) / len(text)
        at = 0
        for word in text.split(" "):
            x0 = box[0] + at * step
            page["words"].append(
                {
                    "content": word,
                    "confidence": 0.75 if word.isdigit() else 1.0,
                    "span": {"offset": span["offset"] + at, "length": len(word)},
                    **self._polygon((x0, box[1], x0 + len(word) * step, box[3])),
                }
            )
            at += len(word) + 1
        page["lines"].append({"content": text, "spans": [span], **self._polygon(box)})
        self.content += text
        return span

    def _span(self, text: str) -> dict[str, int]:
        return {"offset": len(self.content), "length": len(text)}

    def _end(self, separator: str) -> None:
        self.content += separator
        span = self.pages[-1]["spans"][0]
        span["length"] = len(self.content) - span["offset"]

    def _region(self, box: Rect) -> dict[str, Any]:
        return {"pageNumber": len(self.pages), **self._polygon(box)}

    def _polygon(self, box: Rect) -> dict[str, Any]:
        x0, y0, x1, y1 = (round(edge * self.shape.scale, 4) for edge in box)
        points = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        if self.shape.polygon == "points":
            return {"polygon": [{"x": x, "y": y} for x, y in points]}
        if self.shape.polygon == "pairs":
            return {"polygon": [[x, y] for x, y in points]}
        return {"polygon": [edge for point in points for edge in point]}

    def _wrapped(self, result: Any) -> Any:
        if self.shape.snake:
            result = _snake(result)
        if not self.shape.wrapped:
            return result
        key = "analyze_result" if self.shape.snake else "analyzeResult"
        return {"status": "succeeded", "createdDateTime": "2026-01-01T00:00:00Z", key: result}

    def _v2(self) -> Any:
        """As v2.1 writes it: words within lines, cells that name their words."""
        reads, results, elements = [], [], {}
        for at, page in enumerate(self.pages):
            lines = []
            for line_at, line in enumerate(page["lines"]):
                start = line["spans"][0]["offset"]
                words = [
                    word
                    for word in page["words"]
                    if start <= word["span"]["offset"] < start + line["spans"][0]["length"]
                ]
                for word_at, word in enumerate(words):
                    name = f"#/readResults/{at}/lines/{line_at}/words/{word_at}"
                    elements[word["span"]["offset"]] = name
                lines.append({**_v2_text(line), "words": [_v2_text(word) for word in words]})
            for mark_at, mark in enumerate(page["selectionMarks"]):
                name = f"#/readResults/{at}/selectionMarks/{mark_at}"
                elements[mark["span"]["offset"]] = name
            marks = [
                {"boundingBox": mark["polygon"], "state": mark["state"], "confidence": 0.5}
                for mark in page["selectionMarks"]
            ]
            size = {key: page[key] for key in ("angle", "width", "height", "unit")}
            reads.append({"page": at + 1, **size, "lines": lines, "selectionMarks": marks})
            tables = [
                {
                    "rows": table["rowCount"],
                    "columns": table["columnCount"],
                    "boundingBox": table["boundingRegions"][0]["polygon"],
                    "cells": [_v2_cell(cell, elements) for cell in table["cells"]],
                }
                for table in self.tables
                if table["boundingRegions"][0]["pageNumber"] == at + 1
            ]
            results.append({"page": at + 1, "tables": tables})
        return {"version": "2.1.0", "readResults": reads, "pageResults": results}


def _v2_text(node: Any) -> dict[str, Any]:
    kept = {"text": node["content"], "boundingBox": node["polygon"]}
    return kept | ({"confidence": node["confidence"]} if "confidence" in node else {})


def _v2_cell(cell: Any, elements: dict[int, str]) -> dict[str, Any]:
    ranges = [(span["offset"], span["offset"] + span["length"]) for span in cell["spans"]]
    named = [
        name
        for offset, name in elements.items()
        if any(low <= offset < high for low, high in ranges)
    ]
    return {
        "rowIndex": cell["rowIndex"],
        "columnIndex": cell["columnIndex"],
        "text": cell["content"],
        "boundingBox": cell["boundingRegions"][0]["polygon"],
        "elements": named,
        **{key: cell[key] for key in ("rowSpan", "columnSpan") if key in cell},
        **({"isHeader": True} if cell.get("kind") == "columnHeader" else {}),
    }


def _renamed(node: Any, names: dict[str, str]) -> Any:
    if isinstance(node, dict):
        return {names.get(key, key): _renamed(value, names) for key, value in node.items()}
    return [_renamed(item, names) for item in node] if isinstance(node, list) else node


def _snake(node: Any) -> Any:
    if isinstance(node, list):
        return [_snake(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        "".join(f"_{mark.lower()}" if mark.isupper() else mark for mark in key): _snake(value)
        for key, value in node.items()
    }
