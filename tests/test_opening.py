"""Opening documents of every kind in the app, without a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NoReturn

import pymupdf
import pytest
from streamlit.testing.v1 import AppTest

from core.errors import LimitExceeded
from core.library import Job, Library, Request
from pages.ui import cached
from tests.documents import scan_pdf, table_pdf, text_pdf
from tests.test_inspector import ask, brought, ran, words

ROOT = Path(__file__).parents[1]
CSV = b"Vehicle,Depot,Mileage\nVan,Lyon,1200\nTram,Porto,340\n"
TABLE = table_pdf(["Vehicle", "Depot"], [["Van", "Lyon"], ["Tram", "Porto"]])


@pytest.fixture
def app() -> AppTest:
    return ran(AppTest.from_file(str(ROOT / "app.py"), default_timeout=120))


def upload(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """Drop files together on the uploader that opens documents."""
    app.file_uploader[0].set_value([(name, data, "") for name, data in files])
    return ran(app)


def locked(data: bytes, password: str) -> bytes:
    with pymupdf.open(stream=data) as document:
        return bytes(document.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=password))


def frame_of_two_rows() -> bytes:
    """A line_df as JSON whose boxes lie on an A4 page."""
    lines = ["| Vehicle | Depot |", "|---|---|", "| Van | Lyon |", "| Tram | Porto |"]
    return json.dumps(
        [
            {"page_num": 1, "line_num": at, "text": text}
            | {"x0": 70, "y0": 100 + 20 * at, "x1": 500, "y1": 115 + 20 * at}
            for at, text in enumerate(lines, start=1)
        ]
    ).encode()


def test_a_source_without_pages_is_set_out_and_its_rows_are_lit(app: AppTest) -> None:
    ask(upload(app, ("fleet.csv", CSV)), "What is the mileage of the tram?")
    assert app.selectbox(key="doc").format_func(app.selectbox(key="doc").value) == "fleet.csv"
    assert app.selectbox(key="parser").value == "docling"
    overlay = brought(app)["overlay"]
    assert [(row["text"], row["matched"]) for row in overlay["rows"]] == [
        ("Vehicle: Van | Depot: Lyon | Mileage: 1200", False),
        ("Vehicle: Tram | Depot: Porto | Mileage: 340", True),
    ]
    (_, y0, _, bottom), (_, top, _, y1) = (row["box"] for row in overlay["rows"])
    assert 0 < y0 < bottom <= top < y1 < overlay["page"]["height"]
    assert "has no pages: its lines are set out" in overlay["message"]


def test_a_saved_output_opens_with_the_pdf_dropped_beside_it(app: AppTest) -> None:
    upload(app, ("lines.json", frame_of_two_rows()), ("fleet.pdf", TABLE))
    assert app.selectbox(key="parser").value == "frame"
    beside = app.query_params["beside"]
    assert cached.library().get(beside[0] if isinstance(beside, list) else beside).name == (
        "fleet.pdf"
    )
    # Another document knows nothing of it.
    upload(app, ("fleet.csv", CSV))
    assert "beside" not in app.query_params


def test_a_password_is_asked_for_in_the_app(app: AppTest) -> None:
    upload(app, ("secret.pdf", locked(text_pdf("The words inside."), "sesame")))
    assert "This document is encrypted" in words(app)
    assert app.selectbox(key="doc").value == "motor_insurance"
    for attempt in ("guess", "sesame"):
        field = next(box for box in app.text_input if box.label == "Password")
        field.set_value(attempt)
        button = next(button for button in app.button if button.label == "Open")
        button.click()
        ran(app)
        if attempt == "guess":
            assert "does not open secret.pdf" in words(app)
    assert "This document is encrypted" not in words(app)
    assert app.selectbox(key="doc").value not in ("motor_insurance", None)
    assert "sesame" not in str(dict(app.query_params))


def test_what_docling_lacks_is_said_and_the_document_stays(app: AppTest) -> None:
    ask(app, "What is the cap for vehicle theft?")
    app.selectbox(key="parser").set_value("docling")
    ran(app)
    assert "Docling could not read this" in words(app)
    assert "docling-tools models download" in words(app)
    assert "1 of 40 rows" in words(app) or "Break-even: 26 of 40 rows" in words(app)


def test_a_scan_offers_ocr(app: AppTest) -> None:
    upload(app, ("scan.pdf", scan_pdf()))
    offer = next(button for button in app.button if button.key == "scan.recognise")
    offer.click()
    ran(app)
    assert app.toggle(key="ocr").value is True
    assert not [button for button in app.button if button.key == "scan.recognise"]


def test_a_file_that_is_nothing_keeps_what_was_open(app: AppTest) -> None:
    upload(app, ("noise.bin", bytes(range(256)) * 8))
    assert "This file cannot be opened" in words(app)
    assert app.selectbox(key="doc").value == "motor_insurance"


def test_stored_parses_are_cleared(app: AppTest) -> None:
    upload(app, ("fleet.pdf", TABLE))
    store = cached.library().store
    assert store.size() > 0
    store.clear()
    assert store.size() == 0


def test_a_document_leaves_this_machine_only_when_it_is_sent(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    start = Library.start

    def noted(library: Library, request: Request) -> Job:
        read.append(request.parser)
        return start(library, request)

    monkeypatch.setattr(Library, "start", noted)
    app.selectbox(key="parser").set_value("azure_layout")
    ran(app)
    assert "would be sent to Azure Document Intelligence" in words(app)
    assert "azure_layout" not in read
    # Another document begins with the parser that suits it here, whatever was chosen before.
    app.selectbox(key="doc").set_value("motor_insurance_extract")
    ran(app)
    assert app.selectbox(key="parser").value == "pymupdf"
    assert "would be sent" not in words(app)
    app.selectbox(key="parser").set_value("azure_layout")
    ran(app)
    next(button for button in app.button if button.label == "Send it").click()
    ran(app)
    assert "azure_layout" in read
    assert "AZURE_DOCUMENTINTELLIGENCE_ENDPOINT" in words(app)


def test_a_link_does_not_send_a_document_away() -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.query_params["parser"] = "azure_layout"
    assert "would be sent to Azure Document Intelligence" in words(ran(app))


def test_two_failed_uploads_do_not_hide_a_third(app: AppTest) -> None:
    upload(app, ("broken.pdf", b"%PDF-1.7 and nothing else"))
    assert "could not read this" in words(app)
    upload(app, ("noise.bin", bytes(range(256)) * 8))
    assert "This file cannot be opened" in words(app)
    upload(app, ("fleet.pdf", TABLE))
    assert cached.library().get(str(app.selectbox(key="doc").value)).name == "fleet.pdf"


def test_a_page_that_cannot_be_drawn_is_shown_as_its_lines_and_not_tried_again(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []

    def hangs(_library: Library, _doc_id: str, page_num: int, **_: object) -> NoReturn:
        tries.append(page_num)
        raise LimitExceeded("Page 1 of fleet.pdf hangs.")

    monkeypatch.setattr(Library, "page_image", hangs)
    upload(app, ("fleet.pdf", TABLE))
    ask(app, "Which depot has the tram?")
    overlay = brought(app)["overlay"]
    assert overlay["message"].startswith("Page 1 of fleet.pdf hangs. Drawn from its lines")
    assert [row["matched"] for row in overlay["rows"]] == [False, True]
    assert tries == [1]
