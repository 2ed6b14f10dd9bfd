"""Where docling says things are -> boxes in points, origin top-left. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from docling_core.types.doc import BoundingBox, DoclingDocument, TableItem

Box = tuple[float, float, float, float]

NO_BOX: Box = (math.nan, math.nan, math.nan, math.nan)

_EMU_PER_POINT = 12_700
"""docling gives slides in PowerPoint's own unit."""

_INSIDE = 3.0
"""Points by which a cell may stand out of the table's own box."""


@dataclass(frozen=True)
class Geometry:
    """The pages of a document and how to read its boxes."""

    sizes: Mapping[int, tuple[float, float]]
    """Page number -> width and height in points; NaN where nothing is drawn."""
    scale: float = 1.0
    """Points per unit of the document; NaN when its boxes are none of paper."""
    is_upright: bool = field(default=False, kw_only=True)
    """Boxes count from the top whatever they say."""

    @classmethod
    def of(cls, document: DoclingDocument) -> Geometry:
        """Slides are measured from the top, though older versions of docling called that
        BOTTOMLEFT; the boxes of a workbook count its cells."""
        kind = document.origin.mimetype if document.origin else ""
        is_slides = "presentation" in kind or "powerpoint" in kind
        is_sheets = "spreadsheet" in kind or "excel" in kind
        scale = math.nan if is_sheets else 1 / _EMU_PER_POINT if is_slides else 1.0
        sizes = {
            number: (_side(page.size.width * scale), _side(page.size.height * scale))
            for number, page in document.pages.items()
        }
        return cls(sizes, scale, is_upright=is_slides)

    def box(self, page_num: int, bbox: BoundingBox | None) -> Box:
        """A box of docling's on that page, within it; NO_BOX where it says nothing."""
        if bbox is None:
            return NO_BOX
        x0, x1 = sorted((bbox.l * self.scale, bbox.r * self.scale))
        y0, y1 = sorted((bbox.t * self.scale, bbox.b * self.scale))
        width, height = self.sizes.get(page_num, (math.nan, math.nan))
        if bbox.coord_origin.value == "BOTTOMLEFT" and not self.is_upright:
            y0, y1 = height - y1, height - y0
        if not all(map(math.isfinite, (x0, y0, x1, y1))):
            return NO_BOX
        # Comparing with NaN is false: a page without a size cuts nothing.
        x0, y0 = max(x0, 0.0), max(y0, 0.0)
        x1, y1 = (width if x1 > width else x1), (height if y1 > height else y1)
        return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else NO_BOX


def _side(points: float) -> float:
    """A side of a page; NaN when it is none."""
    return points if 0 < points < math.inf else math.nan


def union(boxes: Iterable[Box]) -> Box:
    """The box around the boxes that are known; NO_BOX if none is."""
    known = [box for box in boxes if box[0] == box[0]]
    if not known:
        return NO_BOX
    x0, y0, x1, y1 = zip(*known, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def table_to_row_boxes(item: TableItem, geometry: Geometry) -> tuple[list[int], list[Box]]:
    """Page (0 where the table has none) and box of each grid row of a table.

    Top and bottom are those of the cells that stand in this row alone: a cell over several rows
    would make them overlap. Left and right include such cells.
    """
    n_rows = item.data.num_rows
    pages = list(dict.fromkeys(prov.page_no for prov in item.prov))
    first = pages[0] if pages else 0
    cells = [cell for cell in item.data.table_cells if cell.bbox and cell.start_row_offset_idx >= 0]
    edges = np.full((n_rows, 4), np.nan)
    alone = np.full((n_rows, 4), np.nan)
    for cell in cells:
        box = geometry.box(first, cell.bbox)
        start, end = cell.start_row_offset_idx, min(cell.end_row_offset_idx, n_rows)
        _widen(edges[start:end], box)
        if end - start == 1:
            _widen(alone[start:end], box)
    for at in np.flatnonzero(np.isnan(alone[:, 0])):
        starting = [cell for cell in cells if cell.start_row_offset_idx == at]
        alone[at] = union(geometry.box(first, cell.bbox) for cell in starting)
    edges[:, [1, 3]] = alone[:, [1, 3]]
    edges[np.isnan(edges[:, 1])] = np.nan
    boxes: list[Box] = [(x0, y0, x1, y1) for x0, y0, x1, y1 in edges.tolist()]
    if len(pages) < 2:
        return [first] * n_rows, boxes
    areas = [
        (page, union(geometry.box(p.page_no, p.bbox) for p in item.prov if p.page_no == page))
        for page in pages
    ]
    return _place_rows(boxes, areas)


def _widen(edges: np.ndarray, box: Box) -> None:
    """Widen the boxes in place to hold this one too."""
    edges[:, :2] = np.fmin(edges[:, :2], box[:2])
    edges[:, 2:] = np.fmax(edges[:, 2:], box[2:])


def _place_rows(
    boxes: Sequence[Box], areas: Sequence[tuple[int, Box]]
) -> tuple[list[int], list[Box]]:
    """Pages of the rows of a table that runs over several: the next page starts where the rows
    begin at the top again.

    That must explain every row, each within the table's box on its page. Otherwise all rows go
    to the first page, and those that are not within its box lose theirs.
    """
    numbers, at, above = [], 0, -math.inf
    for box in boxes:
        if box[1] < above - _INSIDE:
            at += 1
        above = max(box[1], -math.inf) if box[1] == box[1] else above
        numbers.append(at)
    fits = at == len(areas) - 1 and all(
        box[0] != box[0] or _within(box, areas[number][1])
        for box, number in zip(boxes, numbers, strict=True)
    )
    if fits:
        return [areas[number][0] for number in numbers], list(boxes)
    page, area = areas[0]
    return [page] * len(boxes), [box if _within(box, area) else NO_BOX for box in boxes]


def _within(box: Box, area: Box) -> bool:
    return (
        box[0] >= area[0] - _INSIDE
        and box[1] >= area[1] - _INSIDE
        and box[2] <= area[2] + _INSIDE
        and box[3] <= area[3] + _INSIDE
    )
