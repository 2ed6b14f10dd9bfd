"""Inspect in the real app and a real browser: what a person sees and does."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.documents import table_pdf

pytestmark = pytest.mark.browser
expect.set_options(timeout=15_000)  # a loaded machine is slow, not wrong

THEFT = "What is the cap for vehicle theft?"
EVENTS = "Which events are covered?"
FIRST_VIEW_MS = 30_000
"""The first view on a server that has to load everything; later ones are far quicker."""


@pytest.fixture
def inspect(app_url: str, page: Page) -> Page:
    """The first sample, drawn."""
    page.goto(app_url)
    expect(rows_on_page(page).first).to_be_attached(timeout=FIRST_VIEW_MS)
    return page


def rows_on_page(page: Page) -> Locator:
    return page.get_by_role("listbox", name=re.compile("Rows on page")).get_by_role("option")


def rows_in_list(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Serialized rows").get_by_role("option")


def ask(page: Page, question: str) -> None:
    box = page.get_by_role("textbox", name="Question")
    box.fill(question)
    box.press("Enter")


def matched(rows: Locator) -> Locator:
    return rows.and_(rows.page.locator(".row.matched"))


def is_amber(row: Locator) -> bool:
    """Whether the row's box is filled with more red than blue, by what the screen shows."""
    return bool(
        row.locator(".box").evaluate(
            """box => {
              const context = new OffscreenCanvas(1, 1).getContext("2d")
              context.fillStyle = getComputedStyle(box).fill
              context.fillRect(0, 0, 1, 1)
              const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data
              return alpha > 20 && red > green && green > blue && red - blue > 60
            }"""
        )
    )


def test_a_question_lights_one_row_and_the_panel_says_so(inspect: Page) -> None:
    ask(inspect, THEFT)
    expect(inspect.get_by_text("1 of 40 rows")).to_be_visible()
    expect(matched(rows_on_page(inspect))).to_have_count(1)
    row = matched(rows_on_page(inspect)).first
    expect(row).to_have_accessible_name(re.compile(r"Row 11 of t1: Covered event: Vehicle theft"))
    assert is_amber(row)
    assert not is_amber(rows_on_page(inspect).first)
    expect(rows_in_list(inspect).first).to_contain_text("25,000 EUR")


def test_the_threshold_at_zero_widens(inspect: Page) -> None:
    ask(inspect, THEFT)
    expect(inspect.get_by_text("Row-level")).to_be_visible()
    slider = inspect.get_by_role("slider")
    slider.focus()
    slider.press("Home")
    expect(inspect.get_by_text("Widened", exact=True)).to_be_visible()
    expect(inspect.get_by_text("1 of 40 rows")).to_be_visible()
    expect(inspect.locator(".table.widened")).to_have_count(1)
    expect(inspect).to_have_url(re.compile("threshold=0"))


def test_rows_are_chosen_on_the_page_and_in_the_list_alike(inspect: Page) -> None:
    ask(inspect, THEFT)
    expect(inspect.get_by_text("1 of 40 rows")).to_be_visible()
    on_page = rows_on_page(inspect).nth(3)
    on_page.locator(".box").click()
    expect(on_page).to_have_attribute("aria-selected", "true")
    inspect.get_by_role("listbox", name="Serialized rows").scroll_into_view_if_needed()
    chosen = rows_in_list(inspect).and_(inspect.locator("[aria-selected=true]"))
    expect(chosen).to_have_accessible_name(re.compile("Row 4 of t1"))
    expect(chosen).to_be_in_viewport()

    rows_in_list(inspect).and_(inspect.get_by_label(re.compile("Row 7 of t1"))).click()
    expect(rows_on_page(inspect).nth(6)).to_have_attribute("aria-selected", "true")
    expect(on_page).to_have_attribute("aria-selected", "false")


def test_a_row_of_another_page_turns_to_it(inspect: Page) -> None:
    row = rows_in_list(inspect).and_(inspect.get_by_label(re.compile("Row 2 of t4")))
    row.scroll_into_view_if_needed()
    row.click()
    expect(inspect.get_by_text("Page 5 of 5")).to_be_visible()
    expect(rows_on_page(inspect).nth(1)).to_have_attribute("aria-selected", "true")


