"""The limits that keep a hostile or huge file from taking the program down; all in one place.

Each is read from the environment when it is asked for: ROWLENS_MAX_<NAME IN CAPITALS>, a number.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields

from core.errors import OptionError

PREFIX = "ROWLENS_MAX_"


@dataclass(frozen=True)
class Limits:
    """What one document may cost. `ROWLENS_MAX_PAGES=5000` raises `pages`, and so on."""

    file_mb: float = 100
    """Megabytes of the file itself."""
    unzipped_mb: float = 500
    """Megabytes an Office file may unpack to."""
    pages: float = 2_000
    """Pages read at a time."""
    lines: float = 2_000_000
    """Lines of a ready frame."""
    page_points: float = 14_400
    """Sides of a page in its own units, the limit of the PDF specification: 200 inches."""
    pixels: float = 100_000_000
    """Pixels of an image."""
    seconds: float = 900
    """Time for a whole document."""
    idle_seconds: float = 180
    """Time without any progress; a page that takes longer hangs."""
    memory_mb: float = 6_000
    """Memory of the process that parses."""
    cache_mb: float = 2_000
    """Parses kept on disk."""


def get_limits() -> Limits:
    """The limits, as the environment sets them.

    Raises:
        OptionError: a variable does not hold a number above 0.
    """
    given = {}
    for field in fields(Limits):
        variable = PREFIX + field.name.upper()
        text = os.environ.get(variable, "").strip()
        if not text:
            continue
        try:
            value = float(text)
        except ValueError:
            value = 0.0
        if not value > 0:
            raise OptionError(f"{variable} is {text!r}. Set it to a number above 0, or unset it.")
        given[field.name] = value
    return Limits(**given)
