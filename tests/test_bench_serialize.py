"""The bench compares like with like: every reader sees the same rows."""

from __future__ import annotations

from tests.bench_serialize import READERS, make_content


def test_every_reader_of_the_bench_finds_the_same_rows() -> None:
    content = make_content(1_000)
    assert len(content.line_df) == 1_000
    rows = {name: reader(content) for name, reader in READERS.items()}
    # Called with the whole text, Chonkie takes further headers and separators for rows.
    assert rows.pop("chonkie whole text") > rows["literal Python"]
    assert len(set(rows.values())) == 1
