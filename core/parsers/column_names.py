"""The names that other programs give the columns of a line_df. Pure, and quick to import."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

ALIASES: Mapping[str, tuple[str, ...]] = {
    "page_num": ("page_num", "page", "page_number", "page_no", "pagenum", "pageno", "pg"),
    "line_num": ("line_num", "line", "line_number", "line_no", "linenum", "lineno"),
    "text": ("text", "content", "line_text", "line_content"),
}
"""By contract name, what else it is called, the surest first."""

CORNERS, SIZE = "corners", "size"

BOX_SCHEMES: tuple[tuple[str, tuple[str, str, str, str]], ...] = (
    (CORNERS, ("x0", "y0", "x1", "y1")),
    (CORNERS, ("x_0", "y_0", "x_1", "y_1")),
    (CORNERS, ("x1", "y1", "x2", "y2")),
    (CORNERS, ("x_1", "y_1", "x_2", "y_2")),
    (CORNERS, ("left", "top", "right", "bottom")),
    (CORNERS, ("l", "t", "r", "b")),
    (CORNERS, ("x0", "top", "x1", "bottom")),
    (CORNERS, ("xmin", "ymin", "xmax", "ymax")),
    (CORNERS, ("x_min", "y_min", "x_max", "y_max")),
    (CORNERS, ("min_x", "min_y", "max_x", "max_y")),
    (SIZE, ("x", "y", "width", "height")),
    (SIZE, ("x", "y", "w", "h")),
    (SIZE, ("left", "top", "width", "height")),
    (SIZE, ("x0", "y0", "width", "height")),
)
"""Sets of four columns that make a box: two corners, or a corner with width and height."""

BOX_IN_ONE = ("bbox", "box", "bounding_box", "boundingbox", "bounds", "rect", "polygon")
"""Single columns that hold a whole box."""


@dataclass(frozen=True)
class ColumnMap:
    """Which columns of a file are those of the contract."""

    plain: dict[str, str]
    """Contract name -> column of the file, for page_num, line_num and text."""
    box: tuple[str, ...] = ()
    """The columns that make a box: none, four, or one that holds it whole."""
    scheme: str = CORNERS

    @property
    def is_lines(self) -> bool:
        """Whether these columns are surely meant as lines of pages."""
        given = self.plain
        exact = given.get("text") == "text" and given.get("page_num") == "page_num"
        placed = "line_num" in given or bool(self.box)
        return "text" in given and "page_num" in given and (placed or exact)


def map_columns(names: Iterable[str]) -> ColumnMap:
    """The columns of a file by what they mean; what is called exactly so comes first."""
    names = list(names)
    plain = {
        name: found
        for name, aliases in ALIASES.items()
        if (found := _find(names, aliases)) is not None
    }
    for scheme, four in BOX_SCHEMES:
        box = [_find(names, (name,)) for name in four]
        if None not in box and not set(box) & set(plain.values()):
            return ColumnMap(plain, tuple(filter(None, box)), scheme)
    whole = _find(names, BOX_IN_ONE)
    return ColumnMap(plain, () if whole is None else (whole,))


def is_row_df(names: Iterable[str]) -> bool:
    """Whether these are the columns of a row_df rather than of a line_df."""
    return {"row_serialized", "row_cells"} <= set(names)


DELIMITERS = ",;\t|"


def split_header(text: str) -> tuple[list[str], str]:
    """The column names of a CSV file and its delimiter: the one that makes most sense of them."""
    text = without_separator_line(text)
    csv.field_size_limit(2**31 - 1)
    found = []
    for delimiter in DELIMITERS:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        try:
            names = next(rows, [])
        except csv.Error:
            names = []
        known = map_columns(names)
        meant = known.is_lines or is_row_df(names)
        found.append((meant, len(known.plain), len(names), names, delimiter))
    *_, names, delimiter = max(found, key=lambda header: header[:3])
    return names, delimiter


def without_separator_line(text: str) -> str:
    """The text without the line `sep=;` that some spreadsheets write first."""
    return re.sub(r"\A\"?sep=.\"?\r?\n", "", text)


def plain_name(name: str) -> str:
    """A column's name in lower snake case: "pageNumber", "Page Number" -> "page_number"."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip().lstrip("\ufeff"))
    return re.sub(r"[\s_.\-]+", "_", words).strip("_").lower()


def _find(names: Sequence[str], aliases: Sequence[str]) -> str | None:
    """The column called by the first of the aliases that is there; exact names before similar."""
    for alias in aliases:
        if alias in names:
            return alias
        similar = [name for name in names if plain_name(name) == alias]
        if similar:
            return similar[0]
    return None
