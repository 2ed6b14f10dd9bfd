"""Parse the samples with the default parser and keep the frames under assets/parsed/.

Run as `python -m assets.parse_samples` after the samples, or what the parser writes, changed;
a test compares the kept frames with a fresh parse.
"""

from __future__ import annotations

import shutil

from core import parse_document
from core.library import PARSED_SAMPLES, SAMPLES
from core.store import save_parse


def main() -> None:
    """Write the parses anew."""
    shutil.rmtree(PARSED_SAMPLES, ignore_errors=True)
    for sample in SAMPLES:
        data = sample.path.read_bytes()
        folder = save_parse(PARSED_SAMPLES, sample.doc_id, data, parse_document(data))
        print(f"{sample.path.name} -> {folder.name}")


if __name__ == "__main__":
    main()
