"""Are the boxes of a ready frame PDF points from the top left? Asked of their extents. Pure.

Nothing is converted on a guess: a reading counts if it puts the boxes inside the page, in lines
of a height that text has, and over a good part of the page; the boxes are converted if it is the
only one that does. Otherwise they stay, and a note says what looks odd.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.frames import BOX_COLUMNS

INCH = 72.0
MARGIN = 36.0
"""Points around the boxes where the page size is not known."""

PIXELS_PER_INCH = (96, 100, 110, 120, 144, 150, 180, 200, 220, 240, 250, 300, 400, 600)

_INSIDE = 0.98
"""Share of the boxes that must lie on the page."""
_SLACK = 0.01
"""Of a page's size, by which a box may reach over its edge."""
_LINE_HEIGHT = (2.5, 160.0)
"""Median height of lines in points, from small print to paragraphs given as one line."""
_REACH = 0.17
"""Share of the page, in one direction at least, over which a document's boxes spread."""
_MANY = 10
"""Lines from which a document should spread so; a label or a title may be short."""
_FALLING = 0.9
"""Share of steps from line to line that go up the page, where y counts from the bottom."""
_MIN_STEPS = 4


@dataclass(frozen=True)
class Pages:
    """What is known about the pages."""

    sizes: pd.DataFrame
    """page_num, width, height in points; sizes may be NaN."""
    pixels: pd.DataFrame | None = None
    """The same in pixels, where the file beside is an image."""
    is_export: bool = False
    """The lines were exported by us: in points from the top left, whatever they look like."""


def to_points(line_df: pd.DataFrame, pages: Pages, notes: list[str]) -> pd.DataFrame:
    """The lines with boxes in points from the top left, as far as that is certain; adds notes."""
    if not pages.is_export:
        line_df = upright(line_df, notes)
    if not line_df[BOX_COLUMNS].notna().all(axis=1).any():
        return line_df
    size = _sizes_by_line(line_df, pages.sizes)
    if not len(_known(line_df[BOX_COLUMNS].to_numpy(np.float64), size)[0]):
        height = line_df["y1"].sub(line_df["y0"]).median()
        if height < _LINE_HEIGHT[0] and not pages.is_export:
            notes.append(
                f"The median line is {height:g} high: these boxes are hardly PDF points. Give the "
                f"PDF or image beside it, so that units can be checked against its pages."
            )
        return line_df if pages.is_export else _from_top(line_df, size, notes)
    readings = _readings(pages, line_df, size)
    boxes = line_df[BOX_COLUMNS].to_numpy(np.float64)
    fitting = {name: scale for name, scale in readings.items() if _fits(boxes * scale, size, name)}
    if "points" in fitting:
        if len(line_df) >= _MANY and len(fitting) > 1 and _reach(boxes, size) < _REACH:
            notes.append(_odd(boxes, size, list(fitting)))
    elif len(fitting) == 1 and not pages.is_export:
        [(name, scale)] = fitting.items()
        notes.append(f"The boxes are in {name}, by the size of the page: converted to points.")
        line_df = line_df.assign(**dict(zip(BOX_COLUMNS, (boxes * scale).T, strict=True)))
    else:
        notes.append(_odd(boxes, size, list(fitting)))
    return line_df if pages.is_export else _from_top(line_df, size, notes)


def upright(line_df: pd.DataFrame, notes: list[str]) -> pd.DataFrame:
    """Lines whose boxes name the upper side first though y counts from the bottom: sides swapped.

    Only if all boxes are so; single ones are an error of the frame.
    """
    upside_down = line_df["y1"] < line_df["y0"]
    boxed = line_df["y1"].notna() & line_df["y0"].notna() & (line_df["y1"] != line_df["y0"])
    if not boxed.any() or not upside_down[boxed].all():
        return line_df
    notes.append("In all boxes y1 is smaller than y0, as where y counts from the bottom: swapped.")
    return line_df.assign(y0=line_df["y1"], y1=line_df["y0"])


def sizes_from_boxes(line_df: pd.DataFrame, page_nums: list[int]) -> pd.DataFrame:
    """page_df of pages as large as the boxes need, with a margin; NaN without boxes."""
    reach = line_df.groupby("page_num")[["x1", "y1"]].max().reindex(page_nums) + MARGIN
    return pd.DataFrame(
        {
            "page_num": np.array(page_nums, dtype=np.int64),
            "width": reach["x1"].to_numpy(np.float64),
            "height": reach["y1"].to_numpy(np.float64),
            "rotation": np.zeros(len(page_nums), dtype=np.int64),
        }
    )


