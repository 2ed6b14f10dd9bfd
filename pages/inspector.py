"""Inspect: the page with its tables and rows beside what a question brings back."""

import streamlit as st

from core.view.document import first_page_to_show, page_has_text, page_of_answer
from core.view.notes import note_focus
from core.view.page import page_overlay, row_ids
from pages.ui import (
    cached,
    decision,
    export,
    frame,
    inspect_keys,
    messages,
    opening,
    sidebar,
    state,
    tabs,
)
from pages.ui.page_view import page_view
from pages.ui.paper import paper
from pages.ui.question import question_box
from pages.ui.tune import expect

frame.require()

progress = st.container()
choices = sidebar.draw(progress)
document = choices.document
question = question_box(document.questions)

request = choices.request
parsed = opening.read(request, progress)
if parsed is None:  # what went wrong is said above; the document stays as it was seen last
    request = state.shown(request) or st.stop()
    parsed = cached.parsed(request)
state.set_shown(request)
automatic = cached.reading(request, choices.strict, ())
header_rows = state.header_rows({table.table_id for table in automatic.tables})
reading = cached.reading(request, choices.strict, tuple(header_rows.items()))

retrieval = choices.ask(reading.index, question, state.threshold())

pages = parsed.page_df["page_num"].tolist()
if state.question_is_new(document.doc_id, question) and retrieval:
    state.set_page(page_of_answer(retrieval, state.page(pages)))
linked_table = next(
    (table for table in reading.tables if table.table_id == state.setting(state.TABLE)), None
)
page_num = state.page(pages) or first_page_to_show(
    parsed, reading.row_df, retrieval, table=linked_table
)
state.set_page(page_num)
rows = set(row_ids(reading.row_df))
selected = state.selected_row(rows)
note = reading.lints.get(state.note() or "")
sheet = paper(request, document, parsed, reading, page_num)

left, right = st.columns([11, 9], gap="medium")
with left:
    page_view(
        page_overlay(
            page_num,
            sheet.page_df,
            sheet.tables,
            sheet.row_df,
            retrieval,
            selected,
            note_focus(note, sheet.tables) if note else None,
            sheet.message,
            sheet.words,
        ),
        image=sheet.image.png,
        image_id=sheet.image_id,
        key="inspect.page",
        on_select=state.select_row,
        on_turn=state.set_page,
    )
    messages.parser_notes(parsed.notes)
with right:
    decision.draw(
        retrieval,
        reading.index,
        has_tables=bool(reading.tables),
        has_text=page_has_text(parsed.line_df, page_num),
        recognise=state.recognise if choices.can_recognise else None,
    )
    table = sidebar.choose_table(choices, reading, header_rows, retrieval, page_num)
    expect.draw(document.doc_id, question, selected, table.table_id if table else None)
    finding = tabs.Finding(
        choices=choices,
        request=request,
        line_df=parsed.line_df,
        automatic=automatic,
        reading=reading,
        header_rows=header_rows,
        table=table,
        question=question,
        retrieval=retrieval,
        page_num=page_num,
        selected=selected,
    )
    tabs.draw(finding)
inspect_keys.listen(retrieval, rows, pages)
with choices.export_slot:
    export.draw(document, parsed, finding)
