"""Text -> keys, question -> terms, key -> close keys: what agrees with what, by example."""

from __future__ import annotations

import time

import pyarrow as pa
import pytest

from core.words import (
    FuzzyVocabulary,
    Term,
    closest_keys,
    is_unit,
    phrases,
    question_to_terms,
    text_to_keys,
    text_to_pieces,
    texts_to_keys,
)


def keys(text: str) -> str:
    """The keys of a text, in one line."""
    return " ".join(text_to_keys(text))


# --- Numbers ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    [
        *("25,000", "25000", "25.000", "25'000", "25’000", "25 000", "25\u00a0000", "25\u202f000"),
        *("25,000.00", "25.000,00", "+25,000", "-25,000", "−25,000", "(25,000)", "25k", "25K"),
        *("25 thousand", "25 Tausend", "２５，０００", "٢٥٬٠٠٠", "25,000."),
    ],
)
def test_a_number_has_one_key_however_it_is_written(written: str) -> None:
    assert text_to_keys(written) == ["25000"]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("1.5", "1.5"),
        ("1,5", "1.5"),
        ("1.50", "1.5"),
        ("500.00", "500"),
        ("0.123", "0.123"),
        ("0,123", "0.123"),
        (".300", "0.3"),
        ("1234.567", "1234.567"),
        ("1.234.567", "1234567"),
        ("12,34,567", "1234567"),
        ("1,234,567.891", "1234567.891"),
        ("1'234.50", "1234.5"),
        ("2½", "2.5"),
        ("½", "0.5"),
        ("2.3e-5", "0.000023"),
        ("1.5 million", "1500000"),
        ("1,5 Millionen", "1500000"),
        ("2bn", "2000000000"),
        ("3 Mrd.", "3000000000"),
        ("10 млн", "10000000"),
        ("3万", "30000"),
        ("1st", "1"),
        ("22nd", "22"),
        ("12:30", "12:30"),
        ("007", "007"),
    ],
)
def test_numbers_with_decimals_scales_and_endings(written: str, expected: str) -> None:
    assert keys(written) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("1,2,3", "1 2 3"),
        ("2017,2018,2019", "2017 2018 2019"),
        ("3.2.1", "3.2.1"),
        ("3-1", "3 1"),
        ("10kg", "10 kg"),
        ("10 kg", "10 kg"),
        ("2019 000", "2019 000"),
        ("25 k", "25 k"),
        ("5 m", "5 m"),
        ("1.5m", "1500000 1.5 m"),
        ("7B", "7000000000 7 b"),
    ],
)
def test_what_is_no_single_number_stays_apart(written: str, expected: str) -> None:
    assert keys(written) == expected


@pytest.mark.parametrize("written", ["85.6%", "85.6 %", "85,6 %", "85.6 percent", "85.6 per cent"])
def test_per_cent_agrees_and_leaves_the_number(written: str) -> None:
    assert text_to_keys(written) == ["85.6", "%"]


@pytest.mark.parametrize("word", ["%", "percentage", "pct", "Prozent", "por ciento", "pour cent"])
def test_names_of_per_cent(word: str) -> None:
    assert text_to_keys(word) == ["%"]


@pytest.mark.parametrize(
    "written", ["€25,000", "25,000 EUR", "25.000 €", "25k €", "25,000 euros", "EUR 25000"]
)
def test_currencies_agree(written: str) -> None:
    assert sorted(text_to_keys(written)) == ["25000", "eur"]


@pytest.mark.parametrize(
    ("names", "key"),
    [
        (["$", "US$", "USD", "dollar", "dollars", "Dólares"], "usd"),
        (["£", "GBP", "pounds"], "gbp"),
        (["¥", "￥", "JPY", "yen", "円"], "jpy"),
    ],
)
def test_names_of_a_currency(names: list[str], key: str) -> None:
    assert [text_to_keys(name) for name in names] == [[key]] * len(names)


def test_one_letter_is_a_scale_beside_a_currency() -> None:
    assert keys("$2.5m") == "2500000 usd"
    assert keys("25 M€") == "25000000 eur"


