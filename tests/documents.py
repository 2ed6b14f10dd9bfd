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
