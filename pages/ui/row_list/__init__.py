import streamlit as st


def row_list(rows, *, selected, key, on_select, height=0, empty=""):
    st.dataframe([{"id": r["id"], "t": "".join(s[0] for s in r["segments"])} for r in rows])
