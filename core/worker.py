"""Parsing and rendering in a process of its own, within `core.limits`.

A file that hangs, crashes or balloons takes its worker down and nothing else: it ends in an
error that says what happened. Each parse has a fresh process, so that its memory goes with it;
pages are rendered by one that stays, started anew when it fails.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import psutil

from core import errors
from core.errors import DocumentError, LimitExceeded, ParseCancelled
from core.limits import get_limits
from core.parsers import page_numbers, read_source
from core.parsers.base import ParsedDocument, Progress, Source
from core.render import PageImage
from core.render_words import words_frame
from core.scratch import scratch_prefix
from core.store import read_frames

ROOT = Path(__file__).parents[1]

MEGABYTE = 1_000_000

RENDER_SECONDS = 30.0
"""Time to draw one page."""

RENDER_PROCESSES = 2
"""A page that hangs keeps one of them until its time is up."""

RENDERS_PER_PROCESS = 200
"""Then the process that renders is replaced, and with it whatever MuPDF kept."""

_TICK = 0.1
"""Seconds between two looks at time, memory and cancel."""

_SLOTS = threading.BoundedSemaphore(max(2, os.cpu_count() or 2))
"""So many documents are parsed at once; others wait for their turn."""


class Worker:
    """A child process that does one job at a time; used by one thread at a time."""

    def __init__(self) -> None:
        # Not multiprocessing: it would run the program that Streamlit runs as __main__ again.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "core.worker_process"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.jobs = 0
        """Jobs it was given."""
        self._answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def send(self, request: dict[str, Any]) -> None:
        """Give it a job."""
        self.jobs += 1
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it died: `answers` will say so
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()

    def answers(
        self, name: str, *, seconds: float, idle_seconds: float, cancel: threading.Event | None
    ) -> Iterator[dict[str, Any]]:
        """Its answers up to the last one, {"done": ...}, while it keeps within its limits.

        Raises:
            LimitExceeded: it took too long or too much memory.
            ParseCancelled: `cancel` was set.
            DocumentError: it died, or failed at the file called `name`; or what the job raised.
        """
        memory = get_limits().memory_mb
        begun = heard = time.monotonic()
        while True:
            answer: dict[str, Any] | None = {}
            with contextlib.suppress(queue.Empty):
                answer = self._answers.get(timeout=_TICK)
                heard = time.monotonic()
            if answer is None:
                raise DocumentError(self._why_it_died(name))
            if cancel is not None and cancel.is_set():
                raise ParseCancelled(f"Reading {name} was cancelled.")
            if "error" in answer:
                raise _as_error(answer)
            if "fault" in answer:
                raise DocumentError(
                    f"{name} cannot be read: the parser failed ({answer['fault']}). "
                    f"Try another parser, or save the file again in the program it comes from."
                )
            if answer:
                yield answer
            if "done" in answer:
                return
            now = time.monotonic()
            if now - begun > seconds:
                raise LimitExceeded.of(
                    name, f"was not read after {seconds:,.3g} s", "seconds", seconds, "seconds"
                )
            if now - heard > idle_seconds:
                raise LimitExceeded.of(
                    name,
                    f"hangs: nothing happened for {idle_seconds:,.3g} s",
                    "idle_seconds",
                    idle_seconds,
                    "seconds",
                )
            used = self._memory()
            if used > memory * MEGABYTE:
                raise LimitExceeded.of(
                    name,
                    f"needs more than {used / MEGABYTE:,.0f} MB of memory",
                    "memory_mb",
                    memory,
                    "MB",
                )

    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the process and whatever it started, at once."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):  # closed, or no JSON: as good as dead
            for line in self._process.stdout:
                self._answers.put(json.loads(line))
        self._answers.put(None)

    def _memory(self) -> int:
        try:
            process = psutil.Process(self._process.pid)
            family = [process, *process.children(recursive=True)]
            return sum(member.memory_info().rss for member in family)
        except psutil.Error:  # it ended this moment
            return 0

    def _why_it_died(self, name: str) -> str:
        code = self._process.wait()
        if code == -signal.SIGKILL:
            how = "was killed, perhaps for want of memory"
        elif code < 0:
            how = f"crashed ({signal.Signals(-code).name})"
        else:
            how = f"ended unexpectedly (exit code {code})"
        return (
            f"{name} cannot be read: the process that parsed it {how}. Nothing else is lost. "
            f"Try again, try another parser, or save the file again in the program it comes from."
        )


class _Spare:
    """One idle worker that has imported its libraries already."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self._wanted = False

    def keep(self) -> None:
        """From now on have one ready."""
        with self._lock:
            self._wanted = True
            if self._worker is None:
                self._worker = Worker()
                self._worker.send({"job": "warm"})

    def take(self) -> Worker:
        """The spare one, or a new one."""
        with self._lock:
            worker, self._worker = self._worker, None
            wanted = self._wanted
        if wanted:
            threading.Thread(target=self.keep, daemon=True).start()
        if worker is not None and worker.is_alive():
            return worker
        worker = Worker()
        worker.send({"job": "warm"})
        return worker


_spare = _Spare()
keep_spare_worker = _spare.keep