def _sizes_by_line(line_df: pd.DataFrame, sizes: pd.DataFrame) -> np.ndarray:
    by_page = sizes.set_index("page_num")[["width", "height"]]
    return by_page.reindex(line_df["page_num"]).to_numpy(np.float64)


def _readings(
    pages: Pages, line_df: pd.DataFrame, size: np.ndarray
) -> Mapping[str, np.ndarray | float]:
    """Factors to points by the name of the unit; per line where they depend on the page."""
    whole = np.tile(size, 2)
    readings: dict[str, np.ndarray | float] = {
        "points": 1.0,
        "inches": INCH,
        "fractions of the page": whole,
        "percent of the page": whole / 100,
        "thousandths of the page": whole / 1000,
    }
    if pages.pixels is not None:
        readings["pixels"] = np.tile(size / _sizes_by_line(line_df, pages.pixels), 2)
        same = np.nanmax(np.abs(readings["pixels"] - 1.0)) < _SLACK
        return {name: scale for name, scale in readings.items() if name != "pixels" or not same}
    return readings | {f"pixels at {dpi} dpi": INCH / dpi for dpi in PIXELS_PER_INCH}


def _fits(boxes: np.ndarray, size: np.ndarray, unit: str) -> bool:
    boxes, size = _known(boxes, size)
    if not len(boxes):
        return False
    slack = _SLACK * size
    inside = (boxes[:, :2] >= -slack).all(axis=1) & (boxes[:, 2:] <= size + slack).all(axis=1)
    height = np.median(boxes[:, 3] - boxes[:, 1])
    return bool(
        inside.mean() >= _INSIDE
        and _LINE_HEIGHT[0] <= height <= _LINE_HEIGHT[1]
        # Points are what the contract asks for: they need no further proof.
        and (unit == "points" or _reach(boxes, size) >= _REACH)
    )


def _reach(boxes: np.ndarray, size: np.ndarray) -> float:
    boxes, size = _known(boxes, size)
    return float((boxes[:, 2:] / size).max(initial=0.0))


def _known(boxes: np.ndarray, size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    known = np.isfinite(boxes).all(axis=1) & (size > 0).all(axis=1) & np.isfinite(size).all(axis=1)
    return boxes[known], size[known]


def _odd(boxes: np.ndarray, size: np.ndarray, fitting: list[str]) -> str:
    boxes, size = _known(boxes, size)
    reach, (width, height) = boxes[:, 2:].max(axis=0), size.max(axis=0)
    fitting = [name for name in fitting if name != "points"]
    if fitting and all(name.startswith("pixels") for name in fitting):
        guess = "They look like pixels, but of a resolution that cannot be told"
    elif fitting:
        guess = f"They may be {' or '.join(fitting[:3])}"
    else:
        guess = "They fit in no usual unit"
    return (
        f"Boxes reach to ({reach[0]:.4g}, {reach[1]:.4g}), but pages are {width:.0f} x "
        f"{height:.0f} points. {guess}: shown as they are, so they may lie in the wrong place. "
        f"Convert them to points from the top left."
    )


def _from_top(line_df: pd.DataFrame, size: np.ndarray, notes: list[str]) -> pd.DataFrame:
    """The lines with y from the top, if reading order shows that it counts from the bottom."""
    ordered = line_df.assign(_height=size[:, 1]).sort_values(["page_num", "line_num"])
    ordered = ordered[ordered["y0"].notna()]
    steps = ordered["y0"].diff()[ordered["page_num"].diff() == 0]
    steps = steps[steps != 0]
    falling = float((steps < 0).mean()) if len(steps) else 0.0
    if len(steps) < _MIN_STEPS or falling < 0.5:
        return line_df
    if falling < _FALLING:
        notes.append(
            f"On {falling:.0%} of the steps from line to line, boxes go up the page: check the "
            f"order of lines, and that y counts from the top."
        )
        return line_df
    height = pd.Series(size[:, 1], index=line_df.index)
    if not np.isfinite(height).all():
        extent = line_df.groupby("page_num")["y1"].transform("max") + MARGIN
        height = height.fillna(extent)
    notes.append("By the order of lines, y counts from the bottom of the page: turned over.")
    return line_df.assign(y0=height - line_df["y1"], y1=height - line_df["y0"])
