"""Whatever the header: no label is lost, none stands over another column than its own."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core import fold_multirow_header
from core.tables.headers import HeaderFold, fold_header

Row = list[str]

WORDS = ["Bow", "Stern", "Keel", "Mast", "Deck", "Hold", "Helm", "Cabin", "Galley", "Anchor"]
CELLS = st.sampled_from(
    ["", "", "Depth", "2031", "Q1", "percent", "kg", "12.4", "-", "n/a", "Col2", "(in millions)"]
)


@st.composite
def spanned_headers(draw: st.DrawFn) -> tuple[list[tuple[str, list[str]]], list[Row]]:
    """Spans, each with the names of its columns (one without a name stands alone), and rows."""
    spans = [
        (f"Span {at}", draw(st.lists(st.sampled_from(WORDS), min_size=2, max_size=4, unique=True)))
        for at in range(draw(st.integers(1, 4)))
    ]
    alone = [(f"Lone {at}", [""]) for at in range(draw(st.integers(0, 2)))]
    columns = draw(st.permutations([*spans, *alone]))
    n_values = sum(len(names) for _, names in columns)
    numbers = st.lists(st.integers(0, 9999).map(str), min_size=n_values, max_size=n_values)
    rows = [[f"Ship {at}", *draw(numbers)] for at in range(draw(st.integers(2, 6)))]
    return columns, rows


@given(spanned_headers(), st.booleans())
def test_two_levels_fold_however_the_parser_wrote_the_span(
    table: tuple[list[tuple[str, list[str]]], list[Row]], repeated: bool
) -> None:
    columns, rows = table
    upper, lower, labels = ["Ship"], ["Ship" if repeated else ""], ["Ship"]
    for span, names in columns:
        if names == [""]:
            upper, lower = [*upper, span], [*lower, span if repeated else ""]
        else:
            upper += [span] * len(names) if repeated else [span, *[""] * (len(names) - 1)]
            lower += names
        labels += [f"{span} {name}".strip() for name in names]
    assert fold_multirow_header(upper, [lower, *rows]) == (labels, rows)


@st.composite
def any_table(draw: st.DrawFn) -> tuple[list[Row], list[Row]]:
    width = draw(st.integers(1, 6))
    line = st.lists(CELLS, min_size=width, max_size=width)
    return (
        draw(st.lists(line, min_size=1, max_size=3)),
        draw(st.lists(line, max_size=8)),
    )


@given(any_table())
def test_no_label_is_lost_and_none_moves_but_to_the_right(
    table: tuple[list[Row], list[Row]],
) -> None:
    above, body = table
    fold = fold_header(above, body, strict=False)
    assert fold.raw == tuple(map(tuple, [*above, *body][: fold.depth]))
    for at, label in enumerate(fold.folded):
        for line in fold.raw:
            cell = line[at]
            assert cell in label or cell == fold.title or _stands_for_others(line, at, fold)
        from_the_left = {
            word for line in fold.raw for cell in line[: at + 1] for word in cell.split()
        }
        assert from_the_left.issuperset(label.split())


@given(any_table())
def test_rows_below_the_header_come_through_untouched(table: tuple[list[Row], list[Row]]) -> None:
    above, body = table
    _, rows = fold_multirow_header(above[-1], body)
    lines = [above[-1], *body]
    assert rows == lines[len(lines) - len(rows) :]


def _stands_for_others(line: tuple[str, ...], at: int, fold: HeaderFold) -> bool:
    """Whether a cell is a placeholder, or the unit of the columns to its right."""
    unit = line[at] == "(in millions)" and at == 0 and all("million" in x for x in fold.folded[1:])
    return unit or (line[at] == "Col2" and at in (1, 2))
