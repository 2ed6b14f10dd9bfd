"""Pages drawn from lines: each text stands in its box, and lines without boxes get some."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from core.frames import BOX_COLUMNS
from core.render_lines import MAX_LINES, draw_lines, set_out_lines


def lines(*texts: str) -> pd.DataFrame:
    boxes = dict.fromkeys(BOX_COLUMNS, np.nan)
    numbers = range(1, len(texts) + 1)
    return pd.DataFrame({"page_num": 1, "line_num": numbers, "text": texts} | boxes)


def dark(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)).convert("L")) < 200


@pytest.mark.parametrize("text", ["A word of it", "| Van | Lyon | 1200 |", "名前と値", "مرحبا"])
def test_the_ink_of_a_line_lies_in_its_box(text: str) -> None:
    frame = lines(text).assign(x0=50.0, y0=60.0, x1=250.0, y1=80.0)
    image = draw_lines(frame, 300, 200, dpi=144)
    assert (image.width_px, image.height_px) == (600, 400)
    y, x = np.nonzero(dark(image.png))
    assert x.size > 20
    assert 98 <= x.min() <= x.max() <= 502
    assert 118 <= y.min() <= y.max() <= 162


def test_a_long_text_is_cut_at_the_end_of_its_box() -> None:
    frame = lines("word " * 200).assign(x0=50.0, y0=60.0, x1=150.0, y1=75.0)
    _, x = np.nonzero(dark(draw_lines(frame, 300, 200, dpi=72).png))
    assert 100 < x.max() <= 156


def test_lines_are_set_out_one_below_the_other() -> None:
    frame = lines("Fleet", "| Vehicle | Depot |", "|---|---|", "| Van | Lyon |", "", "x " * 150)
    placed, width, height = set_out_lines(frame, 1)
    boxes = placed[BOX_COLUMNS].to_numpy()
    assert (boxes[1:, 1] == boxes[:-1, 3]).all()
    assert (boxes[:, 2] < width).all()
    assert boxes[-1, 3] < height
    tall = boxes[:, 3] - boxes[:, 1]
    assert tall[5] > tall[0] == tall[1] == tall[3] > tall[2] == tall[4] > 0
    assert placed["text"].tolist() == frame["text"].tolist()


def test_of_a_very_long_page_the_beginning_is_set_out() -> None:
    placed, _, _ = set_out_lines(lines(*["line"] * (MAX_LINES + 50)), 1)
    assert len(placed) == MAX_LINES


def test_a_page_without_lines_is_an_empty_sheet() -> None:
    placed, width, height = set_out_lines(lines("a"), 2)
    assert placed.empty
    assert not dark(draw_lines(placed, width, height).png).any()
