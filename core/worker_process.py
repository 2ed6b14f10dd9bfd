"""The child of `core.worker`: does jobs that touch a file's bytes, and says how they went.

Requests come as lines of JSON on standard input, answers go back as lines of JSON; frames and
pictures are left as files in the folder the request names, so that nothing a hostile file may
have brought about in here is ever unpickled out there. Ends when its parent does.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from core import errors
from core.frames import BOX_COLUMNS

Answer = Callable[[dict[str, Any]], None]

WARM = "warm"
"""Imports that a child does ahead of its first job, so that the job need not wait for them."""
_WARM_MODULES = ("pymupdf", "core.parsers.pymupdf.layout", "core.store", "core.parsers")


def main() -> None:
    """Answer requests until standard input ends."""
    # Libraries print; what they print must not stand among the answers.
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    requests: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=_listen, args=(requests,), daemon=True).start()

    def answer(message: dict[str, Any]) -> None:
        channel.write(json.dumps(message) + "\n")
        channel.flush()

    while True:
        _do(requests.get(), answer)


def _listen(requests: queue.Queue[dict[str, Any]]) -> None:
    for line in sys.stdin.buffer:
        requests.put(json.loads(line))
    os._exit(0)  # the parent is gone: whatever is being done is for nobody


def _do(request: dict[str, Any], answer: Answer) -> None:
    try:
        answer({"done": _JOBS[request["job"]](request, answer)})
    except errors.RowlensError as error:
        answer({"error": type(error).__name__, "text": str(error)})
    except MemoryError:
        answer({"fault": "it ran out of memory"})
    except BaseException as error:  # whatever a parser raises is said, not passed on
        answer({"fault": f"{type(error).__name__}: {error}"[:500]})


def _warm(_request: dict[str, Any], _answer: Answer) -> None:
    for module in _WARM_MODULES:
        import_module(module)


def _parse(request: dict[str, Any], answer: Answer) -> dict[str, Any]:
    from core.parsers import Source, parse_document
    from core.store import write_frames

    folder = Path(request["folder"])
    beside = request["beside"]
    document = parse_document(
        Source(request["name"], (folder / "document").read_bytes()),
        request["parser"],
        pages=request["pages"],
        password=request["password"],
        beside=beside and Source(beside, (folder / "beside").read_bytes()),
        ocr=request["ocr"],
        progress=lambda done, total: answer({"progress": [done, total]}),
    )
    notes = write_frames(folder, document)
    return {"parser": document.parser, "notes": [*document.notes, *notes]}


def _render(request: dict[str, Any], _answer: Answer) -> dict[str, Any]:
    # Imported here, not above: whoever waits for a first page does not wait for all parsers.
    from core.render import render_page

    image = render_page(
        Path(request["path"]).read_bytes(),
        request["page_num"],
        dpi=request["dpi"],
        password=request["password"],
    )
    Path(request["folder"], "page.png").write_bytes(image.png)
    return {
        "width_px": image.width_px,
        "height_px": image.height_px,
        "width": image.width,
        "height": image.height,
    }


def _words(request: dict[str, Any], _answer: Answer) -> dict[str, Any]:
    from core.render_words import page_words

    words = page_words(
        Path(request["path"]).read_bytes(), request["page_num"], password=request["password"]
    )
    return {"texts": words["text"].tolist(), "boxes": words[BOX_COLUMNS].to_numpy().tolist()}


_JOBS: dict[str, Callable[[dict[str, Any], Answer], Any]] = {
    WARM: _warm,
    "parse": _parse,
    "render": _render,
    "words": _words,
}

if __name__ == "__main__":
    main()
