"""Boxes lie where the ink is, on whatever page: turned, cropped, moved, scaled, huge or tiny.

Each row of the table is printed in a colour of its own. On the rendered page, the pixels of that
colour lie in the row's box, and no other row's do.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pymupdf
import pytest

from core.frames import BOX_COLUMNS
from core.parsers import ParsedDocument, parse_document
from core.render import render_page

ROWS = [
    ["Covered event", "Cap", "Deductible"],
    ["Vehicle theft", "25,000 EUR", "500 EUR"],
    ["Fire", "40,000 EUR", "250 EUR"],
    ["Hail damage", "8,000 EUR", "150 EUR"],
    ["Glass breakage", "1,500 EUR", "75 EUR"],
    ["Flood", "30,000 EUR", "750 EUR"],
    ["Earthquake", "30,000 EUR", "1,000 EUR"],
    ["Keys lost", "1,200 EUR", "100 EUR"],
    ["Vandalism", "10,000 EUR", "500 EUR"],
]
SENTENCE = "The insurer pays for the events below, each up to its cap."
COLOURS = [
    *((1.0, 0.0, 0.0), (0.0, 0.7, 0.0), (0.0, 0.0, 1.0), (0.0, 0.7, 0.7), (0.8, 0.0, 0.8)),
    *((1.0, 0.5, 0.0), (0.0, 0.5, 1.0), (0.5, 0.0, 1.0), (1.0, 0.0, 0.5), (0.75, 0.75, 0.0)),
]
"""Of the rows, and then of the sentence above them."""

WIDTH, HEIGHT = 500.0, 480.0
COLUMN_X = (72.0, 172.0, 272.0, 372.0)
TOP, STEP = 200.0, 24.0

SAME_COLOUR = 0.98
"""Cosine between what two pixels take from white light."""

TOL_PX = 2
"""Pixels: the one a box's edge falls in, and the blur at the edge of a letter."""


@dataclass(frozen=True)
class Page:
    """How the same page is put down in a file."""

    rotation: int = 0
    cropped: bool = False
    moved: bool = False
    unit: float = 1
    scale: float = 1
    ruled: bool = True

    def __str__(self) -> str:
        parts = [f"/Rotate {self.rotation}"]
        parts += ["cropped"] * self.cropped + ["moved"] * self.moved
        parts += [f"UserUnit {self.unit:g}"] * (self.unit != 1)
        parts += [f"{WIDTH * self.scale:g} wide"] * (self.scale != 1)
        return ", ".join([*parts, "ruled" if self.ruled else "no rules"])


PAGES = [
    *(Page(rotation, ruled=ruled) for rotation in (0, 90, 180, 270) for ruled in (True, False)),
    *(Page(rotation, cropped=True) for rotation in (0, 90, 180, 270)),
    *(Page(rotation, moved=True, ruled=False) for rotation in (0, 90, 180, 270)),
    Page(unit=4),
    Page(90, cropped=True, moved=True, unit=2.5),
    Page(180, cropped=True, moved=True, unit=0.5, ruled=False),
    Page(270, cropped=True, moved=True, unit=2.5, ruled=False),
    Page(scale=14_400 / WIDTH),
    Page(90, cropped=True, scale=14_400 / WIDTH, ruled=False),
    Page(270, moved=True, unit=10, scale=14_400 / WIDTH),
    Page(scale=20 / WIDTH),
    Page(90, cropped=True, scale=20 / WIDTH, ruled=False),
    Page(270, moved=True, unit=20, scale=20 / WIDTH),
]


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_boxes_hold_their_own_ink_and_no_other(page: Page) -> None:
    data = page_pdf(page)
    result = parse_document(data)
    text = result.line_df["text"].tolist()
    assert [line for line in text if line.startswith("| ")] == [
        f"| {' | '.join(row)} |" for row in ROWS
    ]
    assert text[0] == SENTENCE
    assert_each_line_holds_its_ink(data, result)


def assert_each_line_holds_its_ink(data: bytes, result: ParsedDocument) -> None:
    image = render_page(data, 1, dpi=72 * 1500 / float(result.page_df["width"].iloc[0]))
    assert (image.width, image.height) == tuple(result.page_df.loc[0, ["width", "height"]])
    lines = result.line_df[~result.line_df["text"].str.startswith("|---")]
    lines = pd.concat([lines.iloc[1:], lines.iloc[:1]])
    scale = image.width_px / image.width
    inks = coloured(image.png)
    for line, colour in zip(lines.to_dict("records"), COLOURS, strict=True):
        y, x = np.nonzero(inks[colour])
        x0, y0, x1, y1 = (line[name] * scale for name in BOX_COLUMNS)
        assert x.size > 50
        assert x0 - TOL_PX <= x.min(), line["text"]
        assert x.max() <= x1 + TOL_PX, line["text"]
        assert y0 - TOL_PX <= y.min(), line["text"]
        assert y.max() <= y1 + TOL_PX, line["text"]
        inside = np.zeros(next(iter(inks.values())).shape, bool)
        inside[round(y0) + TOL_PX : round(y1) - TOL_PX, round(x0) : round(x1)] = True
        for other in set(COLOURS) - {colour}:
            assert not (inside & inks[other]).any(), line["text"]


