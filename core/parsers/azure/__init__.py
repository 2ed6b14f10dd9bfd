"""Azure Document Intelligence -> frames: a saved AnalyzeResult, or a live analysis.

Read are results of prebuilt-layout, and what prebuilt-document and prebuilt-read have of pages
and tables: API 2021 previews to 2024-11-30 and v2.x, as REST writes them or as the SDKs do.
`fetch` does the I/O. The rest is pure, in the order of the work: `json` (bytes ->
checked values), `v2` (v2.x -> the later shape), `result` (-> `model`),
`table` (cells -> pipe rows), `cover` and `blocks` (-> blocks in reading order)
and `frames`.

Tables are always written as pipe lines from the cells of `tables`, also where the content is
Markdown and has them as HTML: every row then has a line and a box of its own, and a document
reads the same in both formats. All other text is the service's own lines; of Office files, which
have none, its paragraphs.

Coordinates are taken as those of the page as displayed, which is what the service reports for
pages with /Rotate: width and height turned, text upright. `angle` only tells how the text runs:
boxes of tilted polygons are the smallest upright ones around them.
"""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from core.errors import LimitExceeded, OptionError
from core.limits import get_limits
from core.parsers.azure.blocks import result_to_blocks
from core.parsers.azure.fetch import fetch_result
from core.parsers.azure.frames import METHOD, blocks_to_frames, pages_to_page_df
from core.parsers.azure.json import load_result
from core.parsers.azure.model import Result
from core.parsers.azure.result import read_result
from core.parsers.azure.v2 import from_v2, is_v2
from core.parsers.base import ParsedDocument, ParseOptions, Source
from core.parsers.fit import fit_to_pages, read_pages
from core.parsers.formats import Format, detect_format

_IN_PIXELS = (
    "Sizes are in pixels, and the result does not say how many make an inch: one pixel counts as "
    "one point. Open the PDF or image beside it for its true size."
)


def parse_azure(source: Source, options: ParseOptions) -> ParsedDocument:
    """Frames of a saved AnalyzeResult (JSON), or of a PDF, image or Office file analysed live.

    line_df has six columns besides the contract's: character_count, parsing_method, confidence
    (mean of the words', NaN where none is given), block_num, block_class (in the words of the
    PyMuPDF parser) and header_hint (1 for table rows that the service calls headers). Of Office
    files sizes and boxes are NaN. `options.beside` is the PDF or image of a saved result.

    Raises:
        DocumentError: no AnalyzeResult, or of an analysis that failed; and as in `fetch_result`.
        OptionError: a page that the result does not hold.
    """
    format_ = detect_format(source)
    saved = format_ is Format.AZURE_JSON
    data = source.data if saved else fetch_result(source, options)
    document = _parse_saved(source.name, data)
    beside = options.beside if saved else source if _has_pages(format_) else None
    if beside is not None:
        page_df = read_pages(beside, options.password)
        if not saved and options.pages is not None:
            page_df = page_df[page_df["page_num"].isin(options.pages)]
        document = fit_to_pages(replace(document, notes=_true_size(document.notes)), page_df)
    if options.pages is not None:
        document = _only_pages(source.name, document, list(options.pages))
    if options.progress:
        n_pages = len(document.page_df)
        options.progress(n_pages, n_pages)
    return document


def result_to_document(result: Result) -> ParsedDocument:
    """Frames of a result, in points of its own pages. Pure."""
    blocks, notes = result_to_blocks(result)
    line_df, toc_df = blocks_to_frames(blocks)
    if any(page.in_pixels for page in result.pages):
        notes = [_IN_PIXELS, *notes]
    if line_df.empty:
        notes = [*notes, "The result holds no text."]
    return ParsedDocument(
        line_df=line_df,
        page_df=pages_to_page_df(result.pages),
        toc_df=toc_df,
        parser=METHOD,
        notes=tuple(notes),
    )


def _parse_saved(name: str, data: bytes) -> ParsedDocument:
    loaded = load_result(name, data)
    result = read_result(from_v2(loaded) if is_v2(loaded) else loaded)
    limits = get_limits()
    if len(result.pages) > limits.pages:
        raise LimitExceeded.of(
            name, f"has {len(result.pages):,} pages", "pages", limits.pages, "pages"
        )
    return result_to_document(result)


def _has_pages(format_: Format) -> bool:
    return format_ in (Format.PDF, Format.IMAGE)


def _true_size(notes: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(note for note in notes if note != _IN_PIXELS)


def _only_pages(name: str, document: ParsedDocument, pages: list[int]) -> ParsedDocument:
    there = document.page_df["page_num"].tolist()
    outside = [page for page in pages if page not in there]
    if outside:
        raise OptionError(
            f"pages holds {outside[0]}, but {name} has "
            f"{'page' if len(there) == 1 else 'pages'} {_listed(there)}. Choose among those."
        )

    def chosen(frame: pd.DataFrame) -> pd.DataFrame:
        return frame[frame["page_num"].isin(pages)].reset_index(drop=True)

    return replace(
        document,
        line_df=chosen(document.line_df),
        page_df=chosen(document.page_df),
        toc_df=chosen(document.toc_df),
    )


def _listed(pages: list[int]) -> str:
    if pages == list(range(pages[0], pages[-1] + 1)) and len(pages) > 2:
        return f"{pages[0]} to {pages[-1]}"
    return ", ".join(map(str, pages[:20]))
