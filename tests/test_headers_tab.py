"""A header set by hand, without a browser: what follows it, and what is dropped."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[1]


def opened(**query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for key, value in query.items():
        app.query_params[key] = value
    return ran(app)


def ran(app: AppTest) -> AppTest:
    app.run()
    assert not app.exception, [problem.message for problem in app.exception]
    return app


def n_rows(app: AppTest) -> int:
    """Rows of the table in the open tab Table."""
    return len(app.dataframe[0].value)


def test_a_link_sets_the_header_of_a_table() -> None:
    app = opened(doc="attention_report", table="t2", tab="Table", headers="t2.1")
    assert n_rows(app) == 11
    assert "EN-DE" in app.dataframe[0].value.iloc[0].tolist()


def test_key_value_leaves_no_line_to_the_header() -> None:
    app = opened(doc="attention_report", table="t2", tab="Table", headers="t2.key-value")
    assert n_rows(app) == 12


@pytest.mark.parametrize("headers", ["t9.1", "t2.9", "t2", "<b>.1", "t2.-1", ",,,"])
def test_nonsense_in_a_link_is_dropped(headers: str) -> None:
    app = opened(doc="attention_report", table="t2", tab="Table", headers=headers)
    assert n_rows(app) == 10


def test_another_document_forgets_the_header() -> None:
    app = opened(doc="attention_report", table="t2", tab="Table", headers="t2.1")
    app.selectbox(key="doc").set_value("motor_insurance")
    app = ran(app)
    assert "headers" not in app.query_params
    app.selectbox(key="doc").set_value("attention_report")
    app = ran(app)
    app.selectbox(key="table").set_value("t2")
    assert n_rows(ran(app)) == 10
