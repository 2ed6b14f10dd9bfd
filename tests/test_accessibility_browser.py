"""axe-core on every page, in both themes: nothing serious or critical."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect

from tests.test_inspector_browser import FIRST_VIEW_MS

pytestmark = pytest.mark.browser

VIEWS = {
    "first view": "/",
    "answer": "/?q=What+is+the+cap+for+vehicle+theft%3F&row=t1:10",
    "whole table": "/?q=Which+events+are+covered%3F",
    "table": "/?tab=Table&table=t1",
    "headers": "/?doc=attention_report&tab=Headers&table=t2",
    "lines": "/?tab=Lines",
    "context": "/?tab=Context&q=Which+events+are+covered%3F",
    "notes": "/?tab=Notes",
    "nothing found": "/?q=xyzzy",
    "tune": "/tune",
    "compare": "/compare?q=What+is+the+cap+for+vehicle+theft%3F&changes=all",
    "compare, side by side": "/compare?doc=attention_report&view=beside",
}


_LOOKS = 4


def _serious(page: Page) -> list[tuple[str, str, str]]:
    return [
        (one["id"], node["html"], node["failureSummary"])
        for one in Axe().run(page).response["violations"]
        if one["impact"] in {"serious", "critical"}
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_serious(app_url: str, browser: Browser, view: str, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": 1280, "height": 900})  # type: ignore[arg-type]
    page = context.new_page()
    try:
        page.goto(f"{app_url}{VIEWS[view]}")
        expect(page.get_by_role("main")).to_be_visible(timeout=FIRST_VIEW_MS)
        expect(page.get_by_test_id("stStatusWidget")).to_have_count(0, timeout=FIRST_VIEW_MS)
        # What fades in, or is not filled yet, is looked at again.
        for _ in range(_LOOKS):
            page.wait_for_timeout(1_000)
            serious = _serious(page)
            if not serious:
                break
        assert serious == []
    finally:
        context.close()
