import streamlit as st


def page_view(view, *, image, image_id, key, on_select, on_turn, height=0):
    st.image(image)
