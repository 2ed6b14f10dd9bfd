"""A docling-serve of our own: the routes that docling's client calls, answered as told."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Service:
    """What it answers, and what it was asked."""

    document: Any = None
    """The DoclingDocument of every result, as decoded JSON."""
    key: str = ""
    """The only API key it takes; "" takes any."""
    submit_status: int = 200
    task_status: str = "success"
    result: Any = None
    """Instead of a result with the document."""
    polls: int = 1
    """How often a task is still running when asked."""
    requests: list[Request] = field(default_factory=list)
    url: str = ""

    def answer(self, request: Request) -> tuple[int, Any]:
        self.requests.append(request)
        if self.key and request.headers.get("x-api-key") != self.key:
            return 401, {"detail": f"not {request.headers.get('x-api-key')}"}
        task = {"task_id": "t-1", "task_type": "convert", "task_status": "pending"}
        if request.method == "POST" and request.path == "/v1/convert/file/async":
            if self.submit_status != 200:
                said = f"refused for {request.headers.get('x-api-key')}"
                return self.submit_status, {"detail": said}
            return 200, task
        if request.path.startswith("/v1/status/poll/t-1"):
            asked = sum("/status/poll/" in each.path for each in self.requests)
            running = asked <= self.polls
            return 200, task | {"task_status": "started" if running else self.task_status}
        if request.path == "/v1/result/t-1":
            content = {"filename": "document", "json_content": self.document}
            done = {"document": content, "status": "success", "processing_time": 0.1}
            return 200, self.result or done
        return 404, {"detail": "Not Found"}


@contextmanager
def running(service: Service) -> Iterator[Service]:
    """The service on a free port of this machine, until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._reply("GET")

        def do_POST(self) -> None:
            self._reply("POST")

        def log_message(self, format: str, *args: Any) -> None:
            """Keep quiet."""

        def _reply(self, method: str) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, content = service.answer(Request(method, self.path, headers, body))
            data = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    service.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
