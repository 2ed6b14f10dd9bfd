"""Lines that found no partner -> parts of a line of the other side: split and merged ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from core.compare.model import MERGED, ONLY_A, ONLY_B, PAIRED, SPLIT, Entry, Line
from core.compare.texts import contained, line_text, text_ratio

MAX_PARTS = 5
"""Lines that one line is split into at most."""
MIN_GAIN = 0.02
"""How much more alike a line must be with the part than without it."""
MIN_CONTAINED = 0.8
"""How much of the part must stand in the other side's line."""
MIN_WHOLE = 0.72
"""How alike parts together must be to a line that none of them is like alone."""


def join_parts(entries: Sequence[Entry], a: Sequence[Line], b: Sequence[Line]) -> list[Entry]:
    """Entries where a line and its parts on the other side are one: SPLIT or MERGED."""
    texts = _Texts(a, b)
    joined: list[Entry] = []
    waiting = list(reversed(entries))
    while waiting:
        entry = waiting.pop()
        gap, alone = _gap_at(entry, waiting)
        if entry.relation == PAIRED:
            joined.append(_with_parts(entry, joined, waiting, texts))
        elif gap and alone:
            count = len(gap) + len(alone)
            del waiting[len(waiting) - (count - 1) :]
            joined += _without_partner(gap, alone, texts)
        else:
            joined.append(entry)
    return joined


@dataclass(frozen=True)
class _Texts:
    a: Sequence[Line]
    b: Sequence[Line]

    def of_a(self, at: Sequence[int]) -> list[str]:
        return _together([self.a[i] for i in at])

    def of_b(self, at: Sequence[int]) -> list[str]:
        return _together([self.b[j] for j in at])

    def ratio(self, entry: Entry) -> float:
        return max(text_ratio(a, b) for a in self.of_a(entry.a) for b in self.of_b(entry.b))


def _together(lines: Sequence[Line]) -> list[str]:
    """Lines as one text: one after the other, and column by column as a merged row has them."""
    texts = [" ".join(line_text(line.cells) for line in lines)]
    if len(lines) > 1:
        columns = zip_longest(*(line.cells for line in lines), fillvalue="")
        texts.append(line_text([cell for column in columns for cell in column]))
    return texts


def _with_parts(entry: Entry, before: list[Entry], after: list[Entry], texts: _Texts) -> Entry:
    """A pair with what lies next to it on one side and belongs to it; taken from the lists, which
    both end next to the pair."""
    while True:
        near = [
            (entries, at)
            for entries in (after, before)
            for relation in (ONLY_A, ONLY_B)
            if (at := _nearest(entries, relation)) is not None
        ]
        tried = [
            (texts.ratio(joined), entries, at, joined)
            for entries, at in near
            if (joined := _with_part(entry, entries[at], texts)) is not None
        ]
        if not tried:
            return entry
        _, entries, at, entry = max(tried, key=lambda one: one[0])
        del entries[at]


def _nearest(entries: Sequence[Entry], relation: str) -> int | None:
    """Position of the last line that one side has alone, in the gap at the end; in a gap lines of
    A and of B have no order among them."""
    for at in range(len(entries) - 1, -1, -1):
        if entries[at].relation not in (ONLY_A, ONLY_B):
            return None
        if entries[at].relation == relation:
            return at
    return None


def _with_part(entry: Entry, part: Entry, texts: _Texts) -> Entry | None:
    """Both as one if the part belongs to the pair."""
    if part.relation == ONLY_B and len(entry.a) == 1 and len(entry.b) < MAX_PARTS:
        joined = Entry(SPLIT, entry.a, tuple(sorted((*entry.b, *part.b))))
        share = contained(texts.of_b(part.b)[0], texts.of_a(entry.a)[0])
    elif part.relation == ONLY_A and len(entry.b) == 1 and len(entry.a) < MAX_PARTS:
        joined = Entry(MERGED, tuple(sorted((*entry.a, *part.a))), entry.b)
        share = contained(texts.of_a(part.a)[0], texts.of_b(entry.b)[0])
    else:
        return None
    gains = texts.ratio(joined) - texts.ratio(entry) >= MIN_GAIN
    return joined if gains and share >= MIN_CONTAINED else None


def _gap_at(entry: Entry, waiting: Sequence[Entry]) -> tuple[list[Entry], list[Entry]]:
    """The lines of A alone and of B alone from here to the next pair."""
    if entry.relation not in (ONLY_A, ONLY_B):
        return [], []
    gap = [entry]
    for following in reversed(waiting):
        if following.relation not in (ONLY_A, ONLY_B):
            break
        gap.append(following)
    return (
        [part for part in gap if part.relation == ONLY_A],
        [part for part in gap if part.relation == ONLY_B],
    )


def _without_partner(alone_a: list[Entry], alone_b: list[Entry], texts: _Texts) -> list[Entry]:
    """A gap with lines on both sides, none alike: one may be several of the other side together."""
    found: list[Entry] = []
    while alone_a and alone_b:
        first_a, first_b = alone_a[0].a[0], alone_b[0].b[0]
        runs_b = [tuple(range(first_b, first_b + n)) for n in range(2, _most(alone_b) + 1)]
        runs_a = [tuple(range(first_a, first_a + n)) for n in range(2, _most(alone_a) + 1)]
        tried = [
            *(Entry(SPLIT, (first_a,), run) for run in runs_b),
            *(Entry(MERGED, run, (first_b,)) for run in runs_a),
        ]
        best = max(tried, key=texts.ratio, default=None)
        if best is not None and texts.ratio(best) >= MIN_WHOLE:
            found.append(best)
            del alone_a[: len(best.a)], alone_b[: len(best.b)]
        elif len(alone_a) >= len(alone_b):
            found.append(alone_a.pop(0))
        else:
            found.append(alone_b.pop(0))
    return [*found, *alone_a, *alone_b]


def _most(alone: Sequence[Entry]) -> int:
    return min(len(alone), MAX_PARTS)