def test_units_are_told_from_values() -> None:
    assert [key for key in text_to_keys("25,000 EUR or 10% won") if is_unit(key)] == ["eur", "%"]


# --- Years and dates -------------------------------------------------------------------------


@pytest.mark.parametrize("written", ["2019/20", "2019-20", "2019–2020", "2019-2020", "2019/2020"])
def test_a_season_has_one_key(written: str) -> None:
    assert text_to_keys(written) == ["2019/2020"]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("1999-00", "1999/2000"),
        ("2010-2015", "2010/2015 2010 2015"),
        ("2019 – 2020", "2019/2020"),
        ("2021-05", "may 2021"),
        ("2020-2019", "2020 2019"),
        ("1990s", "1990s"),
        ("FY2019", "fy 2019"),
    ],
)
def test_other_spans_of_years(written: str, expected: str) -> None:
    assert keys(written) == expected


@pytest.mark.parametrize(
    "written",
    [
        *("3 May 2021", "May 3, 2021", "3rd of May 2021", "2021-05-03", "03.05.2021", "3.5.2021"),
        *("3 mai 2021", "3. Mai 2021", "3 de mayo de 2021", "3 мая 2021", "2021年5月3日"),
    ],
)
def test_a_date_has_the_same_keys_however_it_is_written(written: str) -> None:
    assert text_to_keys(written) == ["2021-05-03", "--05-03", "may", "2021"]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("May 3", "--05-03 may"),
        ("25/12/2021", "2021-12-25 --12-25 december 2021"),
        ("12/25/2021", "2021-12-25 --12-25 december 2021"),
        ("03/05/2021", "3/5/2021 2021"),
        ("Sept 2019", "september 2019"),
        ("mai 2021", "may 2021"),
        ("May 45", "may 45"),
        ("31.02.2021", "31 02 2021"),
        ("5月", "may"),
        ("5月3日", "--05-03 may"),
        ("2021年5月", "may 2021"),
        ("45月", "45"),
        ("1 set", "1 set"),
        ("May 3.5%", "may 3.5 %"),
    ],
)
def test_parts_of_dates_and_what_is_none(written: str, expected: str) -> None:
    assert keys(written) == expected


@pytest.mark.parametrize("name", ["Jan", "Jan.", "January", "janvier", "Januar", "enero", "январь"])
def test_names_of_a_month(name: str) -> None:
    assert text_to_keys(name) == ["january"]


def test_mars_is_a_planet_outside_a_date() -> None:
    assert keys("Mars") == "mar"
    assert keys("5 mars 2020") == "2020-03-05 --03-05 march 2020"


@pytest.mark.parametrize("written", ["Q1 2019", "2019Q1", "2019-Q1", "1Q 2019", "1Q19"])
def test_a_quarter_in_short(written: str) -> None:
    assert sorted(text_to_keys(written)) == ["2019", "q1"]


def test_a_quarter_in_words_has_its_short_name_too() -> None:
    assert keys("First quarter 2019") == "first quarter q1 2019"