def test_a_question_about_the_whole_table_frames_it(inspect: Page) -> None:
    ask(inspect, EVENTS)
    expect(inspect.get_by_text("40 of 40 rows")).to_be_visible()
    expect(inspect.get_by_text("Synthesis")).to_be_visible()
    frame = inspect.locator(".table.widened .outline")
    expect(frame).to_have_count(1)
    assert frame.evaluate("it => getComputedStyle(it).strokeDasharray") != "none"
    inspect.get_by_role("button", name=re.compile("Page 3")).click()
    expect(inspect.get_by_text("Page 3 of 5")).to_be_visible()
    expect(inspect.locator(".table.widened")).to_have_count(1)  # the table goes on here


def test_hovering_a_row_previews_its_text(inspect: Page) -> None:
    rows_on_page(inspect).nth(8).locator(".box").hover()
    preview = inspect.get_by_role("tooltip").filter(has_text="Covered event: Fire")
    expect(preview).to_be_visible()


def test_zoom_survives_a_question(inspect: Page) -> None:
    inspect.get_by_role("button", name="Zoom in").click()
    level = inspect.get_by_role("status", name="Zoom level").inner_text()
    ask(inspect, THEFT)
    expect(inspect.get_by_text("1 of 40 rows")).to_be_visible()
    expect(inspect.get_by_role("status", name="Zoom level")).to_have_text(level)


def test_an_upload_opens_and_its_link_brings_the_same_state_back(inspect: Page) -> None:
    pdf = table_pdf(
        ["Vehicle", "Plate", "Mileage"],
        [["Truck", "AB 1234", "82,000 km"], ["Van", "CD 5678", "15,400 km"]],
    )
    inspect.locator("input[type=file]").set_input_files(
        {"name": "fleet.pdf", "mimeType": "application/pdf", "buffer": pdf}
    )
    expect(rows_on_page(inspect)).to_have_count(2, timeout=FIRST_VIEW_MS)
    ask(inspect, "What is the mileage of the van?")
    expect(inspect.get_by_text("1 of 2 rows")).to_be_visible()
    rows_on_page(inspect).first.locator(".box").click()
    expect(rows_on_page(inspect).first).to_have_attribute("aria-selected", "true")

    expect(inspect).to_have_url(re.compile("row=t1"))  # the ring shows before the app has answered
    link = inspect.url
    assert re.search(r"doc=[0-9a-f]{20}", link)
    inspect.goto("about:blank")
    inspect.goto(link)
    expect(inspect.get_by_text("1 of 2 rows")).to_be_visible(timeout=FIRST_VIEW_MS)
    expect(inspect.get_by_role("combobox", name="Document")).to_have_value("fleet.pdf")
    expect(inspect.get_by_role("textbox", name="Question")).to_have_value(
        "What is the mileage of the van?"
    )
    expect(rows_on_page(inspect).first).to_have_attribute("aria-selected", "true")


def test_a_link_brings_back_question_page_threshold_and_tab(app_url: str, page: Page) -> None:
    query = "q=What+is+the+cap+for+vehicle+theft%3F&page=4&threshold=0.25&tab=Headers&row=t2%3A1"
    page.goto(f"{app_url}/?{query}")
    expect(page.get_by_text("1 of 40 rows")).to_be_visible(timeout=FIRST_VIEW_MS)
    expect(page.get_by_text("Page 4 of 5")).to_be_visible()
    expect(page.get_by_text("widen from 0.25")).to_be_visible()
    expect(page.get_by_text("One header line")).to_be_visible()
    expect(rows_on_page(page).nth(1)).to_have_attribute("aria-selected", "true")


def test_the_real_text_of_a_document_is_never_markup(inspect: Page) -> None:
    pdf = table_pdf(
        ["Name", "<b>Note</b>"],
        [["<img src=x onerror=alert(1)>", "**bold** :red[x] $y$"], ["=1+1", "[a](http://b)"]],
    )
    inspect.on("dialog", lambda dialog: pytest.fail(f"A script ran: {dialog.message}"))
    inspect.locator("input[type=file]").set_input_files(
        {"name": "<b>evil</b>.pdf", "mimeType": "application/pdf", "buffer": pdf}
    )
    expect(rows_in_list(inspect)).to_have_count(2, timeout=FIRST_VIEW_MS)
    expect(rows_in_list(inspect).first).to_contain_text("<img src=x onerror=alert(1)>")
    assert inspect.locator("img[src=x]").count() == 0
