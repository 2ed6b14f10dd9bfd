"""Small PDFs made on the spot, for what the samples do not show."""

from __future__ import annotations

import pymupdf


def text_pdf(*paragraphs: str) -> bytes:
    """One page of text without any table."""
    with pymupdf.open() as document:
        page = document.new_page()
        for at, paragraph in enumerate(paragraphs):
            page.insert_textbox((72, 72 + 90 * at, 523, 150 + 90 * at), paragraph, fontsize=11)
        return document.tobytes()


def scan_pdf() -> bytes:
    """One page that is only a picture."""
    with pymupdf.open() as document:
        page = document.new_page()
        picture = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 200, 200), False)
        picture.clear_with(180)
        page.insert_image((100, 100, 400, 400), pixmap=picture)
        return document.tobytes()


def table_pdf(header: list[str], rows: list[list[str]]) -> bytes:
    """One page with a ruled table."""
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((72, 80), "Fleet overview", fontsize=16)
        left, top, width, height = 72.0, 110.0, 450.0 / len(header), 24.0
        for y, row in enumerate([header, *rows]):
            for x, cell in enumerate(row):
                box = (
                    left + x * width,
                    top + y * height,
                    left + (x + 1) * width,
                    top + (y + 1) * height,
                )
                page.draw_rect(box)
                page.insert_text((box[0] + 6, box[3] - 8), cell, fontsize=10)
        return document.tobytes()


def sideways_pdf(clockwise: bool) -> bytes:
    """The table of `table_pdf`, printed sideways on an upright page."""
    rows = [["Truck", "12", "Lyon"], ["Van", "34", "Ghent"], ["Tram", "5", "Porto"]]
    drawn = pymupdf.open(stream=table_pdf(["Vehicle", "Number", "Depot"], rows))
    with pymupdf.open() as document:
        page = document.new_page(width=drawn[0].rect.height, height=drawn[0].rect.width)
        page.show_pdf_page(page.rect, drawn, 0, rotate=-90 if clockwise else 90)
        return document.tobytes()


def spanning_pdf() -> bytes:
    """One page with a table of three rules and a spanning label, as journals print them."""
    x, top, step = (72, 220, 300, 400, 480), 110.0, 18.0
    rows = [
        ["Reactor", "10 bar", "20 bar", "10 bar", "20 bar"],
        ["Alpha", "1.5", "1.9", "0.4", "0.6"],
        ["Beta", "2.5", "2.7", "0.3", "0.5"],
        ["Gamma", "3.5", "3.8", "0.2", "0.7"],
        ["Delta", "4.5", "4.9", "0.1", "0.3"],
    ]
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((72, 90), "Table 7. Yield and loss by pressure.", fontsize=10)
        for label, start, end in (("Yield", 220, 332), ("Loss", 400, 512)):
            width = pymupdf.get_text_length(label, fontsize=10)
            page.insert_text(((start + end - width) / 2, top + 12), label, fontsize=10)
            page.draw_line((start, top + 17), (end, top + 17), width=0.4)
        for at, row in enumerate(rows, start=1):
            for left, text in zip(x, row, strict=True):
                page.insert_text((left, top + at * step + 13), text, fontsize=10)
        for y in (top, top + 2 * step, top + 6 * step):
            page.draw_line((72, y), (512, y), width=0.8)
        return document.tobytes()
