"""Pipe lines -> runs: the lines that belong together by rule 3, over page breaks too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from core.frames import BOX_COLUMNS
from core.tables.columns import as_arrow, matches
from core.tables.continuations import mend_page_breaks
from core.tables.pipes import PipeLines

_COMMENT = r"<!--.*-->"
_BARE_TAGS = r"(?:</?(?:html|body|div|figure|center|p|br)\b[^<>]*>\s*)+"
_RULE = r"[-_=*\s]+"
_PAGE_NUMBER = (
    r"\W*(?:page|p\.|pg\.?|seite|página|pagina|pág\.?)?\s*\d+"
    r"(?:\s*(?:of|/|von|de|sur|di)\s*\d+)?\W*"
)
_CONTINUED = (
    r"(?:table|tab\.?|tabelle|tableau|tabla|tabella)?\b.{0,120}"
    r"\(?\b(?:continued|cont\.|cont['’]d)\)?\W*"
)
_FURNITURE = rf"(?i)^(?:{_COMMENT}|{_BARE_TAGS}|{_RULE}|{_PAGE_NUMBER}|{_CONTINUED})?$"
_LONGEST_GAP = 8
"""Lines of furniture that may stand at the top or foot of a page."""

_FURNITURE_CLASSES = ["page-header", "page-footer"]
_MARGIN = 0.06
"""Share of the page's height, at its top, where only running heads stand."""

_SAME_HEIGHT = 4.0
"""Points by which the height of a running head may differ from page to page."""


@dataclass(frozen=True)
class Runs:
    """m runs over the n pipe lines."""

    start: np.ndarray
    """(m,) int: first pipe line of each run."""
    end: np.ndarray
    """(m,) int: one past its last."""
    joined: list[int]
    """Pipe lines before which page furniture was passed over, ascending."""
    beside: list[int] = field(default_factory=list)
    """Pipe lines before which text of another column was passed over, ascending."""
    loose: frozenset[int] = frozenset()
    """First lines of runs that probably continue the table before, in other columns."""


def find_runs(pipes: PipeLines, line_df: pd.DataFrame, *, strict: bool) -> tuple[PipeLines, Runs]:
    """Runs of pipe lines: neighbours on one page or over one page break (rule 3).

    Unless `strict`, page furniture between the halves of a table on p and p + 1 is passed
    over when both halves have the same width, and so is text that stands beside the rows on one
    page. A half that lost a column gets it back where it is clear which; hence the pipe lines
    are returned too.
    """
    if not len(pipes):
        nothing = np.empty(0, dtype=np.int64)
        return pipes, Runs(nothing, nothing, [])
    line_step = pipes.first[1:] - pipes.last[:-1]
    page_step = np.diff(pipes.page_num)
    breaks = (line_step > 1) | (page_step > 1)
    if strict:
        return pipes, _runs(breaks, [], [], frozenset())
    other_block = np.diff(pipes.block) != 0
    breaks |= other_block
    narrower = np.abs(np.diff(pipes.width))
    gaps = np.flatnonzero(
        breaks
        & (line_step <= 2 * _LONGEST_GAP)
        & (page_step == 1)
        & (narrower <= 1)
        & ((pipes.block[1:] > 0) == (pipes.block[:-1] > 0))
    )
    joined = gaps[_whole_gaps(pipes, gaps, lambda at, _: _is_furniture(line_df, at, pipes))]
    uneven = joined[narrower[joined] == 1]
    joined = joined[narrower[joined] == 0]
    breaks[joined] = False
    gaps = np.flatnonzero(
        (line_step > 1)
        & (line_step <= 2 * _LONGEST_GAP)
        & (page_step == 0)
        & (narrower == 0)
        & ~other_block
    )
    beside = _beside(line_df, pipes, gaps)
    breaks[beside] = False
    pipes, breaks, mended, loose = mend_page_breaks(pipes, breaks, uneven)
    return pipes, _runs(breaks, np.union1d(joined, mended) + 1, beside + 1, loose)


def _runs(
    breaks: np.ndarray,
    joined: np.ndarray | list[int],
    beside: np.ndarray | list[int],
    loose: frozenset[int],
) -> Runs:
    start = np.concatenate([[0], np.flatnonzero(breaks) + 1])
    end = np.append(start[1:], len(breaks) + 1)
    return Runs(start, end, [int(at) for at in joined], [int(at) for at in beside], loose)


