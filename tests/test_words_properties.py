"""What holds of every text: bulk equals one by one, pieces cover what they say, keys are stable."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise
from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

from core.words import (
    FuzzyVocabulary,
    bulk,
    closest_keys,
    phrases,
    question_to_terms,
    text_to_keys,
    text_to_pieces,
    texts_to_keys,
)

SNIPPETS = [
    *(
        "1",
        "25",
        "000",
        "2019",
        "20",
        "3.5",
        "0.120",
        "25,000",
        "25.000",
        "1,2",
        "%",
        "€",
        "$",
        "k",
    ),
    *(
        "m",
        "bn",
        "million",
        "Mio.",
        "May",
        "mai",
        "Sept",
        "set",
        "st",
        "first",
        "quarter",
        "Q1",
        "q",
    ),
    *("per", "cent", "pour", "percent", "of", "de", "Mars", "U.S", "R&D", "e", "T2F4", "km²", "½"),
    *(
        "车辆",
        "的",
        "データ",
        "の",
        "자동차",
        "ราคา",
        "السيارات",
        "الحد",
        "הרכב",
        "кража",
        "é",
        "ß",
    ),
    *(
        " ",
        "  ",
        "\u00a0",
        "\u2009",
        "\u3000",
        "\t",
        "\x1c",
        "\x85",
        "-",
        "–",
        "/",
        ".",
        ",",
        ":",
        "'",
    ),
    *(
        "’",
        "(",
        ")",
        "&",
        "+",
        "−",
        "\u0301",
        "\ud800",
        "\x00",
        "😀",
        "年",
        "月",
        "日",
        "5",
        "٣",
        "３",
    ),
    *("İ", "ΑΣ", "ς", "¹", "₂", "_", '"', "“", "”", "s", "x", "1990s", "12:30", "1e-5", "i", "A"),
]
texts = st.one_of(
    st.lists(st.sampled_from(SNIPPETS), max_size=9).map("".join),
    st.text(max_size=25),
    st.from_regex(r"[-+(]?[0-9]{1,4}([., ][0-9]{1,4}){0,3}%?", fullmatch=True),
)


@given(st.lists(texts, max_size=8), st.sampled_from([0, bulk.FEW]))
def test_bulk_keys_are_the_keys_text_by_text(columns: list[str], few: int) -> None:
    with mock.patch.object(bulk, "FEW", few):
        tokens = texts_to_keys(columns)
    found: list[list[str]] = [[] for _ in columns]
    for code, at in zip(tokens.codes.tolist(), tokens.texts.tolist(), strict=True):
        found[at].append(tokens.vocabulary[code])
    assert found == [text_to_keys(text) for text in columns]
    assert tokens.texts.tolist() == sorted(tokens.texts.tolist())
    assert len(set(tokens.vocabulary)) == len(tokens.vocabulary)


@given(texts)
def test_pieces_say_where_they_stand_and_give_all_keys(text: str) -> None:
    pieces = list(text_to_pieces(text))
    assert [text[piece.start : piece.end] for piece in pieces] == [piece.text for piece in pieces]
    assert all(one.end <= other.start for one, other in pairwise(pieces))
    assert [key for piece in pieces for key in piece.keys] == text_to_keys(text)
    assert all(text_to_keys(text)), "no key is empty"


@given(texts)
def test_case_makes_no_difference_to_ascii(text: str) -> None:
    if text.isascii():
        assert text_to_keys(text.upper()) == text_to_keys(text.lower()) == text_to_keys(text)


@given(texts)
def test_terms_are_each_once_and_findable_in_their_own_question(text: str) -> None:
    terms = question_to_terms(text)
    keys = [term.key for term in terms]
    assert len(set(keys)) == len(keys)
    assert all(term.text and term.key not in term.alternatives for term in terms)
    assert all(phrase in text for phrase in phrases(text))


@given(st.integers(0, 10**12), st.sampled_from([",", ".", " ", "'", "\u00a0", "\u2009", "\u202f"]))
def test_thousands_separators_make_no_difference(number: int, separator: str) -> None:
    assert text_to_keys(f"{number:,}".replace(",", separator)) == [str(number)]


@given(st.decimals(0, 10**6, places=2))
def test_decimal_commas_and_trailing_zeros_make_no_difference(number: Decimal) -> None:
    plain = f"{number:.2f}".rstrip("0").rstrip(".")
    assert text_to_keys(f"{number:.2f}") == [plain]
    assert text_to_keys(f"{number:.2f}".replace(".", ",")) == [plain]
    assert text_to_keys(f"{number:,.2f}") == [plain]


@given(st.dates())
def test_a_date_is_found_by_each_of_its_parts(date: object) -> None:
    iso = f"{date}"
    year, month, day = iso.split("-")
    if "1500" <= year < "2200":
        keys = text_to_keys(iso)
        assert keys[:2] == [iso, f"--{month}-{day}"]
        assert keys[3] == year
        assert text_to_keys(f"{day}.{month}.{year}") == keys


@given(st.text(max_size=12), st.lists(st.text(max_size=12), max_size=20))
def test_close_keys_are_others_of_the_vocabulary(key: str, vocabulary: list[str]) -> None:
    found = closest_keys(key, FuzzyVocabulary(vocabulary))
    assert {other for other, _ in found} <= set(vocabulary) - {key}
    assert all(0 < similarity < 1 for _, similarity in found)
    assert found == sorted(found, key=lambda item: (-item[1], item[0]))


@given(st.from_regex(r"[a-z]{5,12}", fullmatch=True), st.data())
def test_one_swap_after_the_first_letter_is_found(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(1, len(word) - 2))
    swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if swapped != word:
        assert word in dict(closest_keys(swapped, FuzzyVocabulary([word])))
