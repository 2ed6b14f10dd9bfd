"""Compare: one document read in two ways, what differs, and what that does to an answer."""

from functools import partial

import streamlit as st

from core.compare.summary import Names, summary, table_name
from core.view.compare_answer import matched_rows
from core.view.compare_rows import first_page
from core.view.document import page_of_answer
from pages.ui import cached, frame, sidebar, state
from pages.ui.compare import answers, export, pages, sides, tables
from pages.ui.compare.verdict import verdict
from pages.ui.question import question_box
from pages.ui.shortcuts import shortcuts
from pages.ui.state import compare

frame.require()

progress = st.container()
choices = sidebar.draw(progress)
question = question_box(choices.document.questions)
shortcuts({"clear": partial(state.ask, "")}, key="compare.keys")
one, other = sides.draw(choices)
shown = [side for side in (one, other) if side is not None]
if not shown:
    st.stop()

names = Names(one.name if one else "A", other.name if other else "B")
comparison = cached.comparison(one.key, other.key) if one and other else None
places = {table.table_id: table_name(table) for table in one.reading.tables} if one else {}
captions = {table.table_id: table.caption for table in one.reading.tables} if one else {}
if comparison is not None:
    verdict(summary(comparison, names, places), key="compare.summary")

found = [choices.ask(side.reading.index, question, state.threshold()) for side in shown]
answers.draw(comparison, shown, found)

if compare.is_beside() and comparison is not None:
    left, right = st.container(), st.container()  # two pages take all the width there is
else:
    left, right = st.columns([11, 12], gap="medium")
diff = None
with right:
    if comparison is not None:
        diff = tables.choose(comparison, places, captions)
        matched = {
            side.letter.lower(): matched_rows(answer)
            for side, answer in zip(shown, found, strict=True)
        }
        place = places[diff.pair.a[0]] if diff else ""
        tables.draw(comparison, diff, names, place, matched)
    else:
        st.caption("What differs stands here as soon as both sides can be read.")
page_nums = shown[0].parsed.page_df["page_num"].tolist()
chosen_page = state.page(page_nums)
if state.question_is_new(choices.document.doc_id, question) and found[0]:
    chosen_page = page_of_answer(found[0], chosen_page)
answer_page = page_of_answer(found[0], None) if found[0] else None
page_num = chosen_page or (first_page(diff) if diff else None) or answer_page or page_nums[0]
if comparison is not None:  # before that nobody knows where the first difference stands
    state.set_page(page_num)
with left:
    view = pages.draw(shown, found, comparison, diff, page_num)
compare.link(diff.pair.pair_id if diff else None, view)
if comparison is not None and one and other:
    with choices.export_slot:
        export.draw(choices, (one, other), comparison, diff, places, question, found, page_num)
