"""Where the cells of a row stand on the page: words with boxes -> a box per cell. Pure.

A parser gives a box per row. Its cells are found again by what they say, see
`core.view.cell_chains`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.frames import BOX_COLUMNS
from core.view.cell_chains import find_chains, text_key

Box = tuple[float, float, float, float]

MOST_WORDS = 400
"""Words in the box of one row; where there are more, no cell is looked for."""
MOST_WORK = 50_000
"""Words looked at and steps of the search, for all rows of a page together: boxes of a hostile
file may lie over each other, and rows of a hundred equal words be read in a thousand ways."""


class PageWords:
    """The words of a page, made ready to look for cells among them."""

    def __init__(self, words: pd.DataFrame) -> None:
        """
        Args:
            words: (n, >= 5) text, x0, y0, x1, y1, in any order.
        """
        keys = [text_key(text) for text in words["text"]]
        kept = [at for at, key in enumerate(keys) if key]
        self._keys = np.array([keys[at] for at in kept], dtype=object)
        self._left = MOST_WORK
        self._boxes = words[BOX_COLUMNS].to_numpy(dtype=float)[kept].reshape(-1, 4)

    def cell_boxes(
        self, row_box: Sequence[float], row_cells: Sequence[str], columns: Sequence[int]
    ) -> list[Box | None]:
        """Boxes of some cells of a row; None where a cell is not surely found.

        Not found are cells whose text is not printed on the row, such as one filled down from
        above, those whose words might as well be another cell's, and texts without a letter or
        digit.

        Args:
            row_box: x0, y0, x1, y1 of the row, in the units of the words.
            row_cells: texts of all cells of the row, in the order of the columns.
            columns: numbers, from 0, of the cells that are asked for.
        """
        x, y = self._boxes[:, [0, 2]].mean(axis=1), self._boxes[:, [1, 3]].mean(axis=1)
        x0, y0, x1, y1 = row_box
        inside = np.flatnonzero((x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1))
        if not (len(columns) and 0 < inside.size <= MOST_WORDS and self._left > 0):
            return [None] * len(columns)
        boxes = self._boxes[inside]
        texts = [text_key(cell) for cell in row_cells]
        found = find_chains(boxes, self._keys[inside].tolist(), texts)
        self._left -= inside.size + found.steps
        chains = found.chains
        return [
            _union(boxes[list(chains[column])]) if column in chains else None for column in columns
        ]


def cell_boxes(
    words: pd.DataFrame, row_box: Sequence[float], row_cells: Sequence[str], columns: Sequence[int]
) -> list[Box | None]:
    """`PageWords.cell_boxes` of a single row."""
    return PageWords(words).cell_boxes(row_box, row_cells, columns)


def _union(boxes: np.ndarray) -> Box:
    x0, y0 = boxes[:, :2].min(axis=0).tolist()
    x1, y1 = boxes[:, 2:].max(axis=0).tolist()
    return x0, y0, x1, y1
