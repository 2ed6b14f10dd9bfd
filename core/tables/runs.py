"""Pipe lines -> runs: the lines that belong together by rule 3, over page breaks too."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from core.tables.columns import as_arrow, matches
from core.tables.pipes import PipeLines

_COMMENT = r"<!--.*-->"
_RULE = r"[-_=*\s]+"
_PAGE_NUMBER = (
    r"\W*(?:page|p\.|pg\.?|seite|página|pagina|pág\.?)?\s*\d+"
    r"(?:\s*(?:of|/|von|de|sur|di)\s*\d+)?\W*"
)
_CONTINUED = (
    r"(?:table|tab\.?|tabelle|tableau|tabla|tabella)?\b.{0,120}"
    r"\(?\b(?:continued|cont\.|cont['’]d)\)?\W*"
)
_FURNITURE = rf"(?i)^(?:{_COMMENT}|{_RULE}|{_PAGE_NUMBER}|{_CONTINUED})?$"
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


def find_runs(pipes: PipeLines, line_df: pd.DataFrame, *, strict: bool) -> Runs:
    """Runs of pipe lines: neighbours on one page or over one page break (rule 3).

    Unless `strict`, page furniture between the halves of a table on p and p + 1 is passed
    over when both halves have the same width.
    """
    if not len(pipes):
        nothing = np.empty(0, dtype=np.int64)
        return Runs(nothing, nothing, [])
    line_step, page_step = np.diff(pipes.line), np.diff(pipes.page_num)
    breaks = (line_step != 1) | (page_step > 1)
    joined = np.empty(0, dtype=np.int64)
    if not strict:
        gaps = np.flatnonzero(
            (line_step > 1)
            & (line_step <= 2 * _LONGEST_GAP)
            & (page_step == 1)
            & (np.diff(pipes.width) == 0)
        )
        joined = gaps[_gaps_of_furniture(line_df, pipes, gaps)]
        breaks[joined] = False
    start = np.concatenate([[0], np.flatnonzero(breaks) + 1])
    return Runs(start, np.append(start[1:], len(pipes)), (joined + 1).tolist())


def _gaps_of_furniture(line_df: pd.DataFrame, pipes: PipeLines, gaps: np.ndarray) -> np.ndarray:
    """(g,) bool: whether all lines between pipe line g and the next one are furniture."""
    before, after = pipes.line[gaps], pipes.line[gaps + 1]
    sizes = after - before - 1
    gap = np.repeat(np.arange(len(sizes)), sizes)
    starts = np.cumsum(sizes) - sizes
    lines = before[gap] + 1 + np.arange(len(gap)) - starts[gap]
    furniture = _is_furniture(line_df, lines, pipes.line)
    return np.bincount(gap, weights=~furniture, minlength=len(sizes)) == 0


def _is_furniture(line_df: pd.DataFrame, lines: np.ndarray, pipe: np.ndarray) -> np.ndarray:
    """Whether each line is marked as furniture, a bare number, or repeats on another page."""
    text = pc.utf8_trim_whitespace(as_arrow(line_df["text"]))
    known = matches(text.take(pa.array(lines)), _FURNITURE)
    if "block_class" in line_df.columns:
        known |= line_df["block_class"].iloc[lines].isin(_FURNITURE_CLASSES).to_numpy()
    known |= _in_margin(line_df, lines)
    if known.all():
        return known
    return known | np.isin(lines, _repeated_at_page_edges(line_df, text, pipe))


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
