"""A saved output's boxes, fitted to the pages of the file it describes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from core.frames import BOX_COLUMNS
from core.parsers.base import ParsedDocument, Source
from core.parsers.mupdf import open_document

_SAME_SHAPE = 0.03
"""Page proportions closer than this share are the same: sizes are often rounded."""


def read_pages(source: Source, password: str | None = None) -> pd.DataFrame:
    """page_df of a PDF or an image: page_num, width and height in points as displayed, rotation.

    A damaged page has no size (NaN).

    Raises:
        PasswordRequired: encrypted, and the password is missing or wrong.
        LimitExceeded: an image with more pixels than `core.limits` allows.
        DocumentError: neither PDF nor image, or damaged.
    """
    rows = []
    with open_document(source, password, wanted=()) as document:
        for index in range(document.page_count):
            try:
                page = document.load_page(index)
                rows.append((index + 1, page.rect.width, page.rect.height, page.rotation))
            except Exception:  # one damaged page must not cost the others
                rows.append((index + 1, np.nan, np.nan, 0))
    types = {"page_num": "int64", "width": "float64", "height": "float64", "rotation": "int64"}
    return pd.DataFrame(rows, columns=list(types)).astype(types)


def fit_to_pages(document: ParsedDocument, page_df: pd.DataFrame) -> ParsedDocument:
    """The document with its boxes scaled to the pages of `page_df`, sizes and rotation taken over.

    Pages are matched by number. Pages that `page_df` does not have stay as they are; pages
    without a size of their own keep their boxes. Each mismatch becomes a note. Pure.
    """
    own = document.page_df.set_index("page_num")[["width", "height"]]
    shown = page_df.set_index("page_num")[["width", "height", "rotation"]]
    target = shown.reindex(own.index)
    scale = target[["width", "height"]] / own.where(own > 0)
    scale = scale.where(np.isfinite(scale) & (scale > 0), 1.0)

    factors = scale.reindex(document.line_df["page_num"]).fillna(1.0).to_numpy()
    boxes = document.line_df[BOX_COLUMNS].to_numpy(np.float64) * factors[:, [0, 1, 0, 1]]
    line_df = document.line_df.assign(**dict(zip(BOX_COLUMNS, boxes.T, strict=True)))

    is_shown = own.index.isin(shown.index)
    sizes = {
        name: np.where(is_shown, target[name], document.page_df[name]).astype(np.float64)
        for name in ("width", "height")
    }
    rotation = np.where(is_shown, target["rotation"].fillna(0), document.page_df["rotation"])
    return replace(
        document,
        line_df=line_df,
        page_df=document.page_df.assign(**sizes, rotation=rotation.astype(np.int64)),
        notes=(*document.notes, *_mismatches(own, shown, scale, is_shown)),
    )


def _mismatches(
    own: pd.DataFrame, shown: pd.DataFrame, scale: pd.DataFrame, is_shown: np.ndarray
) -> list[str]:
    notes = []
    if not is_shown.all():
        missing = _numbers(own.index[~is_shown])
        notes.append(
            f"The file shown has {len(shown)} page{'s' * (len(shown) != 1)}, so {missing} of what "
            f"was parsed cannot be shown: check that the two belong together."
        )
    unread = shown.index[~shown.index.isin(own.index)]
    if len(unread):
        notes.append(f"What was parsed does not hold {_numbers(unread)} of the file shown.")
    stretch = (scale["width"] / scale["height"] - 1).abs().to_numpy()
    if (stretch > _SAME_SHAPE).any():
        odd = _numbers(own.index[stretch > _SAME_SHAPE])
        notes.append(
            f"The file shown has other proportions on {odd} than what was parsed, so boxes may "
            f"lie off there: check that the two belong together."
        )
    return notes


def _numbers(pages: pd.Index) -> str:
    numbers = [str(page) for page in pages]
    if len(numbers) == 1:
        return f"page {numbers[0]}"
    if len(numbers) > 6:
        return f"{len(numbers)} pages ({numbers[0]} to {numbers[-1]})"
    return f"pages {', '.join(numbers)}"
