"""Number as written -> key: separators, scales, signs and trailing zeros make no difference.

Signs are dropped, so that "15" finds "-15" and the "(15)" of an accountant.
"""

from __future__ import annotations

import unicodedata
from decimal import Decimal

import regex

from core.words.folding import MAX_LETTERS, ascii_digits, fold
from core.words.names import SCALE_LETTERS, scale_factors

_SEPARATORS = str.maketrans({"，": ",", "．": ".", "٬": ",", "٫": ".", "’": "'", "＇": "'"})
_SPACES = regex.compile(r"[ \u00a0\u2009\u202f]")
_GROUPS = {
    separator: regex.compile(rf"[0-9]{{1,3}}(?:\{separator}[0-9]{{3}})+") for separator in ",.'"
}
_INDIAN = regex.compile(r"[0-9]{1,2}(?:,[0-9]{2})*,[0-9]{3}")
_SCALED = regex.compile(r"(?P<number>\d(?:.*\d)?)\s{0,3}(?P<scale>[^\W\d]+)\.?", regex.DOTALL)
_EXPONENT_DIGITS = 15


def number_to_keys(written: str) -> list[str]:
    """Keys of a run of digits and separators; a list such as "1,2,3" gives one for each.

    "25,000", "25 000", "25.000" and "25'000" give 25000; "1,234.50" and "1.234,5" 1234.5. One
    dot or comma before exactly three digits groups, unless a zero stands first: "0.123" and
    "1.5" are decimals. "3.2.1" stays one key.
    """
    run = _SPACES.sub("", ascii_digits(written)).translate(_SEPARATORS)
    run = f"0{run}" if run.startswith(".") else run
    kinds = [separator for separator in ",.'" if separator in run]
    if not kinds:
        return [run[:MAX_LETTERS]]
    if len(run) > MAX_LETTERS:
        return [run[:MAX_LETTERS]]
    if len(kinds) == 1:
        return _one_separator(run, kinds[0])
    decimal = max(kinds, key=run.rfind)
    whole, _, fraction = run.rpartition(decimal)
    groups = [kind for kind in kinds if kind != decimal]
    if (
        len(groups) == 1
        and decimal not in whole
        and decimal != "'"
        and _is_grouped(whole, groups[0])
    ):
        return [_decimal(whole.replace(groups[0], ""), fraction)]
    return [key for part in regex.split("[,']", run) for key in number_to_keys(part)]


def scaled_to_keys(written: str) -> list[str]:
    """Keys of a number with its scale, the scaled value first.

    "1.5 million" gives 1500000. After a lone "m" or "b" the plain reading stays beside it, since
    "100m" is a distance more often than not: 100000000, 100, m.
    """
    match = _SCALED.fullmatch(written)
    factor = scale_factors().get(fold(match["scale"])) if match else None
    if match is None or factor is None:
        return number_to_keys(written)
    plain = number_to_keys(match["number"])
    if len(plain) != 1 or plain[0].count(".") > 1:
        return [*plain, fold(match["scale"])]
    scaled = _plain(Decimal(plain[0]) * factor)
    letter = fold(match["scale"])
    ambiguous = letter in SCALE_LETTERS and letter != "k"
    return [scaled, *plain, letter] if ambiguous else [scaled]


def scaled_to_parts(written: str) -> list[str]:
    """The number before its scale, as a key: a table may state the scale in its header."""
    match = _SCALED.search(written)
    return number_to_keys(match["number"].strip()) if match else []


def fraction_to_keys(written: str) -> list[str]:
    """Keys of a number that ends in a fraction sign: "2½" gives 2.5."""
    whole = number_to_keys(written[:-1])[0] if len(written) > 1 else "0"
    if "." in whole:
        return [whole]
    value = Decimal(whole) + Decimal(str(round(unicodedata.numeric(written[-1]), 4)))
    return [_plain(value)]


def exponent_to_keys(written: str) -> list[str]:
    """Keys of a number such as "2.3e19": written out up to 15 places, else as it is."""
    mantissa, _, exponent = ascii_digits(written).lower().partition("e")
    exponent = exponent.replace("−", "-")
    if len(exponent.lstrip("+-")) > 3 or abs(int(exponent)) > _EXPONENT_DIGITS:
        return [f"{mantissa}e{exponent}"[:MAX_LETTERS]]
    return [_plain(Decimal(mantissa[:MAX_LETTERS]).scaleb(int(exponent)))]


def _one_separator(run: str, kind: str) -> list[str]:
    if _is_grouped(run, kind):
        return [run.replace(kind, "")]
    parts = run.split(kind)
    if kind == "'" or (kind == "," and len(parts) > 2):
        return parts
    if len(parts) > 2:
        return [run]
    return [_decimal(*parts)]


def _is_grouped(run: str, kind: str) -> bool:
    zero_first = run[0] == "0" and run.count(kind) == 1
    grouped = _GROUPS[kind].fullmatch(run) or (kind == "," and _INDIAN.fullmatch(run))
    return bool(grouped) and not zero_first


def _decimal(whole: str, fraction: str) -> str:
    fraction = fraction.rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole


def _plain(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