# --- Words -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Québec", "Quebec"),
        ("Que\u0301bec", "QUÉBEC"),
        ("Zürich", "Zurich"),
        ("Straße", "STRASSE"),
        ("Łódź", "Lodz"),
        ("ﬁre", "fire"),
        ("vehi\u00adcle", "vehicle"),
        ("vehicle's", "vehicle"),
        ("vehicle’s", "vehicles"),
        ("companies'", "company"),
        ("don't", "don’t"),
        ("U.S.", "US"),
        ("e-mail", "E-Mail"),
        ("km²", "km2"),
        ("CO₂", "CO2"),
        ("Revenue¹", "revenue"),
        ("women", "woman"),
        ("Craftsmen", "craftsman"),
        ("men", "man"),
        ("children", "child"),
        ("wives", "wife"),
        ("won", "winning"),
        ("analyses", "analysis"),
        ("Events", "event"),
        ("covered", "covers"),
        ("COVID-19", "Covid19"),
    ],
)
def test_words_that_agree(one: str, other: str) -> None:
    assert text_to_keys(one) == text_to_keys(other) != []


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("self-attention", "self attent"),
        ("e-mail", "email mail"),
        ("EN-DE", "en de"),
        ("DPR-IR-II", "dpr ir ii"),
        ("T2F4", "t2f4"),
        ("R&D", "r&d"),
        ("Salt & Pepper", "salt pepper"),
        ("F-16", "f16 16"),
        ("20 °C", "20 °c"),
        ("km/h", "km h"),
        ("snake_case", "snake case"),
        ("l'événement d'un jour", "even un jour"),
        ("People", "peopl"),
        ("", ""),
        (" \t\n", ""),
        ("—", ""),
    ],
)
def test_pieces_of_words(written: str, expected: str) -> None:
    assert keys(written) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("кражи автомобилей", "кража автомобиля"),
        ("ёлка", "елка"),
        ("السيارات", "سيارة"),
        ("الحد", "حد"),
        ("مُحَمَّد", "محمد"),
        ("أحمد", "احمد"),
        ("שָׁלוֹם", "שלום"),
        ("Ζημιές", "ζημιές"),
    ],
)
def test_other_alphabets(one: str, other: str) -> None:
    assert text_to_keys(one) == text_to_keys(other) != []


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("车辆盗窃", "车辆 辆盗 盗窃"),
        ("車両の盗難データ", "車両 の 盗難 デー ータ"),
        ("ﾃﾞｰﾀ", "デー ータ"),
        ("자동차 도난", "자동 동차 도난"),
        ("税", "税"),
        ("รถยนต์", "รถย ถยน ยนต นต์"),
        ("2021年度ABC", "2021 年度 abc"),
        ("25万円", "250000 jpy"),
    ],
)
def test_scripts_without_spaces_give_overlapping_pieces(written: str, expected: str) -> None:
    assert keys(written) == expected


def test_pieces_say_where_they_stand() -> None:
    pieces = list(text_to_pieces("Cap: 25,000 EUR on 3 May 2021"))
    assert [(piece.start, piece.end, piece.text, piece.kind) for piece in pieces] == [
        (0, 3, "Cap", "word"),
        (5, 11, "25,000", "number"),
        (12, 15, "EUR", "word"),
        (16, 18, "on", "word"),
        (19, 29, "3 May 2021", "named_date"),
    ]


# --- Columns ---------------------------------------------------------------------------------


def test_a_column_is_keyed_as_its_texts_are() -> None:
    tokens = texts_to_keys(["Vehicle theft", "25,000 EUR", "", "25000", "85.60%"])
    assert [tokens.vocabulary[code] for code in tokens.codes] == [
        *("vehicl", "theft", "25000", "eur", "25000", "85.6", "%"),
    ]
    assert tokens.texts.tolist() == [0, 0, 1, 1, 3, 4, 4]
    assert len(set(tokens.vocabulary)) == len(tokens.vocabulary)
    assert (str(tokens.codes.dtype), str(tokens.texts.dtype)) == ("int32", "int32")


@pytest.mark.parametrize(
    "texts",
    [
        pa.array(["a 1", None, "b"]),
        pa.array(["a 1", None, "b"], pa.large_string()),
        pa.array(["a 1", None, "b"]).dictionary_encode(),
        pa.chunked_array([["a 1", None], ["b"]]),
        pa.array(["-", "a 1", None, "b"]).slice(1),
        ["a 1", "", "b"],
        ["a 1\ud800", "", "b"],
    ],
)
def test_a_column_may_be_any_array_of_strings(texts: pa.Array) -> None:
    tokens = texts_to_keys(texts)
    assert [tokens.vocabulary[code] for code in tokens.codes] == ["a", "1", "b"]
    assert tokens.texts.tolist() == [0, 0, 2]


def test_many_texts_are_keyed_as_few_are() -> None:
    few = ["Vehicle theft", "25,000", "3 May 2021", "85.60%", "1,2", "车辆盗窃", ""]
    texts = few + [str(number) for number in range(5000)]
    tokens = texts_to_keys(texts)
    found = [tokens.vocabulary[code] for code in tokens.codes[tokens.texts < len(few)]]
    assert found == [key for text in few for key in text_to_keys(text)]
    assert tokens.texts[-1] == len(texts) - 1