def _whole_gaps(
    pipes: PipeLines,
    gaps: np.ndarray,
    passes: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> np.ndarray:
    """(g,) bool: whether all lines between pipe line g and the next one pass a test, which gets
    their positions and the place of each one's gap in `gaps`."""
    before, after = pipes.last[gaps], pipes.first[gaps + 1]
    sizes = np.maximum(after - before - 1, 0)
    gap = np.repeat(np.arange(len(sizes)), sizes)
    starts = np.cumsum(sizes) - sizes
    lines = before[gap] + 1 + np.arange(len(gap)) - starts[gap]
    if not len(lines):
        return np.ones(len(gaps), dtype=bool)
    return np.bincount(gap, weights=~passes(lines, gap), minlength=len(sizes)) == 0


def _beside(line_df: pd.DataFrame, pipes: PipeLines, gaps: np.ndarray) -> np.ndarray:
    """Those of the gaps on one page whose lines all stand left or right of both rows, the second
    of which stands below the first."""
    if not gaps.size:
        return gaps
    box = {column: line_df[column].to_numpy() for column in BOX_COLUMNS}
    upper, lower = pipes.line[gaps], pipes.line[gaps + 1]
    stacked = (
        (box["x0"][upper] < box["x1"][lower])
        & (box["x0"][lower] < box["x1"][upper])
        & (box["y0"][upper] < box["y0"][lower])
    )
    gaps = gaps[stacked]
    left = np.minimum(box["x0"][pipes.line[gaps]], box["x0"][pipes.line[gaps + 1]])
    right = np.maximum(box["x1"][pipes.line[gaps]], box["x1"][pipes.line[gaps + 1]])
    # Lines without a box compare false: without geometry nothing is beside anything.
    return gaps[
        _whole_gaps(
            pipes,
            gaps,
            lambda at, gap: (box["x0"][at] >= right[gap]) | (box["x1"][at] <= left[gap]),
        )
    ]


def _is_furniture(line_df: pd.DataFrame, lines: np.ndarray, pipes: PipeLines) -> np.ndarray:
    """Whether each line is marked as furniture, a bare number, or repeats on another page."""
    text = pc.utf8_trim_whitespace(as_arrow(line_df["text"]))
    known = matches(text.take(pa.array(lines)), _FURNITURE)
    if "block_class" in line_df.columns:
        known |= line_df["block_class"].iloc[lines].isin(_FURNITURE_CLASSES).to_numpy()
    known |= _in_margin(line_df, lines)
    if known.all():
        return known
    return known | np.isin(lines, _repeated_at_page_edges(line_df, text, pipes.line))


def _in_margin(line_df: pd.DataFrame, lines: np.ndarray) -> np.ndarray:
    """Whether each line stands in the strip at the very top that body text leaves free.

    The page's height is taken from the lowest line of the document. At the foot that would
    not do: where nothing is printed below the text, its last line is prose.
    """
    return line_df["y1"].to_numpy()[lines] <= _MARGIN * line_df["y1"].max()


def _repeated_at_page_edges(line_df: pd.DataFrame, text: pa.Array, pipe: np.ndarray) -> np.ndarray:
    """Positions of lines outside tables, near the top or foot of a page, whose text, numbers
    aside, stands at the same height on another page."""
    page = line_df["page_num"].to_numpy()
    from_top = np.arange(len(page)) - np.searchsorted(page, page, side="left")
    from_foot = np.searchsorted(page, page, side="right") - 1 - np.arange(len(page))
    at_edge = np.minimum(from_top, from_foot) < _LONGEST_GAP
    at_edge[pipe] = False
    edge = np.flatnonzero(at_edge)
    key = pc.replace_substring_regex(pc.utf8_lower(text.take(pa.array(edge))), r"\d+", "#")
    placed = pd.DataFrame(
        {
            "key": pc.dictionary_encode(key).indices.to_numpy(),
            "y0": line_df["y0"].to_numpy()[edge],
            "page_num": page[edge],
        },
        index=edge,
    ).sort_values(["key", "y0", "page_num"])
    step = placed.diff()
    pair = ((step["key"] == 0) & (step["page_num"] != 0) & ~(step["y0"] > _SAME_HEIGHT)).to_numpy()
    return placed.index[pair | np.append(pair[1:], False)].to_numpy()
