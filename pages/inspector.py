"""Inspect: the page with its tables and rows beside what a question brings back."""

import streamlit as st

from core.errors import RowlensError
from core.view.document import first_page_to_show, page_has_text, page_of_answer
from core.view.page import page_overlay, row_ids
from pages.ui import cached, decision, frame, messages, sidebar, state, tabs
from pages.ui.page_view import page_view
from pages.ui.question import question_box

frame.require()

progress = st.container()
choices = sidebar.draw(progress)
document = choices.document
question = question_box(document.questions)

try:
    with progress:
        sidebar.parse_with_progress(document, choices.parser)
    parsed = cached.parsed(document.doc_id, choices.parser)
    reading = cached.reading(document.doc_id, choices.parser, choices.strict)
except RowlensError as problem:
    messages.error(problem, title="This document cannot be read")
    st.stop()

retrieval = (
    reading.index.retrieve(
        question,
        use_row_level=choices.use_row_level,
        shape=choices.shape,
        widen_threshold=decision.threshold(),
        encoding=choices.encoding,
    )
    if question
    else None
)

pages = parsed.page_df["page_num"].tolist()
if state.question_is_new(document.doc_id, question) and retrieval:
    state.set_page(page_of_answer(retrieval, state.page(pages)))
page_num = state.page(pages) or first_page_to_show(parsed, reading.row_df, retrieval)
state.set_page(page_num)
selected = state.selected_row(set(row_ids(reading.row_df)))
image = cached.page_image(document.doc_id, page_num)

left, right = st.columns([11, 9], gap="medium")
with left:
    page_view(
        page_overlay(page_num, parsed.page_df, reading.tables, reading.row_df, retrieval, selected),
        image=image.png,
        image_id=f"{document.doc_id}:{page_num}",
        key="inspect.page",
        on_select=state.select_row,
        on_turn=state.set_page,
    )
with right:
    decision.draw(
        retrieval,
        has_tables=bool(reading.tables),
        has_text=page_has_text(parsed.line_df, page_num),
    )
    table = sidebar.choose_table(choices, reading.tables, retrieval, page_num)
    tabs.draw(
        parsed.line_df,
        reading.row_df,
        table,
        retrieval,
        page_num=page_num,
        selected=selected,
    )
