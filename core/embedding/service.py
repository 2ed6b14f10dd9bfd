"""The way to an OpenAI-compatible service: its settings, one request, and its errors as ours.

Used by the endpoint embedder and by `core.retrieval.llm_shape`. A request goes to the address
that was set and nowhere else: redirects are not followed, and OPENAI_* variables add nothing.
The key is in the request's header alone, never in a message, a log or a repr.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from core.embedding.base import ModelError
from core.errors import OptionError

if TYPE_CHECKING:
    import openai

SAID = 200
"""Characters of a service's own message that are passed on."""
_HEADERS = {
    *("accept", "accept-encoding", "connection", "content-length", "content-type", "host"),
    *("transfer-encoding", "user-agent", "x-stainless-raw-response"),
}
"""All that is sent, with the key. The last is how the client tells itself to stream."""
_LOCAL = ("localhost", "127.0.0.1", "::1")


class RequestRefused(ModelError):
    """The service wants a request of another kind (status 400 or 422)."""


@dataclass(frozen=True)
class Service:
    """Where a model is asked, and how that is set."""

    url: str
    model: str
    key: str = field(repr=False)
    prefix: str
    """Start of its variables' names, such as ROWLENS_EMBEDDER."""
    without: str
    """What to do to go without it, as the end of a sentence."""

    @property
    def host(self) -> str:
        """The host, and the port if one is named."""
        return urlsplit(self.url).netloc


def read_service(prefix: str, model: str, without: str) -> Service:
    """The service that <prefix>_URL and <prefix>_KEY set.

    Raises:
        OptionError: no address, or none that the key may be sent to; no such key can be.
    """
    url = os.environ.get(f"{prefix}_URL", "").strip().rstrip("/")
    key = os.environ.get(f"{prefix}_KEY", "").strip()
    if not url:
        raise OptionError(
            f"{prefix}_URL is not set. Set it to the address of the service, such as "
            f"http://localhost:11434/v1; or {without}."
        )
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
        known = parts.scheme in ("http", "https") and url.isascii() and url.isprintable()
    except ValueError:
        host, known = "", False
    # What stands before an @ would be a password in every message that names the host.
    if not (host and known) or "@" in url or parts.query or parts.fragment:
        raise OptionError(
            f"{prefix}_URL is no address of a service. Set it to something like "
            f"https://HOST/v1; the key belongs in {prefix}_KEY."
        )
    if key and parts.scheme == "http" and host not in _LOCAL:
        raise OptionError(
            f"{prefix}_URL is no address that the key may be sent to: plain http is for this "
            f"machine only. Use https, or unset {prefix}_KEY."
        )
    # Anything else would be refused by the HTTP client, in a message that shows the key.
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise OptionError(f"{prefix}_KEY holds characters that no key has. Copy the key again.")
    return Service(url, model, key, prefix, without)


def make_client(service: Service, *, seconds: float, retries: int) -> openai.OpenAI:
    """A client of the service, safe to share between threads.

    Raises:
        ModelError: openai is not installed.
    """
    try:
        import openai
    except ImportError:
        raise ModelError(
            f"{service.model!r} at {service.host} needs openai, which is not installed. Install "
            f"it: pip install openai==3.57.0; or {service.without}."
        ) from None

    # The client adds what OPENAI_* variables hold for another service, keys and accounts among
    # it, and what this machine is.
    sent = _HEADERS | ({"authorization"} if service.key else set())

    def keep_to_what_is_needed(request: Any) -> None:
        for name in set(request.headers.keys()) - sent:
            del request.headers[name]

    return openai.OpenAI(
        base_url=service.url,
        api_key=service.key or "none",
        timeout=seconds,
        max_retries=retries,
        http_client=openai.DefaultHttpxClient(
            follow_redirects=False, event_hooks={"request": [keep_to_what_is_needed]}
        ),
    )


def ask(
    service: Service,
    call: Callable[[], AbstractContextManager[Any]],
    *,
    seconds: float,
    most_bytes: int,
) -> Any:
    """The decoded JSON of one answer.

    Args:
        call: starts the request, by a `with_streaming_response` of the client.
        seconds: for the answer to arrive once it has begun.
        most_bytes: longer answers are not read.

    Raises:
        RequestRefused: by status 400 or 422.
        ModelError: no answer, any other refusal, or anything but JSON.
    """
    import httpx2
    import openai

    kind = ModelError
    # The client's errors hold the request with the key: ours are raised outside of their reach.
    try:
        with call() as response:
            return json.loads(_read(response, seconds, most_bytes))
    except (openai.APITimeoutError, httpx2.TimeoutException, TimeoutError):
        problem = f"does not answer in time. Try again, or {service.without}"
    except openai.APIStatusError as error:
        problem = _refusal(service, error)
        kind = RequestRefused if error.status_code in (400, 422) else ModelError
    except (openai.OpenAIError, httpx2.HTTPError) as error:
        problem = (
            f"cannot be reached ({type(error).__name__}). Check that it runs and that "
            f"{service.prefix}_URL is its address; or {service.without}"
        )
    except OverflowError:
        problem = wrong_answer(service, f"more than {most_bytes:,} bytes")
    except (ValueError, RecursionError):
        problem = wrong_answer(service, "no JSON")
    raise kind(f"The service at {service.host} {problem}.")


def wrong_answer(service: Service, what: str) -> str:
    """End of the message about an answer that is none, without its full stop."""
    return (
        f"does not answer as it should ({what}). Check that {service.prefix}_URL is the address "
        f"of an OpenAI-compatible API, most end in /v1; or {service.without}"
    )


def one_line(text: str) -> str:
    """A text of others without line breaks, control and direction signs, and repeated spaces."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _read(response: Any, seconds: float, most_bytes: int) -> bytes:
    deadline = time.monotonic() + seconds
    data = bytearray()
    for part in response.iter_bytes():
        data += part
        if len(data) > most_bytes:
            raise OverflowError
        if time.monotonic() > deadline:
            raise TimeoutError
    return bytes(data)


def _refusal(service: Service, error: openai.APIStatusError) -> str:
    status = error.status_code
    if status in (401, 403):
        return (
            f"refuses the key (status {status}). Set {service.prefix}_KEY to a key of this "
            f"service; or {service.without}"
        )
    if status == 429:
        return (
            f"takes no more requests (status 429). Wait a while, or look at the quota of the "
            f"account; or {service.without}"
        )
    if 300 <= status < 400:
        return (
            f"sends requests elsewhere (status {status}). Set {service.prefix}_URL to the final "
            f"address; or {service.without}"
        )
    if status >= 500:
        return f"fails (status {status}). Try again later, or {service.without}"
    return (
        f"refuses the request for {service.model!r} (status {status}{_said(service, error)}). "
        f"Check the model's name and {service.prefix}_URL; or {service.without}"
    )


def _said(service: Service, error: openai.APIStatusError) -> str:
    """What the service said of it, on one line and without the key."""
    body = error.body
    message = body.get("message") if isinstance(body, dict) else None
    if not isinstance(message, str):
        return ""
    message = message.replace(service.key, "***") if service.key else message
    return f": {one_line(message)[:SAID]}"
