"""Memory of the app before and after twenty large documents, opened one after another.

Run as `python -m tests.bench_memory [--documents 20] [--pages 60]`. The app runs as people start
it; a browser opens each document and asks a question. Memory is the resident set of the server
process; the processes that parse and draw are counted beside it.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs, urlsplit

import psutil
import pymupdf
from playwright.sync_api import Page

from tests import browser as chromium

_QUESTION = "What is the depot of vehicle 17?"
_NOISE_MB = 8
_SESSION_SECONDS = 140


def main() -> None:
    """Print the level before, after each document, and back on the sample."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--documents", type=int, default=20)
    options.add_argument("--pages", type=int, default=60)
    given = options.parse_args()
    with TemporaryDirectory() as folder:
        os.environ["ROWLENS_CACHE"] = str(Path(folder, "store"))
        with (
            chromium.running_app("memory-app") as url,
            chromium.running_chromium() as browser,
            chromium.open_page(browser) as page,
        ):
            server = _server(url)
            page.goto(url)
            page.get_by_text("Ask something").wait_for(timeout=60_000)
            _ask(page)
            before = _settled(server)
            print(f"before: {before:,.0f} MB")
            for number in range(given.documents):
                path = Path(folder, f"fleet-{number}.pdf")
                path.write_bytes(_large(number, given.pages))
                url_before = page.url
                page.locator("input[type=file]").first.set_input_files(path)
                _wait_for_another(page, url_before)
                children = sum(child.memory_info().rss for child in server.children()) / 1e6
                print(f"{path.name}: {_memory(server):,.0f} MB, children {children:,.0f} MB")
            page.goto(url)
            _ask(page)
            print(f"back on the sample: {_settled(server):,.0f} MB")
            # Streamlit keeps a session whose browser is gone, uploads included, for two minutes.
            time.sleep(_SESSION_SECONDS)
            _ask(page)
            after = _settled(server)
            print(f"after: {after:,.0f} MB, {after - before:+,.0f} MB")


def _wait_for_another(page: Page, url: str) -> None:
    """Until the address names another document than it did."""
    deadline = time.monotonic() + 120
    while _document(page.url) == _document(url):
        if time.monotonic() > deadline:
            raise TimeoutError("the document was not shown")
        page.wait_for_timeout(200)


def _document(url: str) -> str:
    return parse_qs(urlsplit(url).query).get("doc", [""])[0]


def _ask(page: Page) -> None:
    box = page.get_by_label("Question", exact=True)
    box.fill(_QUESTION)
    box.press("Enter")
    time.sleep(2)


def _large(number: int, pages: int) -> bytes:
    """Pages of a ruled table, and an attachment that makes the file heavy."""
    with pymupdf.open() as document:
        for at in range(pages):
            page = document.new_page()
            page.insert_text((72, 50), f"Fleet {number}, part {at + 1}", fontsize=14)
            for row in range(30):
                y = 80.0 + 22 * row
                cells = (
                    ("Vehicle", "Depot", "Mileage")
                    if not row
                    else (
                        f"Vehicle {row + 30 * at}",
                        f"Depot {number * row % 97}",
                        f"{row * at * 37} km",
                    )
                )
                for column, text in enumerate(cells):
                    x = 72.0 + 150 * column
                    page.draw_rect((x, y, x + 150, y + 22))
                    page.insert_text((x + 5, y + 15), text, fontsize=10)
        document.embfile_add("noise", os.urandom(_NOISE_MB * 1_000_000))
        data: bytes = document.tobytes()
        return data


def _server(url: str) -> psutil.Process:
    port = f"--server.port={url.rsplit(':', 1)[1]}"
    return next(
        process
        for process in psutil.Process().children(recursive=True)
        if port in process.cmdline()
    )


def _memory(server: psutil.Process) -> float:
    return server.memory_info().rss / 1e6


def _settled(server: psutil.Process) -> float:
    time.sleep(8)
    return _memory(server)


if __name__ == "__main__":
    main()
