"""A page and what is drawn over it -> a picture as a data URI and shapes in points of the page.

The same signs as the app's page view: violet outline for a table, blue header rows, amber matched
rows with their number, stronger matched cells, dashed amber around a widened table.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from core.frames import BOX_COLUMNS

if TYPE_CHECKING:
    from PIL.Image import Image

JsonDict = dict[str, Any]
Box = Sequence[float]

USUAL_WIDTH = 595.0
"""Points of a page on which signs have their own size; on a larger page they grow with it."""
LOSSLESS_BYTES = 200_000
"""A picture that takes more without loss is kept with a loss that the eye hardly sees."""
QUALITY = 82
MOST_WEBP_PIXELS = 16_383
"""Pixels a side that WebP can hold."""
TALLEST = 1.7
"""Height by width up to which a page is shown as a whole; the longest usual paper has 1.65."""
PART_OF_PAGE = "The page is long: a part of it is shown."

_NUMBERED = 12
"""Rows that the text for who does not see the picture names."""
_MARGIN_FOR_NUMBERS = 24.0
_CHIP_HEIGHT, _LETTER = 12.0, 5.2
_CELL_PADDING = 2.0


@dataclass(frozen=True)
class Sheet:
    """A page as it is shown."""

    png: bytes
    overlay: JsonDict
    """What to draw over it, from `core.view.page.page_overlay`."""
    line_df: pd.DataFrame
    """Lines of the page where the picture has them: line_num and boxes in its points."""


def sheet_picture(sheet: Sheet, quoted: Collection[int] = ()) -> JsonDict:
    """Everything the template draws of a page.

    Args:
        sheet: the page.
        quoted: numbers of lines of text to light, which belong to no row.
    """
    page, tables = sheet.overlay["page"], sheet.overlay["tables"]
    lines = _boxes_of_lines(sheet.line_df, quoted)
    lit = [*lines, *(row["box"] for row in sheet.overlay["rows"] if row["matched"])]
    top, height = _window(page, [box[1] for box in lit])
    rows = [row for row in sheet.overlay["rows"] if _meets(row["box"], top, top + height)]
    margins = _left_margins(tables, rows)
    states = {table["id"]: table["state"] for table in tables}
    is_lit = bool(lit) or "widened" in states.values()
    part = "" if height >= page["height"] else PART_OF_PAGE
    return {
        "source": image_source(sheet.png, top / page["height"], height / page["height"]),
        "number": page["num"],
        "count": page["count"],
        "top": round(top, 2),
        "width": round(page["width"], 2),
        "height": round(height, 2),
        "unit": round(max(page["width"], 1.0) / USUAL_WIDTH, 3),
        "tables": [_table(table, margins[table["id"]], page["width"]) for table in tables],
        "rows": [
            _row(row, states.get(row["table"], "idle"), margins[row["table"]], page["width"])
            for row in rows
        ],
        "quoted": [_rect(_grown(box, 1.5)) for box in lines],
        "is_lit": is_lit,
        "holes": _holes(tables, rows, lines) if is_lit else [],
        "message": " ".join(filter(None, [sheet.overlay["message"], part])),
        "alt": _alt(page, tables, sheet.overlay["rows"], len(lines)),
        "legend": _legend(tables, rows, lines),
    }


def image_source(png: bytes, top: float = 0.0, height: float = 1.0) -> str:
    """A picture as a data URI, in whichever format is smallest: PNG, or WebP.

    Args:
        png: the picture.
        top, height: the part of it that is wanted, as shares of its height.
    """
    from PIL.Image import open as open_image

    with open_image(io.BytesIO(png)) as image:
        picture = image.convert("RGB")
    if height < 1:
        start = round(top * picture.height)
        end = min(picture.height, start + max(1, round(height * picture.height)))
        picture = picture.crop((0, start, picture.width, end))
        png = _encoded(picture, "PNG", optimize=True)
    tried = [(png, "png")]
    if max(picture.size) <= MOST_WEBP_PIXELS:
        tried.append((_encoded(picture, "WEBP", lossless=True, method=4), "webp"))
        if min(len(data) for data, _ in tried) > LOSSLESS_BYTES:
            tried.append((_encoded(picture, "WEBP", quality=QUALITY, method=4), "webp"))
    data, kind = min(tried, key=lambda one: len(one[0]))
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def _encoded(picture: Image, kind: str, **options: bool | int) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def _window(page: JsonDict, lit: Sequence[float]) -> tuple[float, float]:
    """Top and height of the part to show: all of a page as high as pages are, of a longer one what
    stands around the first place that is lit."""
    most = TALLEST * page["width"]
    if page["height"] <= most:
        return 0.0, page["height"]
    start = min(lit, default=0.0) - most / 4
    return max(0.0, min(start, page["height"] - most)), most


def _meets(box: Box, top: float, end: float) -> bool:
    return box[3] > top and box[1] < end


def _boxes_of_lines(line_df: pd.DataFrame, quoted: Collection[int]) -> list[list[float]]:
    lines = line_df[line_df["line_num"].isin(list(quoted))].dropna(subset=BOX_COLUMNS)
    boxes: list[list[float]] = lines[BOX_COLUMNS].to_numpy(dtype=float).tolist()
    return boxes


def _table(table: JsonDict, margin: tuple[float, bool], page_width: float) -> JsonDict:
    unit = max(page_width, 1.0) / USUAL_WIDTH
    x0, y0, x1, y1 = _grown(table["box"], 4 if table["state"] == "widened" else 2)
    header_end = max([y0 + 1, *(box[3] for box in table["header_boxes"])])
    width = (12 + len(table["label"]) * _LETTER) * unit
    height = _CHIP_HEIGHT * unit
    _, inside = margin
    chip = (x0, max(y0 - height, 0.0)) if inside else (x0 - width, header_end - height)
    return {
        "name": table["label"],
        "state": table["state"],
        "frame": _rect((x0, y0, x1, y1)),
        "headers": [_rect(box) for box in table["header_boxes"]],
        "sections": [_rect(box) for box in table["section_boxes"]],
        "chip": {**_rect((*chip, chip[0] + width, chip[1] + height))},
    }


def _row(row: JsonDict, state: str, margin: tuple[float, bool], page_width: float) -> JsonDict:
    x0, y0, x1, y1 = row["box"]
    x, inside = margin
    # Rows closer than a number is high get smaller numbers, not numbers on top of each other.
    unit = min(max(page_width, 1.0) / USUAL_WIDTH, max(1.0, y1 - y0) / 9.5)
    width = (7 + len(str(row["number"])) * _LETTER) * unit
    left = x + 2 if inside else x - width - 3 * unit
    middle = (y0 + y1) / 2
    return {
        "number": row["number"],
        "matched": row["matched"],
        "widened": state == "widened",
        "box": _rect((x0, y0, x1, y1)),
        "cells": [_rect(_within(_grown(cell, _CELL_PADDING), row["box"])) for cell in row["cells"]],
        "unit": round(unit, 3),
        "plate": _rect((left, middle - 5.5 * unit, left + width, middle + 5.5 * unit)),
    }


def _holes(
    tables: Sequence[JsonDict], rows: Sequence[JsonDict], lines: Sequence[Box]
) -> list[JsonDict]:
    """What the veil over the rest of the page leaves open."""
    open_: list[Box] = [row["box"] for row in rows if row["matched"]]
    for table in tables:
        if table["state"] == "widened":
            open_.append(table["box"])
        elif table["state"] == "matched":
            open_ += table["header_boxes"]
    return [_rect(_grown(box, 1)) for box in [*open_, *lines]]


def _left_margins(
    tables: Sequence[JsonDict], rows: Sequence[JsonDict]
) -> dict[str, tuple[float, bool]]:
    """Where each table's row numbers stand, and whether in it, for the page ends there."""
    starts = {table["id"]: float(table["box"][0]) for table in tables}
    for row in rows:
        starts[row["table"]] = min(starts.get(row["table"], row["box"][0]), row["box"][0])
    return {
        name: (max(x, 0.0), True) if x < _MARGIN_FOR_NUMBERS else (x - 2, False)
        for name, x in starts.items()
    }


