"""Live analysis against a server of our own on this machine that speaks the service's analyze
API: POST :analyze -> 202 with Operation-Location, GET -> running, then succeeded. What it does not
show: the real service's limits, throttling and TLS."""

from __future__ import annotations

import io
import json
import logging
import zipfile
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from core import parse_document
from core.errors import DocumentError, LimitExceeded, SourceUnavailable
from core.parsers.base import Source
from tests.azure import Payload, Shape
from tests.documents import text_pdf
from tests.test_azure import FLEET, fleet, texts

KEY = "0123456789abcdefSECRET"
ENDPOINT_VARIABLE, KEY_VARIABLE = (
    "AZURE_DOCUMENTINTELLIGENCE_ENDPOINT",
    "AZURE_DOCUMENTINTELLIGENCE_KEY",
)
PDF = Source("fleet.pdf", text_pdf("Fleet report"))


@dataclass
class Service:
    """How the server answers, and what it was asked."""

    url: str = ""
    posts: list[tuple[int, dict[str, str]]] = field(default_factory=lambda: [(202, {})])
    """Status and headers of each answer to a POST; the last one is repeated."""
    polls: list[Any] = field(default_factory=list)
    """Answers to GET, the last one is repeated: a body, or a status."""
    asked: list[dict[str, Any]] = field(default_factory=list)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A running server, set as endpoint, that answers with the fleet table."""
    for name in ("DOCUMENTINTELLIGENCE_ENDPOINT", "DOCUMENTINTELLIGENCE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    state = Service(polls=[{"status": "running"}, fleet(Shape()).result()])
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(state))
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setenv(ENDPOINT_VARIABLE, f"{state.url}/")
    monkeypatch.setenv(KEY_VARIABLE, f" {KEY}\n")
    monkeypatch.setattr("core.parsers.azure.fetch._BACKOFF", 0.01)
    yield state
    server.shutdown()
    server.server_close()
    thread.join(5)


def _handler(state: Service) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            posts = [request for request in state.asked if request["method"] == "POST"]
            self._note("POST", body)
            status, headers = state.posts[min(len(posts), len(state.posts) - 1)]
            place = f"{state.url}/documentintelligence/operations/7?api-version=2024-11-30"
            headers = {"Operation-Location": place, **headers} if status == 202 else headers
            self._answer(status, headers, _error(status) if status != 202 else {})

        def do_GET(self) -> None:
            polls = [request for request in state.asked if request["method"] == "GET"]
            self._note("GET", b"")
            answer = state.polls[min(len(polls), len(state.polls) - 1)]
            status = answer if isinstance(answer, int) else 200
            self._answer(status, {}, _error(status) if isinstance(answer, int) else answer)

        def _note(self, method: str, body: bytes) -> None:
            key = self.headers.get("Ocp-Apim-Subscription-Key")
            kind = self.headers.get("Content-Type")
            request = {"method": method, "path": self.path, "key": key, "type": kind, "body": body}
            state.asked.append(request)

        def _answer(self, status: int, headers: dict[str, str], body: Any) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            """Quiet."""

    return Handler


def _error(status: int) -> Any:
    return {"error": {"code": str(status), "message": f"The service says {status}."}}


def test_a_pdf_is_sent_waited_for_and_read(service: Service) -> None:
    steps: list[tuple[int, int]] = []
    document = parse_document(PDF, "azure_layout", progress=lambda *step: steps.append(step))

    assert texts(document) == FLEET
    post, *polls = service.asked
    path = urlsplit(post["path"])
    assert path.path == "/documentintelligence/documentModels/prebuilt-layout:analyze"
    assert parse_qs(path.query) == {"api-version": ["2024-11-30"]}
    assert post["body"] == PDF.data
    assert post["type"] == "application/octet-stream"
    assert {request["key"] for request in service.asked} == {KEY}
    assert len(polls) == 2
    assert steps[0] == (0, 1)
    assert steps[-1] == (1, 1)
    # Page size and boxes are those of the PDF (A4), not those the service rounds.
    assert document.page_df[["width", "height"]].to_numpy().tolist() == [[595, 842]]
    assert document.line_df["x0"][0] == pytest.approx(72 * 595 / 612)


def test_chosen_pages_are_asked_for(service: Service) -> None:
    payload = Payload()
    for number in (2, 3, 4, 6):
        payload.page()
        payload.pages[-1]["pageNumber"] = number
        payload.line(f"Page {number}", (1, 1, 2, 2))
    del payload.pages[0]
    service.polls = [payload.result()]
    office = Source("deck.docx", _docx())
    document = parse_document(office, "azure_layout", pages=[6, 2, 3, 4])

    assert parse_qs(urlsplit(service.asked[0]["path"]).query)["pages"] == ["2-4,6"]
    assert texts(document) == ["Page 2", "Page 3", "Page 4", "Page 6"]


def _docx() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", "<document/>")
    return data.getvalue()


def test_other_names_of_the_variables(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ENDPOINT_VARIABLE)
    monkeypatch.delenv(KEY_VARIABLE)
    monkeypatch.setenv("DOCUMENTINTELLIGENCE_ENDPOINT", service.url)
    monkeypatch.setenv("DOCUMENTINTELLIGENCE_API_KEY", KEY)
    assert texts(parse_document(PDF, "azure_layout")) == FLEET


@pytest.mark.parametrize(
    ("unset", "named"),
    [
        ([ENDPOINT_VARIABLE], [ENDPOINT_VARIABLE]),
        ([KEY_VARIABLE], [KEY_VARIABLE]),
        ([ENDPOINT_VARIABLE, KEY_VARIABLE], [ENDPOINT_VARIABLE, KEY_VARIABLE]),
    ],
    ids=["endpoint", "key", "both"],
)
def test_without_settings_the_message_names_them(
    unset: list[str], named: list[str], service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in unset:
        monkeypatch.delenv(name)
    with pytest.raises(SourceUnavailable) as caught:
        parse_document(PDF, "azure_layout")
    assert f"but {' and '.join(named)} " in str(caught.value)
    assert "saved JSON" in str(caught.value)
    assert service.asked == []


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://example.com",
        "ftp://127.0.0.1",
        "example.cognitiveservices.azure.com",
        "https://",
        "https://user:word@example.com",
        "https://[bad",
        "http://localhost@example.com",
    ],
)
def test_the_key_goes_to_no_such_endpoint(
    endpoint: str, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ENDPOINT_VARIABLE, endpoint)
    with pytest.raises(SourceUnavailable, match="no address that the key may be sent to"):
        parse_document(PDF, "azure_layout")


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "umläut", "zero\x7f"])
def test_an_odd_key_is_refused_without_showing_it(
    key: str, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, key)
    with pytest.raises(SourceUnavailable, match="characters that no key has") as caught:
        parse_document(PDF, "azure_layout")
    assert key not in str(caught.value)
    assert service.asked == []


def test_a_password_is_refused(service: Service) -> None:
    with pytest.raises(DocumentError, match="takes no password"):
        parse_document(PDF, "azure_layout", password="open sesame")
    assert service.asked == []


@pytest.mark.parametrize(
    ("status", "error", "message"),
    [
        (401, SourceUnavailable, "refused the key .HTTP 401: The service says 401"),
        (403, SourceUnavailable, "refused the key"),
        (404, SourceUnavailable, "no Document Intelligence service"),
        (429, SourceUnavailable, "busy or out of order .HTTP 429"),
        (503, SourceUnavailable, "busy or out of order .HTTP 503"),
        (400, DocumentError, "could not read fleet.pdf .*The service says 400"),
    ],
)
def test_refusals_are_explained(
    status: int, error: type[Exception], message: str, service: Service
) -> None:
    service.posts = [(status, {"Retry-After": "0"} if status in (429, 503) else {})]
    with pytest.raises(error, match=message) as caught:
        parse_document(PDF, "azure_layout")
    assert KEY not in repr(caught.value)
    # What may pass is tried again, a refusal is not.
    assert len(service.asked) == (4 if status in (429, 503) else 1)


def test_a_busy_moment_is_waited_out(service: Service) -> None:
    service.posts = [(429, {"Retry-After": "0"}), (503, {"Retry-After": "0"}), (202, {})]
    assert texts(parse_document(PDF, "azure_layout")) == FLEET
    sent = [request["body"] for request in service.asked if request["method"] == "POST"]
    assert sent == [PDF.data] * 3


def test_a_failed_analysis(service: Service) -> None:
    service.polls = [
        {"status": "running"},
        {"status": "failed", "error": {"code": "InvalidRequest", "message": "Page too large."}},
    ]
    with pytest.raises(DocumentError, match=r"could not read fleet\.pdf"):
        parse_document(PDF, "azure_layout")


def test_an_answer_that_is_no_json(service: Service) -> None:
    service.polls = ["surprise"]
    with pytest.raises(SourceUnavailable, match="does not answer as Azure"):
        parse_document(PDF, "azure_layout")


def test_an_analysis_that_never_ends(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROWLENS_MAX_SECONDS", "1.5")
    service.polls = [{"status": "running"}]
    with pytest.raises(LimitExceeded, match="ROWLENS_MAX_SECONDS"):
        parse_document(PDF, "azure_layout")


def test_a_server_that_is_not_there(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENDPOINT_VARIABLE, "http://127.0.0.1:9")
    monkeypatch.setattr("core.parsers.azure.fetch._RETRIES", 0)
    with pytest.raises(SourceUnavailable, match=f"Check {ENDPOINT_VARIABLE} and the network"):
        parse_document(PDF, "azure_layout")


@pytest.mark.parametrize("way", ["redirect", "operation"])
def test_the_key_is_sent_to_no_other_host(way: str, service: Service) -> None:
    elsewhere = service.url.replace("127.0.0.1", "localhost")
    status = 307 if way == "redirect" else 202
    name = "Location" if way == "redirect" else "Operation-Location"
    service.posts = [(status, {name: f"{elsewhere}/operations/7"})]
    with pytest.raises(DocumentError):
        parse_document(PDF, "azure_layout")
    assert [request["method"] for request in service.asked] == ["POST"]


@pytest.mark.parametrize("status", [202, 401])
def test_no_log_shows_the_key(
    status: int, service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    service.posts = [(status, {})]
    with nullcontext() if status == 202 else pytest.raises(SourceUnavailable):
        parse_document(PDF, "azure_layout")
    assert "Ocp-Apim-Subscription-Key" in caplog.text  # the header is logged, its value is not
    assert KEY not in caplog.text
