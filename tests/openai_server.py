"""An OpenAI-compatible service of our own: embeddings and chat, answered as told."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-test-5f0c2b9ae417"


@dataclass
class Request:
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Answer:
    """One HTTP answer; `content` is sent as it is if it is bytes, else as JSON."""

    content: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0
    """Seconds before it begins."""
    drip: float = 0
    """Seconds between its bytes."""


@dataclass
class Service:
    """What it answers, and what it was asked."""

    answer: Callable[[Request], Answer]
    requests: list[Request] = field(default_factory=list)
    url: str = ""


def refusal(status: int, message: str = "") -> Answer:
    """An error as OpenAI words it; by default one that says the key back. Retried at once."""
    said = message or f"Incorrect API key provided: {KEY}."
    return Answer({"error": {"message": said}}, status, {"retry-after-ms": "1"})


@contextmanager
def running(answer: Callable[[Request], Answer]) -> Iterator[Service]:
    """The service on a free port of this machine, until the block ends."""
    service = Service(answer)
    ended = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(self.path, headers, json.loads(body))
            service.requests.append(request)
            self._reply(service.answer(request))

        def log_message(self, format: str, *args: Any) -> None:
            """Keep quiet."""

        def _reply(self, answer: Answer) -> None:
            ended.wait(answer.wait)
            content = answer.content
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            try:
                self.send_response(answer.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                for part in [data[i : i + 1] for i in range(len(data))] if answer.drip else [data]:
                    self.wfile.write(part)
                    time.sleep(answer.drip)
            except OSError:
                self.close_connection = True  # whoever asked has given up

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    service.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield service
    finally:
        ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
