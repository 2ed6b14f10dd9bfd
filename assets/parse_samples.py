"""Parse the samples with the default parser and keep the frames under assets/parsed/.

Run as `python -m assets.parse_samples` after the samples, or what the parser writes, changed;
a test compares the kept frames with a fresh parse.
"""

from __future__ import annotations

import shutil

from core import parse_document
from core.library import PARSED_SAMPLES, SAMPLES
from core.store import Settings, Store


def main() -> None:
    """Write the parses anew."""
    shutil.rmtree(PARSED_SAMPLES, ignore_errors=True)
    for sample in SAMPLES:
        data = sample.path.read_bytes()
        parsed = parse_document(data)
        Store(PARSED_SAMPLES).save(sample.doc_id, data, Settings(parsed.parser), parsed)
        print(sample.path.name)


if __name__ == "__main__":
    main()