def parse_in_worker(
    source: str | Path | bytes | Source,
    parser: str = "pymupdf",
    *,
    pages: Iterable[int] | None = None,
    password: str | None = None,
    beside: str | Path | bytes | Source | None = None,
    ocr: bool = False,
    progress: Progress | None = None,
    cancel: threading.Event | None = None,
) -> ParsedDocument:
    """`core.parse_document` in a process of its own: same arguments, results and errors.

    Args:
        cancel: once it is set the process is killed, within a tenth of a second.

    Raises:
        LimitExceeded: it took more time or memory than `core.limits` allows.
        ParseCancelled: `cancel` was set.
        DocumentError: also when the process crashed.
    """
    document = read_source(source)
    other = None if beside is None else read_source(beside)
    chosen = None if pages is None else page_numbers(pages)
    limits = get_limits()
    _wait_for_turn(document.name, cancel)
    try:
        with (
            tempfile.TemporaryDirectory(prefix=scratch_prefix()) as folder,
            _closing(document.name, cancel) as worker,
        ):
            Path(folder, "document").write_bytes(document.data)
            if other is not None:
                Path(folder, "beside").write_bytes(other.data)
            request = {
                "job": "parse",
                "folder": folder,
                "name": document.name,
                "parser": parser,
                "pages": chosen,
                "password": password,
                "beside": other and other.name,
                "ocr": ocr,
            }
            worker.send(request)
            done: dict[str, Any] = {}
            for answer in worker.answers(
                document.name,
                seconds=limits.seconds,
                idle_seconds=limits.idle_seconds,
                cancel=cancel,
            ):
                if "progress" in answer and progress:
                    progress(*answer["progress"])
                done = answer.get("done") or done
            return read_frames(Path(folder), done["parser"], tuple(done["notes"]))
    except OSError as error:
        raise DocumentError(
            f"{document.name} cannot be read: the temporary folder fails "
            f"({error.strerror or error}). Make room on the disk and try again."
        ) from error
    finally:
        _SLOTS.release()


class Renderer:
    """Draws and reads pages in few processes that stay; safe to use from threads."""

    def __init__(self) -> None:
        # The one used last comes first: mostly a single process is enough, and warm.
        self._idle: queue.LifoQueue[Worker | None] = queue.LifoQueue()
        for _ in range(RENDER_PROCESSES):
            self._idle.put(None)

    def render_page(
        self, path: Path, name: str, page_num: int, *, dpi: float, password: str | None = None
    ) -> PageImage:
        """`core.render.render_page` of the file at `path`; errors also as in `Worker.answers`."""
        with tempfile.TemporaryDirectory(prefix=scratch_prefix()) as folder:
            request = {"job": "render", "folder": folder, "dpi": dpi}
            done = self._do(request, path, name, page_num, password)
            return PageImage(png=Path(folder, "page.png").read_bytes(), **done)

    def page_words(
        self, path: Path, name: str, page_num: int, *, password: str | None = None
    ) -> pd.DataFrame:
        """`core.render_words.page_words` of the file at `path`; errors also as above."""
        done = self._do({"job": "words"}, path, name, page_num, password)
        boxes = np.array(done["boxes"], dtype=float).reshape(-1, 4)
        return words_frame([str(text) for text in done["texts"]], boxes)

    def _do(
        self, request: dict[str, Any], path: Path, name: str, page_num: int, password: str | None
    ) -> dict[str, Any]:
        """What a job about one page gives."""
        request = request | {"path": str(path), "page_num": page_num, "password": password}
        worker = self._idle.get()
        try:
            worker = _fresh(worker)
            worker.send(request)
            done: dict[str, Any] = {}
            for answer in worker.answers(
                f"Page {page_num} of {name}",
                seconds=RENDER_SECONDS,
                idle_seconds=RENDER_SECONDS,
                cancel=None,
            ):
                done = answer["done"]
            return done
        except LimitExceeded:
            if worker is not None:
                worker.close()  # it is still at it
            raise
        finally:
            self._idle.put(worker)


def _fresh(worker: Worker | None) -> Worker:
    """The worker, replaced if it ended or did enough."""
    if worker is not None and worker.is_alive() and worker.jobs < RENDERS_PER_PROCESS:
        return worker
    if worker is not None:
        worker.close()
    return Worker()


@contextlib.contextmanager
def _closing(name: str, cancel: threading.Event | None) -> Iterator[Worker]:
    worker = _spare.take()
    try:
        # What it imported ahead is no part of the job, and of no interest.
        for _ in worker.answers(name, seconds=120, idle_seconds=120, cancel=cancel):
            pass
        yield worker
    finally:
        worker.close()


def _wait_for_turn(name: str, cancel: threading.Event | None) -> None:
    while not _SLOTS.acquire(timeout=_TICK):
        if cancel is not None and cancel.is_set():
            raise ParseCancelled(f"Reading {name} was cancelled.")


def _as_error(answer: dict[str, Any]) -> errors.RowlensError:
    """The error of ours that a child named; any other name is not trusted."""
    kind = getattr(errors, str(answer["error"]), DocumentError)
    known = isinstance(kind, type) and issubclass(kind, errors.RowlensError)
    return (kind if known else DocumentError)(str(answer.get("text", "")))
