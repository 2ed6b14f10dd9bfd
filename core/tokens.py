"""Exact token counts, made locally: the vocabularies are inside toktok-rs."""

from __future__ import annotations

from collections.abc import Sequence

import toktok

from core.errors import OptionError

ENCODINGS = ("o200k_base", "cl100k_base", "o200k_harmony", "qwen3.5")
"""Vocabularies at hand: GPT-4o and later, GPT-4 and text-embedding-3, GPT-OSS, Qwen3.5."""

DEFAULT_ENCODING = "o200k_base"


def count_tokens(texts: Sequence[str], encoding: str = DEFAULT_ENCODING) -> list[int]:
    """Tokens of each text, in order.

    Raises:
        OptionError: the encoding is not one of ENCODINGS.
    """
    if encoding not in ENCODINGS:
        raise OptionError(f"Encoding {encoding!r} is not at hand; use {', '.join(ENCODINGS)}.")
    return toktok.batch_count(texts, encoding)
