"""Page sizes that come with a ready frame, or with the image beside it."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd

from core.parsers.base import Source
from core.parsers.column_names import ALIASES, plain_name
from core.parsers.formats import Format, detect_format

_NAMES = {
    "page_num": (*ALIASES["page_num"], "number"),
    "width": ("width", "page_width", "w"),
    "height": ("height", "page_height", "h"),
    "rotation": ("rotation", "rotate"),
}


def to_page_df(raw: pd.DataFrame, shift: int, notes: list[str]) -> pd.DataFrame | None:
    """The page_df of a file: page_num, width, height, rotation; None, and a note, if it is none.

    Args:
        shift: what was added to the page numbers of the lines.
    """
    found = {}
    for name, aliases in _NAMES.items():
        column = next((c for c in raw.columns if plain_name(str(c)) in aliases), None)
        if column is not None:
            values = raw[column].map(lambda value: value if np.isscalar(value) else np.nan)
            found[name] = pd.to_numeric(values, errors="coerce").to_numpy(np.float64)
    if not {"page_num", "width", "height"} <= set(found):
        notes.append(
            "The page sizes in the file are not used: page_num, width, height are missing."
        )
        return None
    pages = pd.DataFrame({"rotation": 0.0, **found})
    # One page at 0 while the lines count from 1 cannot be: then the pages count by themselves.
    pages["page_num"] += max(shift, int(pages["page_num"].min() == 0))
    good = np.isfinite(pages["page_num"]) & pages["page_num"].between(1, 10**7)
    good &= (pages["page_num"] % 1 == 0) & ~pages["page_num"].duplicated()
    if not good.all():
        notes.append(
            f"{int((~good).sum())} page sizes in the file have no page number of their own."
        )
    sizes = pages[["width", "height"]].where(lambda size: (size > 0) & (size < 1e6))
    turned = pages["rotation"].where(pages["rotation"].isin([0, 90, 180, 270]), 0)
    pages = pages.assign(width=sizes["width"], height=sizes["height"], rotation=turned)[good]
    return pages.astype({"page_num": np.int64, "rotation": np.int64})


def page_pixels(beside: Source) -> pd.DataFrame | None:
    """Size of an image in pixels, as the page_df of its only page; None for a PDF."""
    if detect_format(beside) is not Format.IMAGE:
        return None
    from PIL import Image

    try:
        with Image.open(io.BytesIO(beside.data)) as image:
            if getattr(image, "n_frames", 1) > 1:
                return None
            width, height = image.size
            if image.getexif().get(0x0112, 1) >= 5:  # shown on its side
                width, height = height, width
    except Exception:  # read_pages has opened it; without pixels there is one reading less
        return None
    return pd.DataFrame({"page_num": [1], "width": [float(width)], "height": [float(height)]})
