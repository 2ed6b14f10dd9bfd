"""Data -> HTML through Jinja2. Whatever a document or a user says stays text.

Autoescape is on for every template and nothing is marked as safe; `visible` runs over every
value besides, so that characters nobody sees cannot hide or turn round what is written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls but tab and line feed
    "\u202a-\u202e\u2066-\u2069"  # embeddings, overrides and isolates of direction
    "\u2028\u2029\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff"
    "\ud800-\udfff"  # halves of a pair, which UTF-8 has not
    "\U000e0000-\U000e007f]"  # tags, invisible letters
)


def render_report(template: str, data: Mapping[str, Any], folder: Path = TEMPLATES) -> str:
    """A template filled in, as one HTML file.

    Args:
        template: name of a file in `folder`, which may extend and include those of `TEMPLATES`.
        data: its variables; texts are taken as they are and escaped here.
        folder: where a template of another package lies.
    """
    return _environment(folder).get_template(template).render(data)


def visible(text: str) -> str:
    """The text with what cannot be seen, or changes the direction of reading, written out.

    >>> visible("a" + chr(0) + "b" + chr(0x202E) + "c")
    'a⟨U+0000⟩b⟨U+202E⟩c'
    """
    return _UNSEEN.sub(_written_out, text)


@cache
def _environment(folder: Path) -> Environment:
    from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined

    folders = dict.fromkeys((folder, TEMPLATES))
    return Environment(
        loader=ChoiceLoader([FileSystemLoader(each) for each in folders]),
        autoescape=True,
        finalize=_finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _finalize(value: object) -> object:
    # What a macro made is escaped already and of a type of its own, a subclass of str.
    return visible(value) if type(value) is str else value


def _written_out(match: re.Match[str]) -> str:
    return f"⟨U+{ord(match[0]):04X}⟩"
