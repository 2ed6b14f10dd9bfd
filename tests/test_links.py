"""A link restores what was seen, wherever its document is; documents are known by content."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.library import Library
from core.recent import (
    SWITCH_VARIABLE,
    document_id,
    find_document,
    keep_document,
    recent_documents,
)
from core.store import Store
from tests.documents import table_pdf
from tests.test_inspector import ran, words
from tests.test_opening import upload

ROOT = Path(__file__).parents[1]
FLEET = table_pdf(["Vehicle", "Depot"], [["Van", "Lyon"], ["Tram", "Porto"], ["Bus", "Bonn"]])
QUESTION = "Where is the tram?"


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)


def follow(app: AppTest, **link: str) -> AppTest:
    for key, value in link.items():
        app.query_params[key] = value
    return ran(app)


def test_a_link_waits_for_its_document_and_then_shows_what_it_says(app: AppTest) -> None:
    data = FLEET + b"\n% the first"
    link = {"doc": document_id(data), "q": QUESTION, "threshold": "0.25", "row": "t1:1"}
    follow(app, **link, words="off", name="fleet.pdf")
    assert "This link needs its document" in words(app)
    assert "fleet.pdf" in words(app)
    assert app.selectbox(key="doc").value == "motor_insurance"
    upload(app, ("renamed.pdf", data))
    assert "This link needs its document" not in words(app)
    assert app.selectbox(key="doc").value == document_id(data)
    assert app.text_input(key="q").value == QUESTION
    for key, value in {**link, "words": "off"}.items():
        assert app.query_params[key] in (value, [value]), key


def test_another_document_does_not_take_the_view_of_a_link(app: AppTest) -> None:
    follow(app, doc=document_id(b"nobody has this"), q=QUESTION, row="t1:1")
    other = FLEET + b"\n% another"
    upload(app, ("other.pdf", other))
    assert app.selectbox(key="doc").value == document_id(other)
    assert "This link needs its document" in words(app)
    assert "row" not in app.query_params


def test_a_document_opened_before_is_offered_and_opens_in_a_new_server(tmp_path: Path) -> None:
    store = Store(tmp_path)
    keep_document(store, "fleet.pdf", FLEET)
    library = Library(store)
    assert [(one.doc_id, one.name) for one in library.recent()] == [
        (document_id(FLEET), "fleet.pdf")
    ]
    assert library.get(document_id(FLEET)).data == FLEET


def test_what_is_damaged_or_not_that_document_is_not_there(tmp_path: Path) -> None:
    store = Store(tmp_path)
    keep_document(store, "fleet.pdf", FLEET)
    (kept,) = recent_documents(store)
    kept.path.write_bytes(FLEET + b"changed")
    assert Library(store)._documents.get(kept.doc_id) is None
    with pytest.raises(Exception, match="not at hand"):
        Library(store).get(kept.doc_id)
    (kept.path.parent / "document.json").write_text("{")
    assert recent_documents(store) == []
    assert find_document(store, "../../../etc/passwd!") is None


def test_nothing_is_kept_where_that_is_switched_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path)
    keep_document(store, "fleet.pdf", FLEET)
    monkeypatch.setenv(SWITCH_VARIABLE, "off")
    keep_document(store, "other.pdf", FLEET + b"\n% other")
    assert recent_documents(store) == []
    assert find_document(store, document_id(FLEET)) is None
    assert len(list(tmp_path.iterdir())) == 1