@pytest.mark.parametrize("texts", [[], [""], ["", "-"]])
def test_a_column_without_words_has_no_tokens(texts: list[str]) -> None:
    tokens = texts_to_keys(texts)
    assert (tokens.codes.tolist(), tokens.texts.tolist()) == ([], [])


def test_a_long_column_takes_seconds() -> None:
    numbers = [f"{number * 7919 % 10_000_019:,}" for number in range(350_000)]
    words = [f"Row {number % 5000} of the north" for number in range(150_000)]
    start = time.perf_counter()
    tokens = texts_to_keys(numbers + words)
    assert time.perf_counter() - start < 8
    assert tokens.texts[-1] == 499_999


# --- Questions -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the cap for vehicle theft?", "cap vehicl theft"),
        ("Which events are covered?", "event cover"),
        ("What's the driver's cap, and don’t they say who’s covered?", "driver cap say cover"),
        ("Qu'est-ce que l'assurance couvre ?", "assur couvr"),
        ("Compare the theft cap with the fire cap", "theft cap fire"),
        ("Quels événements sont couverts ?", "even couvert"),
        ("Was ist der Höchstbetrag für Diebstahl?", "hochstbetrag diebstahl"),
        ("¿Cuál es el límite de robo?", "limit robo"),
        ("Qual è il massimale per il furto?", "massimal furto"),
        ("Qual é o limite para roubo?", "limit roubo"),
        ("Wat is de limiet voor diefstal?", "limiet diefstal"),
        ("Какой лимит для кражи автомобиля?", "лим краж автомобил"),
        ("ما هو الحد الأقصى لسرقة السيارات؟", "حد اقص لسرق سيار"),
        ("מה התקרה לגניבת רכב?", "התקרה לגניבת רכב"),
        ("车辆盗窃的上限是多少？", "车辆 辆盗 盗窃 上限"),
        ("旅行的目的地是哪里？", "旅行 目的 的地"),
        ("車両盗難の上限はいくらですか？", "車両 両盗 盗難 上限"),
        ("자동차 도난의 한도는 얼마입니까?", "자동 동차 도난 한도"),
        ("Who is who?", ""),
        ("", ""),
    ],
)
def test_the_content_words_of_a_question(question: str, expected: str) -> None:
    assert " ".join(term.key for term in question_to_terms(question)) == expected


def test_a_term_keeps_what_was_typed() -> None:
    assert question_to_terms("Events, the event and 25,000 EUR?") == [
        Term("Events", "event"),
        Term("25,000", "25000"),
        Term("EUR", "eur"),
    ]


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("Does the WHO recommend it?", ["who", "recommend"]),
        ("How is IT funded?", ["it", "fund"]),
        ("How much vitamin A is in it?", ["vitamin", "a"]),
        ("WHAT IS THE CAP?", ["cap"]),
        ("How do I die?", ["die"]),
        ("die rate", ["die", "rate"]),
        ("EN-DE", ["en", "de"]),
        ("en-de bleu", ["en", "de", "bleu"]),
        ("What was die Bahn?", ["die", "bahn"]),
    ],
)
def test_capitals_and_languages_decide_what_a_stopword_is(question: str, kept: list[str]) -> None:
    assert [term.key for term in question_to_terms(question)] == kept


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("2019?", Term("2019", "2019", ("2019/2020", "2018/2019"))),
        ("2019/20?", Term("2019/20", "2019/2020", ("2019", "2020"))),
        ("1.5 million?", Term("1.5 million", "1500000", ("1.5",))),
        ("100m?", Term("100m", "100000000", ("100",))),
        ("first?", Term("first", "first", ("1",))),
        ("1st?", Term("1st", "1", ("first",))),
        ("two?", Term("two", "two", ("2",))),
        ("2?", Term("2", "2", ("two",))),
        ("1990s?", Term("1990s", "1990s", ("1990",))),
        ("e-mail?", Term("e-mail", "email", ("mail",))),
        ("03/05/2021?", Term("03/05/2021", "3/5/2021", ("2021-05-03", "2021-03-05"))),
        ("3 May 2021?", Term("3 May 2021", "2021-05-03", ("--05-03",))),
    ],
)
def test_weaker_readings_stand_beside_the_key(question: str, term: Term) -> None:
    assert question_to_terms(question)[0] == term


