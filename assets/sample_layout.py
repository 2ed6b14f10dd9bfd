"""How the sample documents look: fonts, styles, page furniture and tables, built on reportlab."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from reportlab import rl_config
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.enums import TA_LEFT, TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    HRFlowable,
    KeepTogether,
    PageTemplate,
    Paragraph,
    Table,
)

from assets.sample_content import TableContent

PAGE_WIDTH, PAGE_HEIGHT = A4
MARGIN: Final = 72.0
TOP: Final = 84.0
BOTTOM: Final = 78.0
TEXT_WIDTH: Final = PAGE_WIDTH - 2 * MARGIN
HANGING_INDENT: Final = 30.0
CELL_PADDING: Final = 8.0
# A table that may break starts on the next page when less height than this is left.
MIN_HEIGHT_BEFORE_BREAK: Final = 100.0
# A shallow index: reportlab's own would touch the line below.
SUBSCRIPT: Final = "<sub rise='1.6' size='6.4'>"

INK: Final = HexColor("#1c2430")
MUTED: Final = HexColor("#5d6878")
ACCENT: Final = HexColor("#1f4e5f")
HAIRLINE: Final = HexColor("#cfd6dd")
BAND: Final = HexColor("#edf2f4")

# name in the styles: (package, file). The packages are the ones that carry these OFL fonts on PyPI.
SERIF_PACKAGE: Final = "fontpkg-ibm-plex-serif"
SANS_PACKAGE: Final = "fontpkg-ibm-plex-sans-condensed"
FONTS: Final = {
    "Serif": (SERIF_PACKAGE, "IBMPlexSerif-Regular.ttf"),
    "Serif-Bold": (SERIF_PACKAGE, "IBMPlexSerif-SemiBold.ttf"),
    "Serif-Italic": (SERIF_PACKAGE, "IBMPlexSerif-Italic.ttf"),
    "Sans": (SANS_PACKAGE, "IBMPlexSansCondensed-Regular.ttf"),
    "Sans-Bold": (SANS_PACKAGE, "IBMPlexSansCondensed-SemiBold.ttf"),
}


class FontMissingError(RuntimeError):
    """A font package is not installed."""


class Furniture(NamedTuple):
    """What stands at the head and foot of the pages; the header is left out on page 1."""

    head_left: str
    head_right: str
    foot_left: str


class Column(NamedTuple):
    """A table column: its width in points and how its cells are aligned.

    `inset` keeps right-aligned cells off the right edge. Numbers then stand under the beginning of
    a label that spans their column and the next, and the gap between the two columns lies to the
    right of the label's end: a reader that splits columns at gaps does not cut the label.
    """

    width: float
    align: Literal["left", "right"] = "left"
    inset: float = 0.0


class TableLook(NamedTuple):
    """Columns, rules, and whether the table may run over a page break."""

    columns: tuple[Column, ...]
    rules: Literal["ruled", "booktabs"] = "ruled"
    may_break: bool = False
    mid_rules_above: tuple[int, ...] = ()
    bold_cells: frozenset[tuple[int, int]] = frozenset()


# ------------------------------------------------------------------------------------- fonts


def font_path(package: str, file_name: str) -> Path:
    """Return the path of a font file inside an installed font package."""
    spec = find_spec(package.replace("-", "_"))
    if spec is None or spec.origin is None:
        raise FontMissingError(
            f"The font package {package!r} is not installed. "
            "Run: pip install -r tests/requirements.txt"
        )
    path = Path(spec.origin).parent / "files" / file_name
    if not path.is_file():
        raise FontMissingError(f"{package!r} has no file {file_name!r}; install the pinned version")
    return path


def register_fonts() -> None:
    """Make the fonts known to reportlab and let <b> and <i> find their cuts."""
    for name, (package, file_name) in FONTS.items():
        pdfmetrics.registerFont(TTFont(name, font_path(package, file_name)))
    pdfmetrics.registerFontFamily(
        "Serif", normal="Serif", bold="Serif-Bold", italic="Serif-Italic", boldItalic="Serif-Bold"
    )
    pdfmetrics.registerFontFamily(
        "Sans", normal="Sans", bold="Sans-Bold", italic="Sans", boldItalic="Sans-Bold"
    )


# ------------------------------------------------------------------------------------ styles


def text_style(name: str, font: str, size: float, leading: float, **more: Any) -> ParagraphStyle:
    """Return a left-aligned paragraph style in the text colour."""
    options: dict[str, Any] = {
        "textColor": INK,
        "bulletFontName": font,
        "bulletFontSize": size,
        "allowWidows": 0,
        "allowOrphans": 0,
    } | more
    return ParagraphStyle(name, fontName=font, fontSize=size, leading=leading, **options)


KICKER: Final = text_style("kicker", "Sans-Bold", 9, 12, textColor=ACCENT, spaceAfter=10)
TITLE: Final = text_style("title", "Serif-Bold", 25, 30, spaceAfter=5)
SUBTITLE: Final = text_style("subtitle", "Serif-Italic", 11.5, 16, textColor=MUTED)
LEAD: Final = text_style("lead", "Serif", 9.6, 14.4, spaceAfter=8)
HEADING: Final = text_style(
    "heading",
    "Serif-Bold",
    12,
    16,
    textColor=ACCENT,
    leftIndent=HANGING_INDENT,
    spaceBefore=13,
    spaceAfter=4,
    keepWithNext=1,
)
BODY: Final = text_style("body", "Serif", 9.6, 14.4, leftIndent=HANGING_INDENT, spaceAfter=5.5)
CAPTION: Final = text_style(
    "caption", "Sans", 8.8, 12, textColor=MUTED, spaceBefore=7, spaceAfter=5
)
REFERENCE: Final = text_style("reference", "Serif", 8.6, 12.6, leftIndent=HANGING_INDENT)


def cell_style(column: Column, *, header: bool) -> ParagraphStyle:
    """Return the style of the cells in a column."""
    return text_style(
        "header-cell" if header else "cell",
        "Sans-Bold" if header else "Sans",
        8.8,
        11.4,
        alignment=TA_RIGHT if column.align == "right" else TA_LEFT,
        rightIndent=column.inset,
        textColor=ACCENT if header else INK,
    )


# ----------------------------------------------------------------------------------- flowables


def title_block(kicker: str, title: str, subtitle: str) -> list[Flowable]:
    """Return the head of a first page, closed by a rule."""
    return [
        Paragraph(kicker, KICKER),
        Paragraph(title, TITLE),
        Paragraph(subtitle, SUBTITLE),
        rule(ACCENT, 1.1, before=14, after=14),
    ]


def rule(color: Color, thickness: float, *, before: float, after: float) -> HRFlowable:
    """Return a horizontal rule over the whole width available."""
    return HRFlowable(
        width="100%", thickness=thickness, color=color, spaceBefore=before, spaceAfter=after
    )


def heading(number: int, title: str) -> Paragraph:
    """Return a numbered heading whose number hangs in the margin; it enters the outline."""
    paragraph = Paragraph(title, HEADING, bulletText=f"{number} ")
    paragraph.outline_title = f"{number} {title}"
    return paragraph


def clause(text: str, number: str = "") -> Paragraph:
    """Return a paragraph of prose, with its hanging clause number where it has one."""
    return Paragraph(text, BODY, bulletText=f"{number} " if number else None)


def spanned_columns(row: Sequence[str]) -> list[tuple[int, int]]:
    """Return (first, last) of each label that the blank cells right of it belong to."""
    spans: list[tuple[int, int]] = []
    for index, label in enumerate(row):
        if label:
            spans.append((index, index))
        elif spans:
            spans[-1] = (spans[-1][0], index)
    return [(first, last) for first, last in spans if last > first]


def header_cell(label: str, column: Column, *, spanning: bool) -> list[Flowable] | str:
    """Return the content of a header cell; a spanning label stands left, over a thin rule."""
    if not label:
        return ""
    if not spanning:
        return [Paragraph(label, cell_style(column, header=True))]
    style = cell_style(Column(column.width), header=True)
    return [Paragraph(label, style), rule(MUTED, 0.5, before=2, after=0)]


def body_cell(text: str, column: Column, *, bold: bool) -> Paragraph | str:
    """Return the content of a body cell."""
    if not text:
        return ""
    marked = text.replace("<sub>", SUBSCRIPT)
    style = cell_style(column, header=False)
    return Paragraph(f"<b>{marked}</b>" if bold else marked, style)


def table_cells(content: TableContent, look: TableLook) -> list[list[Any]]:
    """Return the cells of a table as flowables, header rows first."""
    cells: list[list[Any]] = []
    for row in content.header:
        spanning = {first for first, _ in spanned_columns(row)}
        pairs = zip(row, look.columns, strict=True)
        cells.append(
            [
                header_cell(label, column, spanning=x in spanning)
                for x, (label, column) in enumerate(pairs)
            ]
        )
    for y, row in enumerate(content.body):
        pairs = zip(row, look.columns, strict=True)
        cells.append(
            [
                body_cell(text, column, bold=(y, x) in look.bold_cells)
                for x, (text, column) in enumerate(pairs)
            ]
        )
    return cells


def table_commands(content: TableContent, look: TableLook) -> list[tuple[Any, ...]]:
    """Return the reportlab style commands: padding, spans and horizontal rules."""
    depth = len(content.header)
    commands: list[tuple[Any, ...]] = [
        ("LEFTPADDING", (0, 0), (-1, -1), CELL_PADDING),
        ("RIGHTPADDING", (0, 0), (-1, -1), CELL_PADDING),
        ("TOPPADDING", (0, 0), (-1, -1), 2.6),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3.4),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEABOVE", (0, 0), (-1, 0), 0.9, ACCENT),
        ("LINEBELOW", (0, depth - 1), (-1, depth - 1), 0.6, ACCENT),
        ("LINEBELOW", (0, -1), (-1, -1), 0.9, ACCENT),
    ]
    for row_index, row in enumerate(content.header):
        for first, last in spanned_columns(row):
            commands.append(("SPAN", (first, row_index), (last, row_index)))
            commands.append(("BOTTOMPADDING", (first, row_index), (last, row_index), 0))
    if look.rules == "ruled":
        commands.append(("BACKGROUND", (0, 0), (-1, depth - 1), BAND))
        commands.append(("LINEBELOW", (0, depth), (-1, -2), 0.35, HAIRLINE))
    for body_index in look.mid_rules_above:
        row_index = depth + body_index
        commands.append(("LINEABOVE", (0, row_index), (-1, row_index), 0.5, MUTED))
    return commands


def table_block(content: TableContent, look: TableLook) -> list[Flowable]:
    """Return a caption and its table, whose header is repeated after a page break."""
    label, _, text = content.caption.partition(". ")
    table = Table(
        table_cells(content, look),
        colWidths=[column.width for column in look.columns],
        repeatRows=len(content.header),
        style=table_commands(content, look),
        hAlign="LEFT",
        spaceAfter=10,
    )
    block = [Paragraph(f"<b>{label}.</b> {text}", CAPTION), table]
    if look.may_break:
        return [CondPageBreak(MIN_HEIGHT_BEFORE_BREAK), *block]
    return [KeepTogether(block)]


# -------------------------------------------------------------------------------------- pages


class FurnitureCanvas(Canvas):  # type: ignore[misc]  # reportlab has no types
    """A canvas that draws head and foot last, when the number of pages is known."""

    furniture: Furniture

    def __init__(self, *args: Any, furniture: Furniture, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.furniture = furniture
        self._pages: list[dict[str, Any]] = []
        self._headings: dict[int, list[str]] = {}

    def enter_heading(self, title: str) -> None:
        """Note a heading of the page being drawn; it gets its bookmark when the page is written,
        since reportlab takes the page that is written then for its target."""
        self._headings.setdefault(len(self._pages) + 1, []).append(title)

    def showPage(self) -> None:
        """Keep the finished page back."""
        self._pages.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        """Draw head and foot on every page and write the file."""
        pages = self._pages
        for number, page in enumerate(pages, start=1):
            self.__dict__.update(page)
            self._draw_furniture(number, len(pages))
            for title in self._headings.get(number, []):
                self.bookmarkPage(title)
                self.addOutlineEntry(title, title, level=0)
            super().showPage()
        super().save()

    def _draw_furniture(self, number: int, count: int) -> None:
        right = PAGE_WIDTH - MARGIN
        self.setFont("Sans", 8)
        self.setFillColor(MUTED)
        self.setStrokeColor(HAIRLINE)
        self.setLineWidth(0.5)
        if number > 1:
            self.drawString(MARGIN, PAGE_HEIGHT - 50, self.furniture.head_left)
            self.drawRightString(right, PAGE_HEIGHT - 50, self.furniture.head_right)
            self.line(MARGIN, PAGE_HEIGHT - 57, right, PAGE_HEIGHT - 57)
        self.drawString(MARGIN, 44, self.furniture.foot_left)
        self.drawRightString(right, 44, f"Page {number} of {count}")


class SampleDocument(BaseDocTemplate):  # type: ignore[misc]  # reportlab has no types
    """An A4 document with one text frame, an outline and the furniture given."""

    def __init__(self, path: Path, *, title: str, author: str, furniture: Furniture) -> None:
        super().__init__(
            str(path),
            pagesize=A4,
            title=title,
            author=author,
            creator="assets/make_samples.py",
            lang="en-GB",
            invariant=1,
        )
        self._furniture = furniture
        frame = Frame(
            MARGIN,
            BOTTOM,
            TEXT_WIDTH,
            PAGE_HEIGHT - TOP - BOTTOM,
            leftPadding=0,
            rightPadding=0,
            topPadding=0,
            bottomPadding=0,
        )
        self.addPageTemplates(PageTemplate("text", [frame]))

    def afterFlowable(self, flowable: Flowable) -> None:
        """Enter headings into the outline."""
        title = getattr(flowable, "outline_title", "")
        if title:
            self.canv.enter_heading(title)

    def write(self, story: list[Flowable]) -> None:
        """Lay the story out and write the file; the same story gives the same bytes."""
        rl_config.invariant = 1

        def canvas(*args: Any, **kwargs: Any) -> FurnitureCanvas:
            return FurnitureCanvas(*args, furniture=self._furniture, **kwargs)

        self.build(story, canvasmaker=canvas)