def _legend(
    tables: Sequence[JsonDict], rows: Sequence[JsonDict], lines: Sequence[Box]
) -> list[JsonDict]:
    """The signs that occur on the page."""
    matched = [row for row in rows if row["matched"]]
    seen = {
        ("table", "Table"): tables,
        ("header", "Header rows"): [box for table in tables for box in table["header_boxes"]],
        ("matched", "Matched row"): matched,
        ("cell", "Matched cell"): [cell for row in matched for cell in row["cells"]],
        ("widened", "Widened table"): [one for one in tables if one["state"] == "widened"],
        ("quoted", "Quoted text"): lines,
    }
    return [{"sign": sign, "name": name} for (sign, name), found in seen.items() if found]


def _alt(page: JsonDict, tables: Sequence[JsonDict], rows: Sequence[JsonDict], n_lines: int) -> str:
    said = [f"Page {page['num']} of {page['count']}"]
    said += [_table_said(table, rows) for table in tables]
    if n_lines:
        said.append(f"{n_lines} quoted {'line' if n_lines == 1 else 'lines'} of text")
    return "; ".join(said) + "."


def _table_said(table: JsonDict, rows: Sequence[JsonDict]) -> str:
    said = f"table {table['label']}"
    if table["state"] == "widened":
        said += ", widened"
    matched = [row for row in rows if row["matched"] and row["table"] == table["id"]]
    if not matched:
        return said
    named = ", ".join(str(row["number"]) for row in matched[:_NUMBERED])
    more = f" and {len(matched) - _NUMBERED} more" if len(matched) > _NUMBERED else ""
    hits = list(dict.fromkeys(name for row in matched for name in row["hits"]))[:3]
    where = f" (in {', '.join(hits)})" if hits else ""
    return f"{said}, matched {'row' if len(matched) == 1 else 'rows'} {named}{more}{where}"


def _grown(box: Box, by: float) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = box
    return x0 - by, y0 - by, x1 + by, y1 + by


def _within(box: Box, outer: Box) -> tuple[float, float, float, float]:
    return (
        max(box[0], outer[0]),
        max(box[1], outer[1]),
        min(box[2], outer[2]),
        min(box[3], outer[3]),
    )


def _rect(box: Box) -> JsonDict:
    x0, y0, x1, y1 = box
    return {
        "x": round(x0, 2),
        "y": round(y0, 2),
        "width": round(max(0.0, x1 - x0), 2),
        "height": round(max(0.0, y1 - y0), 2),
    }