def test_a_date_also_asks_for_its_month_and_year() -> None:
    assert [(term.text, term.key) for term in question_to_terms("on 3 mai 2021")] == [
        ("3 mai 2021", "2021-05-03"),
        ("mai", "may"),
        ("2021", "2021"),
    ]


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ('Who said "to be or not"?', ["to be or not"]),
        ("“one two” and „drei vier“ et « cinq six »", ["one two", "drei vier", "cinq six"]),
        ("「車両」と《盗難》", ["車両", "盗難"]),
        ("the 'Fire cap' isn't the driver's", ["Fire cap"]),
        ("‘a b’ and don’t won’t", ["a b"]),
        ('"" and "-" and "a" and "a"', ["a"]),
        ("no quotes", []),
    ],
)
def test_phrases_are_what_stands_in_quotation_marks(question: str, quoted: list[str]) -> None:
    assert phrases(question) == quoted


# --- Close keys ------------------------------------------------------------------------------

KNOWN = FuzzyVocabulary(
    [
        *("theft", "vehicl", "deduct", "popul", "minimum", "cost", "versicherungen", "regioni"),
        *("corn", "2019", "25000", "t2f4", "תקרה", "سرق", "车辆", "evenement", "blanco", "decreas"),
    ]
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("thetf", "theft"),
        ("theftt", "theft"),
        ("vehicel", "vehicl"),
        ("deductibel", "deduct"),
        ("populaton", "popul"),
        ("coost", "cost"),
        ("versicherung", "versicherungen"),
        ("region", "regioni"),
        ("blanca", "blanco"),
        ("evenemnt", "evenement"),
        ("התקרה", "תקרה"),
        ("لسرق", "سرق"),
    ],
)
def test_typos_and_inflections_find_the_word(typed: str, meant: str) -> None:
    assert [key for key, _ in closest_keys(typed, KNOWN)] == [meant]


@pytest.mark.parametrize(
    "key",
    [
        *(
            "cst",
            "cast",
            "coast",
            "cos",
            "maximum",
            "increas",
            "corner",
            "2018",
            "25001",
            "t2f5",
            "车两",
            "theft",
        ),
        *("", "the", "xyzzyx"),
    ],
)
def test_other_words_numbers_and_codes_find_nothing(key: str) -> None:
    assert closest_keys(key, KNOWN) == []


def test_the_closest_comes_first() -> None:
    known = FuzzyVocabulary(["attention", "attentoin", "atttentoin", "theft"])
    assert closest_keys("attentionn", known) == [("attention", 0.9), ("attentoin", 0.8)]
    assert closest_keys("theff", known) == [("theft", 0.75)]


# --- Hostile input ---------------------------------------------------------------------------

HOSTILE = [
    *("a", "A", "é", "1", "9,", "1,111", "1 111", "-", "的", "の", "가", "ก", " ", "'", "a'", "a."),
    *(
        "a-",
        "a&",
        "2019/",
        "1:11",
        "1e",
        "½",
        "$",
        "$1",
        "a1",
        "1a",
        "\u0301",
        "😀",
        "\x00",
        "May ",
    ),
    *("per ", "1 May ", "“", '"', "'x' ", "\ud800", "²", "A.B.", "quarter ", "ـ", "م"),
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_a_long_run_of_anything_takes_linear_time(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    start = time.perf_counter()
    text_to_keys(text)
    question_to_terms(text)
    phrases(text)
    texts_to_keys([text])
    assert time.perf_counter() - start < 10


@pytest.mark.parametrize(
    "text", ["\ud800", "a\udfffb", "\x00", "😀👍🏽", "\u202e\u200f", "\U0010ffff"]
)
def test_odd_characters_are_no_letters(text: str) -> None:
    assert set(text_to_keys(text)) <= {"a", "b"}
