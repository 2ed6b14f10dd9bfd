"""Files given to docling itself, here or through a service: what comes back, what is refused."""

from __future__ import annotations

import io
import json
import logging
import time
from pathlib import Path
from typing import Any

import docx
import openpyxl  # type: ignore[import-untyped]
import pptx
import pymupdf
import pytest
from docling_core.types.doc import DocItemLabel
from PIL import Image
from pptx.util import Emu

from core import read_tables
from core.errors import (
    DocumentError,
    LimitExceeded,
    OptionError,
    PasswordRequired,
    SourceUnavailable,
)
from core.parsers import (
    Format,
    ParsedDocument,
    ParseOptions,
    Source,
    parse_document,
)
from core.parsers.docling import fetch
from core.parsers.docling.fetch import make_converter
from core.parsers.docling.service import KEY_VARIABLE, URL_VARIABLE
from tests.docling_documents import PDF, at, paged, plain_table, saved
from tests.docling_server import Service, running

ROWS = [["Depot", "Trucks"], ["Lyon", "12"], ["Ghent", "7"]]
LINES = [
    "| Depot   |   Trucks |",
    "|---------|----------|",
    "| Lyon    |       12 |",
    "| Ghent   |        7 |",
]


@pytest.fixture(autouse=True)
def _no_models_and_no_service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As on a machine without models, whatever this one has."""
    for variable in (URL_VARIABLE, KEY_VARIABLE):
        monkeypatch.delenv(variable, raising=False)
    empty = tmp_path / "models"
    empty.mkdir()
    monkeypatch.setenv("DOCLING_ARTIFACTS_PATH", str(empty))


def parse(name: str, data: bytes, **options: Any) -> ParsedDocument:
    return parse_document(Source(name, data), "docling", **options)


def word_file() -> bytes:
    document = docx.Document()
    document.add_heading("Fleet", level=1)
    document.add_paragraph("Two depots.")
    table = document.add_table(rows=0, cols=2)
    for row in ROWS:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def workbook(sheets: dict[str, list[list[str]]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def slides() -> bytes:
    deck = pptx.Presentation()
    deck.slide_width, deck.slide_height = Emu(720 * 12_700), Emu(540 * 12_700)
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    points = [Emu(each * 12_700) for each in (36, 72, 360, 144)]
    table = slide.shapes.add_table(3, 2, *points).table
    for at_row, row in enumerate(ROWS):
        for at_column, text in enumerate(row):
            table.cell(at_row, at_column).text = text
    box = deck.slides.add_slide(deck.slide_layouts[6]).shapes.add_textbox(*points)
    box.text_frame.text = "The end"
    stream = io.BytesIO()
    deck.save(stream)
    return stream.getvalue()


def pdf(n_pages: int = 1, **encryption: Any) -> bytes:
    with pymupdf.open() as document:
        for _ in range(n_pages):
            document.new_page(width=200, height=300).insert_text((20, 50), "Hello")
        data: bytes = document.tobytes(**encryption)
        return data


def locked_pdf() -> bytes:
    return pdf(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="open", owner_pw="own")


HTML = b"""<html><head><title>Depots</title></head><body><h1>Fleet</h1><p>Two depots.</p><table>
<tr><th>Depot</th><th>Trucks</th></tr><tr><td>Lyon</td><td>12</td></tr>
<tr><td>Ghent</td><td>7</td></tr></table></body></html>"""
MARKDOWN = (
    b"# Fleet\n\nTwo depots.\n\n| Depot | Trucks |\n|---|---|\n| Lyon | 12 |\n| Ghent | 7 |\n"
)
JATS = b"""<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Publishing DTD v1.2 20190208//EN"
"JATS-journalpublishing1.dtd">
<article><front><article-meta><title-group><article-title>Fleet</article-title></title-group>
</article-meta></front><body><sec><title>Depots</title><p>Two depots.</p></sec></body></article>"""


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("fleet.docx", word_file(), ["Fleet", "Two depots.", *LINES]),
        ("fleet.html", HTML, ["Depots", "Fleet", "Two depots.", *LINES]),
        ("fleet.md", MARKDOWN, ["Fleet", "Two depots.", *LINES]),
        ("fleet.csv", b"Depot,Trucks\nLyon,12\nGhent,7\n", LINES),
        ("named by nobody", word_file(), ["Fleet", "Two depots.", *LINES]),
        ("not-a.pdf", HTML, ["Depots", "Fleet", "Two depots.", *LINES]),
        ("fleet.nxml", JATS, ["Fleet", "Depots", "Two depots."]),
    ],
)
def test_sources_without_pages(name: str, data: bytes, expected: list[str]) -> None:
    parsed = parse(name, data)
    assert parsed.line_df["text"].tolist() == expected
    assert parsed.line_df["x0"].isna().all()
    assert parsed.page_df["page_num"].tolist() == [1]
    assert parsed.page_df["width"].isna().all()
    with pytest.raises(OptionError, match=r"has pages 1 to 1"):
        parse(name, data, pages=[2])


def test_a_workbook_has_a_page_per_sheet_without_geometry() -> None:
    data = workbook({"North": ROWS, "South": [*ROWS[:1], ["Porto", "3"]]})
    parsed = parse("fleet.xlsx", data)
    line_df = parsed.line_df
    assert line_df.loc[line_df["page_num"] == 1, "text"].tolist() == ["North", *LINES]
    assert parsed.toc_df[["title", "page_num"]].to_numpy().tolist() == [["North", 1], ["South", 2]]
    assert parsed.page_df["page_num"].tolist() == [1, 2]
    assert parsed.page_df["width"].isna().all()
    assert line_df["x0"].isna().all()
    assert [read.rows for read in read_tables(line_df)] == [ROWS[1:], [["Porto", "3"]]]
    assert set(parse("fleet.xlsx", data, pages=[2]).line_df["page_num"]) == {2}


def test_slides_are_pages_in_points() -> None:
    parsed = parse("fleet.pptx", slides())
    assert parsed.line_df["text"].tolist() == [*LINES, "The end"]
    assert parsed.line_df["page_num"].tolist() == [1, 1, 1, 1, 2]
    assert parsed.page_df.to_numpy().tolist() == [[1, 720, 540, 0], [2, 720, 540, 0]]
    # docling gives no boxes for a slide's cells.
    assert parsed.line_df["x0"].isna().tolist() == [True] * 4 + [False]
    assert parsed.line_df.loc[4, ["x0", "y0", "x1", "y1"]].tolist() == [36, 72, 396, 216]


def test_nothing_a_page_refers_to_is_fetched(tmp_path: Path) -> None:
    picture = tmp_path / "secret.png"
    Image.new("RGB", (4, 4)).save(picture)
    with running(Service()) as server:
        addresses = [f"{server.url}/a.png", picture.as_uri(), str(picture)]
        html = "<h1>Fleet</h1>" + "".join(f'<p><img src="{each}"></p>' for each in addresses)
        markdown = "# Fleet\n\n" + "\n\n".join(f"![x]({each})" for each in addresses)
        for name, text in (("a.html", f"<html><body>{html}</body></html>"), ("a.md", markdown)):
            assert parse(name, text.encode()).line_df["text"].tolist()[0] == "Fleet"
        assert server.requests == []


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("cut.docx", word_file()[:3000]),
        ("other.xml", b'<?xml version="1.0"?><fleet><depot>Lyon</depot></fleet>'),
        ("cut.xml", JATS[:300]),
    ],
)
def test_what_docling_cannot_read_is_refused_with_its_name(name: str, data: bytes) -> None:
    with pytest.raises(DocumentError, match=name.replace(".", r"\.")):
        parse(name, data)


def image() -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (60, 40), "white").save(stream, "PNG")
    return stream.getvalue()


@pytest.mark.parametrize(("name", "data"), [("a.pdf", pdf()), ("a.png", image())])
@pytest.mark.parametrize("folder", ["empty", "missing", "none"])
@pytest.mark.parametrize("ocr", [False, True])
def test_missing_models_are_named_at_once(
    name: str, data: bytes, folder: str, ocr: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from docling.datamodel.settings import settings
    from huggingface_hub import constants

    if folder == "missing":
        monkeypatch.setenv("DOCLING_ARTIFACTS_PATH", str(tmp_path / "nowhere"))
    elif folder == "none":
        monkeypatch.delenv("DOCLING_ARTIFACTS_PATH")
        monkeypatch.setattr(settings, "cache_dir", tmp_path)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    started = time.monotonic()
    with pytest.raises(SourceUnavailable) as caught:
        parse(name, data, ocr=ocr)
    assert "`docling-tools models download`" in str(caught.value)
    assert "DOCLING_ARTIFACTS_PATH" in str(caught.value)
    assert time.monotonic() - started < 60


def test_models_are_looked_for_where_the_command_puts_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from docling.datamodel.base_models import InputFormat
    from docling.datamodel.settings import settings

    def folder() -> Path | None:
        option = make_converter(Format.PDF, ParseOptions()).format_to_options[InputFormat.PDF]
        found: Path | None = option.pipeline_options.artifacts_path
        return found

    assert folder() == tmp_path / "models"  # as the fixture sets it
    monkeypatch.delenv("DOCLING_ARTIFACTS_PATH")
    monkeypatch.setattr(settings, "cache_dir", tmp_path)
    assert folder() is None
    (tmp_path / "models" / "layout").mkdir()
    assert folder() == tmp_path / "models"


@pytest.mark.parametrize("ocr", [False, True])
def test_tables_are_read_accurately_and_ocr_runs_on_demand(ocr: bool) -> None:
    from docling.datamodel.base_models import InputFormat

    options = ParseOptions(ocr=ocr)
    pdf_option = make_converter(Format.PDF, options).format_to_options[InputFormat.PDF]
    assert pdf_option.pipeline_options.do_ocr is ocr
    assert pdf_option.pipeline_options.table_structure_options.mode == "accurate"
    assert pdf_option.pipeline_options.enable_remote_services is False
    image_option = make_converter(Format.IMAGE, options).format_to_options[InputFormat.IMAGE]
    assert image_option.pipeline_options.do_ocr is True  # an image has no other text


def test_what_cells_are_made_of_stands_in_the_table_alone() -> None:
    html = b"""<html><body><h1>Fleet</h1><table><tr><th>Depot</th><th>Notes</th></tr><tr><td>Lyon
    </td><td><ul><li>big</li><li>a <b>new</b> hall</li></ul></td></tr><tr><td>Ghent</td><td>
    <table><tr><td>in</td><td>side</td></tr></table></td></tr></table><p>End</p></body></html>"""
    parsed = parse("fleet.html", html)
    table = parsed.line_df[parsed.line_df["block_class"] == "table"]["text"].tolist()
    rest = parsed.line_df[parsed.line_df["block_class"] != "table"]["text"].tolist()
    assert rest == ["Fleet", "End"]
    assert [" ".join(line.split()) for line in table[2:]] == [
        "| Lyon | - big - a **new** hall |",
        "| Ghent | in side |",
    ]


def test_a_huge_page_is_refused_before_it_becomes_a_picture() -> None:
    with pymupdf.open() as document:
        document.new_page(width=200, height=300)
        document.new_page(width=20_000, height=300)
        data = document.tobytes()
    with pytest.raises(LimitExceeded, match=r"big\.pdf has a page 2 of 20,000 x 300 points"):
        parse("big.pdf", data)
    with pytest.raises(SourceUnavailable):
        parse("big.pdf", data, pages=[1])


def test_passwords_and_pages_are_checked_before_the_models() -> None:
    with pytest.raises(PasswordRequired, match=r"locked\.pdf is encrypted"):
        parse("locked.pdf", locked_pdf())
    with pytest.raises(PasswordRequired, match=r"does not open locked\.pdf"):
        parse("locked.pdf", locked_pdf(), password="wrong")
    with pytest.raises(OptionError, match=r"pages holds 3, but two\.pdf has pages 1 to 2"):
        parse("two.pdf", pdf(2), pages=[3])


def model_free(format_: Format, options: ParseOptions) -> Any:
    """Our converter with docling's pipeline that needs no models: the same backend, page range,
    password and progress, but no layout and no tables."""
    from docling.datamodel.base_models import InputFormat
    from docling.document_converter import DocumentConverter, NativePdfFormatOption

    ours = make_converter(format_, options).format_to_options[InputFormat.PDF]
    option = NativePdfFormatOption(backend=ours.backend, backend_options=ours.backend_options)
    return DocumentConverter(
        allowed_formats=[InputFormat.PDF], format_options={InputFormat.PDF: option}
    )


def test_the_way_of_a_pdf_but_for_the_models(monkeypatch: pytest.MonkeyPatch) -> None:
    with pymupdf.open() as document:
        for number in (1, 2, 3, 4):
            page = document.new_page(width=200, height=300)
            page.insert_text((20, 50), f"Page {number}", fontsize=12)
            page.set_rotation(90 * (number % 2))
        lock = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "user_pw": "open", "owner_pw": "own"}
        data = document.tobytes(**lock)
    monkeypatch.setattr(fetch, "make_converter", model_free)
    done: list[tuple[int, int]] = []
    parsed = parse(
        "four.pdf",
        data,
        password="open",
        pages=[2, 3],
        progress=lambda *each: done.append(each),
    )
    assert parsed.line_df["text"].tolist() == ["Page 2", "Page 3"]
    assert parsed.page_df.to_numpy().tolist() == [[2, 200, 300, 0], [3, 300, 200, 90]]
    upright, turned = parsed.line_df[["x0", "y0", "x1", "y1"]].to_numpy()
    assert (upright[0], turned[1]) == pytest.approx((20, 20), abs=1)
    assert upright[1] < 50 < upright[3]  # the baseline
    assert turned[0] < 250 < turned[2]
    assert sorted(done) == [(1, 2), (2, 2)]


def test_nothing_is_printed(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        parse("fleet.docx", word_file())
        parse("fleet.html", HTML)
        with pytest.raises(DocumentError):
            parse("cut.xml", JATS[:300])
        with pytest.raises(SourceUnavailable):
            parse("a.pdf", pdf())
    assert capfd.readouterr() == ("", "")
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


# The service: our own server speaks its API, docling's own client calls it. Tested are the
# requests and answers of one conversion, the key, and the ways it fails; not docling-serve itself.

KEY = "a-secret-key"


def converted() -> Any:
    document = paged(2, PDF)
    document.add_table(plain_table(ROWS), prov=at(1, (10, 10, 90, 90)))
    document.add_text(label=DocItemLabel.TEXT, text="End", prov=at(2, (10, 20, 90, 30)))
    return json.loads(saved(document).data)


def use(service: Service, monkeypatch: pytest.MonkeyPatch, key: str = KEY) -> None:
    monkeypatch.setenv(URL_VARIABLE, service.url)
    monkeypatch.setenv(KEY_VARIABLE, key)


def test_a_service_converts_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[int, int]] = []
    with running(Service(converted(), key=KEY)) as service:
        use(service, monkeypatch)
        parsed = parse("fleet.pdf", pdf(2), progress=lambda *each: heard.append(each))
    assert parsed.line_df["text"].tolist() == [*LINES, "End"]
    assert parsed.line_df.loc[4, ["x0", "y0", "x1", "y1"]].tolist() == [10, 20, 90, 30]
    assert parsed.page_df.to_numpy().tolist() == [[1, 200, 300, 0], [2, 200, 300, 0]]
    submitted = service.requests[0]
    assert (submitted.method, submitted.path) == ("POST", "/v1/convert/file/async")
    for name, value in [
        ("to_formats", "json"),
        ("do_ocr", "false"),
        ("table_mode", "accurate"),
        ("target_type", "inbody"),
    ]:
        assert f'name="{name}"\r\n\r\n{value}\r\n'.encode() in submitted.body
    assert pdf(2)[:200] in submitted.body
    assert set(heard) == {(0, 1)}
    assert {each.headers["x-api-key"] for each in service.requests} == {KEY}
    assert not any(KEY in each.path for each in service.requests)


def test_pages_and_ocr_reach_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    with running(Service(converted())) as service:
        use(service, monkeypatch)
        parsed = parse("fleet.pdf", pdf(2), pages=[2], ocr=True)
    assert parsed.line_df["text"].tolist() == ["End"]
    assert parsed.page_df["page_num"].tolist() == [2]
    body = service.requests[0].body
    assert b'name="do_ocr"\r\n\r\ntrue\r\n' in body
    assert body.count(b'name="page_range"\r\n\r\n2\r\n') == 2


def test_an_encrypted_pdf_reaches_the_service_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    with running(Service(converted())) as service:
        use(service, monkeypatch)
        parse("locked.pdf", locked_pdf(), password="open")
    body = service.requests[0].body
    sent = body[body.index(b"%PDF-") : body.rindex(b"%%EOF") + 5]
    with pymupdf.open(stream=sent) as document:
        assert not document.needs_pass


def test_a_saved_document_never_goes_to_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    with running(Service(converted())) as service:
        use(service, monkeypatch)
        parse_document(saved(paged()), "docling")
    assert service.requests == []


FAILED = {
    "kind": "TaskFailureResult",
    "failure": {
        "category": "unknown",
        "message": f"broken pages, said {KEY}",
        "retryable": False,
        "phase": "execution",
    },
}


@pytest.mark.parametrize(
    ("service", "error", "said"),
    [
        (Service(key="another"), SourceUnavailable, rf"status 401.*Set {KEY_VARIABLE}"),
        (Service(submit_status=404), SourceUnavailable, URL_VARIABLE),
        (Service(submit_status=500), SourceUnavailable, URL_VARIABLE),
        (Service(submit_status=422), DocumentError, r"docling cannot read fleet\.pdf"),
        (Service(task_status="failure", result=FAILED), DocumentError, r"fleet\.pdf .*broken page"),
        (Service(result={"unexpected": 1}), SourceUnavailable, URL_VARIABLE),
    ],
    ids=["wrong key", "not a service", "broken", "refused", "failed", "other answer"],
)
def test_a_service_that_fails_says_so_without_the_key(
    service: Service,
    error: type[Exception],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.DEBUG), running(service):
        use(service, monkeypatch)
        with pytest.raises(error, match=said) as caught:
            parse("fleet.pdf", pdf())
    assert type(caught.value) is error
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None
    assert KEY not in caplog.text


def test_a_service_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with running(Service()) as service:
        pass
    use(service, monkeypatch)
    with pytest.raises(SourceUnavailable, match=r"does not answer.*Connection refused"):
        parse("fleet.pdf", pdf())
    monkeypatch.setenv(URL_VARIABLE, "localhost:5001")
    with pytest.raises(SourceUnavailable, match=r"must be an absolute http"):
        parse("fleet.pdf", pdf())


LIVE = [
    ("word_tables.docx", "word_tables.docx"),
    ("powerpoint_sample.pptx", "powerpoint_sample.pptx"),
    ("xlsx_06_edge_cases_.xlsx", "xlsx_06_edge_cases_.xlsx"),
    ("csv-comma.csv", "csv-comma.csv"),
    ("example_03.html", "example_03.html"),
    ("example_04.html", "example_04.html"),
    ("example_05.html", "example_05.html"),
    ("example_08.html", "example_08.html"),
    ("ipa20180000016.xml", "ipa20180000016"),
]
"""Files and their saved conversions that today's docling still gives alike."""


@pytest.mark.parametrize(("name", "output"), LIVE)
def test_a_file_reads_as_its_saved_conversion(shared: Path, name: str, output: str) -> None:
    folder = shared / "documents/docling"
    live = parse_document(folder / name, "docling")
    kept = parse_document(folder / f"project+docling__{output}.json", "docling")
    for column in ("page_num", "line_num", "text", "block_class"):
        assert live.line_df[column].tolist() == kept.line_df[column].tolist()
    assert live.page_df.equals(kept.page_df)


@pytest.mark.parametrize(
    ("name", "n_lines"), [("xlsx_01.xlsx", 62), ("wiki_duck.html", 18), ("deepseek_example.md", 10)]
)
def test_files_that_older_versions_of_docling_read_otherwise_open_too(
    shared: Path, name: str, n_lines: int
) -> None:
    parsed = parse_document(shared / "documents/docling" / name, "docling")
    assert (parsed.line_df["block_class"] == "table").sum() == n_lines
