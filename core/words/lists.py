"""The word lists beside the code: a key and a colon, its words, indented lines that go on."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def read_lists(name: str) -> dict[str, tuple[str, ...]]:
    """Key -> words of one list file; lines with # are comments."""
    found: dict[str, tuple[str, ...]] = {}
    key = ""
    for line in Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        if not line.startswith(" "):
            key, _, line = line.partition(":")
        found[key] = (*found.get(key, ()), *line.split())
    return found
