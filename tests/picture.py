"""Take the README's picture anew from the real app: `python -m tests.picture`."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser import ROOT, open_page, running_app, running_chromium

PICTURE = ROOT / "assets" / "inspect.png"
QUESTION = "What is the cap for vehicle theft?"


def main() -> None:
    """Ask the sample its first question, and keep what the screen shows."""
    with (
        running_app("picture") as url,
        running_chromium() as browser,
        open_page(browser, width=1280, height=830) as page,
    ):
        page.goto(url)
        page.get_by_role("button", name=QUESTION).click(timeout=60_000)
        expect(page.get_by_text("1 of 40 rows")).to_be_visible(timeout=30_000)
        expect(page.locator(".js-plotly-plot text").first).to_be_visible(timeout=30_000)
        page.wait_for_timeout(1_000)  # the chart's and the row's transitions
        page.screenshot(path=PICTURE)
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
