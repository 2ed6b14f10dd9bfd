"""The real app in a real browser: finding Chromium, starting the app, opening a page."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, Playwright, sync_playwright

ROOT = Path(__file__).parents[1]
ARTIFACTS = ROOT / ".artifacts"

CHROMIUM_VARIABLE = "ROWLENS_CHROMIUM"
HOW_TO_INSTALL = (
    "No Chromium for the browser tests: install one (`apt-get install chromium`, or "
    "`python -m playwright install chromium`), name one in ROWLENS_CHROMIUM, or leave these tests "
    "out with --no-browser."
)

_COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_START_SECONDS = 60.0
_STOP_SECONDS = 10.0


class NoBrowser(RuntimeError):
    """There is no Chromium; the message says how to get one."""


def find_chromium() -> str | None:
    """Path of a Chromium that is already here, or None.

    Raises:
        NoBrowser: ROWLENS_CHROMIUM names something that does not exist.
    """
    named = os.environ.get(CHROMIUM_VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise NoBrowser(f"{CHROMIUM_VARIABLE} is {named!r}, which is no program here.")
        return found
    for command in _COMMANDS:
        if found := shutil.which(command):
            return found
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


def find_or_install_chromium() -> str:
    """Path of a Chromium, asking Playwright once to install its own where there is none."""
    if found := find_chromium():
        return found
    print("No Chromium found; trying `python -m playwright install chromium`.", flush=True)
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    # Its output is dropped: where there is no way to the download it is pages of stack traces.
    subprocess.run(command, check=False, capture_output=True)
    if found := find_chromium():
        return found
    raise NoBrowser(HOW_TO_INSTALL)


@contextmanager
def running_app(name: str = "app") -> Iterator[str]:
    """The app's address, served by a process of its own that ends with the block.

    Its log goes to .artifacts/<name>.log.
    """
    ARTIFACTS.mkdir(exist_ok=True)
    log_path = ARTIFACTS / f"{name}.log"
    url = f"http://127.0.0.1:{_free_port()}"
    with log_path.open("wb") as log:
        process = subprocess.Popen(
            _streamlit_command(url), cwd=ROOT, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            _wait_until_healthy(url, process, log_path)
            yield url
        finally:
            _stop(process)


@contextmanager
def running_chromium() -> Iterator[Browser]:
    """A headless Chromium with a profile of its own.

    Raises:
        NoBrowser: none is installed.
    """
    path = find_chromium()
    if path is None:
        raise NoBrowser(HOW_TO_INSTALL)
    with sync_playwright() as playwright:
        browser = _launch(playwright, path)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def open_page(
    browser: Browser, *, width: int = 1280, height: int = 800, dark: bool = False
) -> Iterator[Page]:
    """A page without cookies or storage; `width`, `height` in CSS pixels."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        accept_downloads=True,
    )
    try:
        yield context.new_page()
    finally:
        context.close()


def save_screenshot(page: Page, name: str) -> Path:
    """The page as it stands, as .artifacts/<name>.png."""
    ARTIFACTS.mkdir(exist_ok=True)
    path = ARTIFACTS / f"{''.join(c if c.isalnum() else '-' for c in name).strip('-')}.png"
    page.screenshot(path=path, full_page=True)
    return path


def _launch(playwright: Playwright, path: str) -> Browser:
    return playwright.chromium.launch(executable_path=path, headless=True, args=_ARGUMENTS)


def _streamlit_command(url: str) -> list[str]:
    host, port = url.removeprefix("http://").split(":")
    return [
        *(sys.executable, "-m", "streamlit", "run", "app.py"),
        f"--server.address={host}",
        f"--server.port={port}",
        "--server.headless=true",
        "--server.fileWatcherType=none",
        "--browser.gatherUsageStats=false",
    ]


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _wait_until_healthy(url: str, process: subprocess.Popen[bytes], log_path: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"The app ended as it started:\n{log_path.read_text()[-2000:]}")
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            time.sleep(0.1)
    raise RuntimeError(f"The app did not answer within {_START_SECONDS:g} s; see {log_path}.")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
