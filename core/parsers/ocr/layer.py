"""A read picture -> a PDF page that shows it, its words as invisible text over it.

The layout and table models look at such a page as at any other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from core.parsers.pymupdf.rules import Rules
from core.parsers.pymupdf.words import Word

_INVISIBLE = 3
_LATIN, _OTHER = "helv", "other"


def picture_to_document(
    pymupdf: Any,
    picture: np.ndarray,
    words: Iterable[Word],
    rules: Rules,
    size: tuple[float, float],
) -> Any:
    """An open `pymupdf.Document` of one page of `size` points. The caller holds the lock."""
    document = pymupdf.open()
    page = document.new_page(width=size[0], height=size[1])
    height, width = picture.shape[:2]
    pixmap = pymupdf.Pixmap(pymupdf.csRGB, width, height, picture.tobytes(), False)
    page.insert_image(page.rect, pixmap=pixmap, keep_proportion=False)
    shape = page.new_shape()
    fonts = {_LATIN: pymupdf.Font("helv")}
    for word in words:
        name = _LATIN if word.text.isascii() else _OTHER
        if name not in fonts:
            fonts[name] = pymupdf.Font("cjk")
            page.insert_font(fontname=name, fontbuffer=fonts[name].buffer)
        printed = fonts[name].text_length(word.text, word.size)
        start = pymupdf.Point(word.box[0], word.baseline)
        stretch = pymupdf.Matrix((word.box[2] - word.box[0]) / max(printed, 1e-6), 1)
        shape.insert_text(
            start,
            word.text,
            fontname=name,
            fontsize=word.size,
            render_mode=_INVISIBLE,
            morph=(start, stretch),
        )
    for rule in rules.across:
        shape.draw_line((rule.start, rule.at), (rule.end, rule.at))
    for rule in rules.down:
        shape.draw_line((rule.at, rule.start), (rule.at, rule.end))
    if rules.across or rules.down:
        shape.finish(width=0.5, color=(0, 0, 0))
    shape.commit()
    return document