def coloured(png: bytes) -> dict[tuple[float, ...], np.ndarray]:
    """For each colour, which pixels (height, width) are of it."""
    pixmap = pymupdf.Pixmap(png)
    light = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 3)
    taken = 1 - light / 255
    strength = np.linalg.norm(taken, axis=2)
    inks: dict[tuple[float, ...], np.ndarray] = {}
    for colour in COLOURS:
        wanted = 1 - np.array(colour)
        along = taken @ wanted / np.linalg.norm(wanted)
        inks[colour] = (strength > 0.4) & (along > SAME_COLOUR * strength)
    return inks


def page_pdf(page: Page) -> bytes:
    """The table page stored turned, with a /Rotate that turns it back, as scanners do."""
    drawn = pymupdf.open(stream=upright_pdf(page.ruled))
    width, height = WIDTH * page.scale, HEIGHT * page.scale
    if page.rotation in (90, 270):
        width, height = height, width
    document = pymupdf.open()
    made = document.new_page(width=width, height=height)
    made.show_pdf_page(made.rect, drawn, 0, rotate=page.rotation)
    made.set_rotation(page.rotation)
    if page.cropped:
        shown = pymupdf.Rect(40, 30, 460, 450) * pymupdf.Matrix(page.scale, page.scale)
        made.set_cropbox(shown * made.derotation_matrix)
    if page.moved:
        move_origin(document, made, -20.5, -31)
    if page.unit != 1:
        document.xref_set_key(made.xref, "UserUnit", f"{page.unit:g}")
    return bytes(document.tobytes())


def move_origin(document: Any, page: Any, dx: float, dy: float) -> None:
    """Shift a page's boxes and what is drawn in it, so that its origin is not 0, 0."""
    for key in ("MediaBox", "CropBox"):
        kind, value = document.xref_get_key(page.xref, key)
        if kind != "array":
            continue
        x0, y0, x1, y1 = (float(edge) for edge in value.strip("[]").split())
        box = f"[{x0 + dx:g} {y0 + dy:g} {x1 + dx:g} {y1 + dy:g}]"
        document.xref_set_key(page.xref, key, box)
    for xref in page.get_contents():
        moved = b"q 1 0 0 1 %g %g cm\n" % (dx, dy) + document.xref_stream(xref) + b"\nQ"
        document.update_stream(xref, moved)


def upright_pdf(ruled: bool) -> bytes:
    document = pymupdf.open()
    page = document.new_page(width=WIDTH, height=HEIGHT)
    page.insert_text((72, 120), SENTENCE, color=COLOURS[-1])
    for at, row in enumerate(ROWS):
        for x, text in zip(COLUMN_X, row, strict=False):
            font = "helv" if at else "hebo"
            place = (x + 4, TOP + at * STEP + 16)
            page.insert_text(place, text, fontsize=10, fontname=font, color=COLOURS[at])
    bottom = TOP + len(ROWS) * STEP
    if ruled:
        grey = {"width": 0.5, "color": (0.6, 0.6, 0.6)}
        for at in range(len(ROWS) + 1):
            y = TOP + at * STEP
            page.draw_line((COLUMN_X[0], y), (COLUMN_X[-1], y), **grey)
        for x in COLUMN_X:
            page.draw_line((x, TOP), (x, bottom), **grey)
    return bytes(document.tobytes())


# Public documents -----------------------------------------------------------------------------


def test_rows_of_public_documents_lie_on_their_words(shared: Path) -> None:
    folder = shared / "documents"
    paths = [
        *sorted(folder.glob("icdar2013/**/*.pdf"))[::12],
        *sorted(folder.glob("peers/*.pdf"))[::6],
    ]
    assert paths
    for path in paths[:10]:
        assert rows_off_their_words(path, max_pages=2) == [], path.name


def rows_off_their_words(path: Path, max_pages: int) -> list[str]:
    """Table rows of which a word is not printed within their box on the displayed page."""
    with pymupdf.open(path) as document:
        pages = range(1, min(document.page_count, max_pages) + 1)
        words = {number: displayed_words(document[number - 1]) for number in pages}
    line_df = parse_document(path, pages=pages).line_df
    rows = line_df[line_df["text"].str.startswith("| ")]
    off = []
    for row in rows.to_dict("records"):
        x0, y0, x1, y1 = (row[name] for name in BOX_COLUMNS)
        inside = {
            text
            for text, x, y in words[row["page_num"]]
            if x0 - 1.5 <= x <= x1 + 1.5 and y0 - 1.5 <= y <= y1 + 1.5
        }
        printed = row["text"].strip("|").replace("<br>", " ").replace("|", " ").split()
        known = {text for text, _, _ in words[row["page_num"]]}
        off += [f"{word} of {row['text']}" for word in printed if word in known - inside]
    return off


def displayed_words(page: Any) -> list[tuple[str, float, float]]:
    """Words of a page with their middles, in points of the displayed page."""
    found = []
    for x0, y0, x1, y1, text, *_ in page.get_text("words"):
        box = pymupdf.Rect(x0, y0, x1, y1) * page.rotation_matrix
        found.append((text, (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2))
    return found
