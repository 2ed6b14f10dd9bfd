"""Fixtures every test may ask for, and what holds for the whole run."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests import browser as chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[1]

# The user's own store is neither read nor written, by any process of the run.
_store = tempfile.TemporaryDirectory(prefix="rowlens-test-store-")
os.environ["ROWLENS_CACHE"] = _store.name

# The same examples on every machine and no clock: a red run means a change, never bad luck.
# `pytest --hypothesis-profile=explore` looks further.
settings.register_profile(
    "fixed",
    derandomize=True,
    deadline=None,
    max_examples=60,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("explore", deadline=None, max_examples=5_000)
settings.load_profile("fixed")

_failed = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-browser", action="store_true", help="leave out the tests that drive the real app"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--no-browser"):
        return
    left_out = pytest.mark.skip(reason="--no-browser")
    for item in items:
        if "browser" in item.keywords or "page" in getattr(item, "fixturenames", ()):
            item.add_marker(left_out)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[_failed] = report.failed
    return report


@pytest.fixture(autouse=True)
def _no_cache_between_tests() -> None:
    """AppTest shares st.cache_data with every test before it; each test starts empty."""
    streamlit = sys.modules.get("streamlit")
    if streamlit is not None:
        streamlit.cache_data.clear()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of public cases and documents beside the project; never copied into it."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("needs the folder shared/ beside the project, which is not here")
    return folder


@pytest.fixture(scope="session")
def app_url() -> Iterator[str]:
    """Address of the real app, one process for the whole run."""
    with chromium.running_app() as url:
        yield url


@pytest.fixture
def cold_app_url() -> Iterator[str]:
    """Address of an app that nobody has opened yet, one process for this test alone."""
    with chromium.running_app("cold-app") as url:
        yield url


# By module, not by session: while Playwright's loop runs, nothing else in this thread may start
# an asyncio loop, and Streamlit's AppTest does.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Headless Chromium; without one the test fails and says how to get it."""
    with chromium.running_chromium() as running:
        yield running


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A fresh page, 1280 x 800; a screenshot is kept in .artifacts/ if the test fails."""
    with chromium.open_page(browser) as opened:
        yield opened
        if request.node.stash.get(_failed, False):
            path = chromium.save_screenshot(opened, request.node.name)
            print(f"Screenshot: {path}")
