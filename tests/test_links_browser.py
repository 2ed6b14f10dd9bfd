"""A copied link opens exactly what was seen, once its document is there."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from core.recent import document_id
from tests.documents import table_pdf
from tests.test_inspector_browser import FIRST_VIEW_MS, ask, matched, rows_on_page

pytestmark = pytest.mark.browser

FLEET = table_pdf(
    ["Vehicle", "Depot", "Mileage"],
    [["Van", "Lyon", "1,200"], ["Tram", "Porto", "340"], ["Bus", "Bonn", "77"]],
)
QUESTION = "What is the mileage of the tram?"


def test_copy_link_takes_the_whole_state_along(app_url: str, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{app_url}/?doc=attention_report&threshold=0.35")
    expect(rows_on_page(page).first).to_be_attached(timeout=FIRST_VIEW_MS)
    ask(page, "What layer types are compared?")
    expect(matched(rows_on_page(page))).not_to_have_count(0)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = str(page.evaluate("navigator.clipboard.readText()"))
    said = parse_qs(urlsplit(link).query)
    assert said["doc"] == ["attention_report"]
    assert said["q"] == ["What layer types are compared?"]
    assert said["threshold"] == ["0.35"]


def test_a_link_asks_for_its_document_by_content(app_url: str, page: Page) -> None:
    data = FLEET + b"\n% of a colleague"
    page.goto(f"{app_url}/?doc={document_id(data)}&q={QUESTION}&threshold=0.3&name=fleet.pdf")
    expect(page.get_by_text("This link needs its document")).to_be_visible(timeout=FIRST_VIEW_MS)
    page.locator("input[type=file]").first.set_input_files(
        {"name": "any name.pdf", "mimeType": "application/pdf", "buffer": data}
    )
    expect(page.get_by_text("This link needs its document")).not_to_be_visible()
    expect(page.get_by_role("textbox", name="Question")).to_have_value(QUESTION)
    expect(matched(rows_on_page(page))).to_have_count(1)
    expect(page).to_have_url(re.compile("threshold=0.3"))
