"""What a question in Chinese, Japanese, Korean or Thai says beside the words that carry nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import regex

from core.words.lists import read_lists

_WORDS = read_lists("unspaced_words")
_HAN_LETTERS = "".join(_WORDS["han_letters"])


def _longest_first(words: Iterable[str]) -> str:
    return "|".join(sorted(map(regex.escape, words), key=len, reverse=True))


_HAN_STOP = regex.compile(_longest_first(_WORDS["han"]))
_HAN_OPEN = rf"[\p{{Han}}--[{_HAN_LETTERS}]]"
# At an end of what two letters or more are left of; inside only between two words: 目的地 is one.
_HAN_END = regex.compile(
    rf"(?<=\p{{Han}}{{2}})[{_HAN_LETTERS}](?!\p{{Han}})|(?<!\p{{Han}})[{_HAN_LETTERS}](?=\p{{Han}}{{2}})"
)
_HAN_LETTER = regex.compile(
    rf"(?<={_HAN_OPEN}{{2}})[{_HAN_LETTERS}]++(?={_HAN_OPEN}\p{{Han}})", regex.V1
)
_KANA_STOP = regex.compile(
    rf"(?<!\p{{Hiragana}})(?:{_longest_first(_WORDS['kana'])})++(?!\p{{Hiragana}})"
)
_KANA_TAIL = regex.compile(r"(?<=\p{Hiragana}{2})[はがをにのとでもへ](?!\p{Hiragana})")
_HANGUL_STOP = regex.compile(
    rf"^(?:{_longest_first(_WORDS['hangul'])})++(?:{_longest_first(_WORDS['hangul_particles'])})?$"
)
_HANGUL_TAIL = regex.compile(
    rf"(?<=\p{{Hangul}}{{2}})(?:{_longest_first(_WORDS['hangul_particles'])}|인가요|입니까|입니다)$"
)
_THAI_STOP = regex.compile(_longest_first(_WORDS["thai"]))


def content_runs(run: str) -> Iterator[str]:
    """The stretches of an unspaced run that say something, in order.

    Question words and particles part the run; they are left in where they may be letters of a
    longer word. Cells keep theirs: only what is asked for must be free of them.
    """
    if regex.search(r"\p{Hangul}", run):
        run = "" if _HANGUL_STOP.search(run) else _HANGUL_TAIL.sub("", run)
    for stop in (_KANA_STOP, _KANA_TAIL, _HAN_STOP, _HAN_END, _HAN_LETTER, _THAI_STOP):
        run = stop.sub("\0", run)
    yield from filter(None, run.split("\0"))
