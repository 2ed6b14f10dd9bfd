"""Tune: what the widening threshold does to a set of questions, and which one to take."""

import streamlit as st

from pages.ui import cached, frame, messages, opening, sidebar, state
from pages.ui.shortcuts import shortcuts
from pages.ui.tune import board, export, question_set
from pages.ui.tune.asking import ask_all

frame.require()

progress = st.container()
choices = sidebar.draw(progress)
request = choices.request
parsed = opening.read(request, progress)
if parsed is None:
    request = state.shown(request) or st.stop()
    parsed = cached.parsed(request)
state.set_shown(request)
automatic = cached.reading(request, choices.strict, ())
header_rows = state.header_rows({table.table_id for table in automatic.tables})
key = (request, choices.strict, tuple(header_rows.items()))
reading = cached.reading(*key)

shortcuts({}, key="tune.keys")
questions = question_set.draw(choices.document.doc_id)
if not reading.tables:
    messages.no_tables()
    st.stop()
if not questions:
    messages.no_questions()
    st.stop()
answers = ask_all(key, choices, reading, questions, progress)
swept = cached.sweep(key, choices.settings, questions, answers)
board.draw(board.Board(questions, swept, choices.settings.arguments))
with choices.export_slot:
    export.draw(choices.document.name, questions, swept)
