"""Live analysis by the service: a document's bytes -> the JSON of its answer. I/O only.

The key goes into one request header and nowhere else: never into a message, and the SDK's logs
redact it (its network trace, which does not, stays off).
"""

from __future__ import annotations

import io
import os
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from core.errors import DocumentError, LimitExceeded, SourceUnavailable
from core.limits import get_limits
from core.parsers.base import ParseOptions, Source

ENDPOINT_VARIABLES = ("AZURE_DOCUMENTINTELLIGENCE_ENDPOINT", "DOCUMENTINTELLIGENCE_ENDPOINT")
KEY_VARIABLES = ("AZURE_DOCUMENTINTELLIGENCE_KEY", "DOCUMENTINTELLIGENCE_API_KEY")

_MODEL = "prebuilt-layout"
_LOCAL = {"localhost", "127.0.0.1", "::1"}
_POLL_SECONDS = 1.0
_RETRIES = 3
_BACKOFF = 0.8
"""Seconds before the second try; doubled for each further one."""
_MOST_BACKOFF = 20
_CONNECT_SECONDS, _READ_SECONDS = 20, 120


def fetch_result(source: Source, options: ParseOptions) -> bytes:
    """Send a PDF, image or Office file to the service and wait for its answer, as JSON.

    options.progress is called once per poll, as progress(0, 1).

    Raises:
        SourceUnavailable: endpoint or key are not set, refused or wrong, or the service cannot be
            reached or is busy.
        DocumentError: a password was given, or the service could not read the document.
        LimitExceeded: it takes longer than `core.limits` allows.
    """
    if options.password:
        raise DocumentError(
            f"{source.name}: Azure Document Intelligence takes no password. "
            f"Save the document without one and open it again, or use another parser."
        )
    endpoint, key = _settings(source.name)
    from azure.core.exceptions import AzureError

    try:
        return _analyze(source, options, endpoint, key)
    except AzureError as error:
        raise _explained(source.name, endpoint, error) from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        # The SDK trips over answers that are not those of the service.
        raise SourceUnavailable(
            f"{urlsplit(endpoint).hostname} does not answer as Azure Document Intelligence does "
            f"({type(error).__name__}). Check {ENDPOINT_VARIABLES[0]}."
        ) from error


def _settings(name: str) -> tuple[str, str]:
    """Endpoint and key from the environment, checked."""
    endpoint, key = (_first(variables) for variables in (ENDPOINT_VARIABLES, KEY_VARIABLES))
    missing = [
        variables[0]
        for value, variables in ((endpoint, ENDPOINT_VARIABLES), (key, KEY_VARIABLES))
        if not value
    ]
    if missing:
        raise SourceUnavailable(
            f"{name} has to be sent to Azure Document Intelligence, but {' and '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} not set. Set {ENDPOINT_VARIABLES[0]} and "
            f"{KEY_VARIABLES[0]} in the environment or in Streamlit's secrets, or open the saved "
            f"JSON of an analysis instead."
        )
    try:
        parts = urlsplit(endpoint)
        host = parts.hostname or ""
        safe = parts.scheme == "https" or (parts.scheme == "http" and host in _LOCAL)
    except ValueError:
        host, safe = "", False
    if not (host and safe) or "@" in endpoint:
        raise SourceUnavailable(
            f"{ENDPOINT_VARIABLES[0]} is no address that the key may be sent to. Set it to "
            f"https://NAME.cognitiveservices.azure.com; plain http is for localhost only."
        )
    # Anything else would be refused by the HTTP client, in a message that shows the key.
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise SourceUnavailable(
            f"{KEY_VARIABLES[0]} holds characters that no key has. Copy the key again from "
            f"'Keys and Endpoint' in the Azure portal."
        )
    return endpoint.rstrip("/"), key


def _first(variables: Sequence[str]) -> str:
    return next((value for name in variables if (value := os.environ.get(name, "").strip())), "")


def _analyze(source: Source, options: ParseOptions, endpoint: str, key: str) -> bytes:
    from azure.ai.documentintelligence import DocumentIntelligenceClient
    from azure.core.credentials import AzureKeyCredential

    limit = get_limits().seconds
    deadline = time.monotonic() + limit
    with DocumentIntelligenceClient(
        endpoint,
        AzureKeyCredential(key),
        permit_redirects=False,  # a redirect would take the key to another host
        retry_total=_RETRIES,
        retry_backoff_factor=_BACKOFF,
        retry_backoff_max=_MOST_BACKOFF,
        connection_timeout=_CONNECT_SECONDS,
        read_timeout=_READ_SECONDS,
        polling_interval=_POLL_SECONDS,
        per_retry_policies=[_same_host(endpoint)],
    ) as client:
        poller = client.begin_analyze_document(
            _MODEL,
            io.BytesIO(source.data),
            pages=None if options.pages is None else _ranges(options.pages),
            cls=lambda response, *_: response.http_response.body(),
        )
        while not poller.done():
            if options.progress:
                options.progress(0, 1)
            if time.monotonic() > deadline:
                raise LimitExceeded.of(
                    source.name, "takes longer at the service", "seconds", limit, "seconds"
                )
            poller.wait(_POLL_SECONDS)
        answer: Any = poller.result()
    return bytes(answer)


def _same_host(endpoint: str) -> Any:
    """A policy that keeps the key from every host but the endpoint's."""
    from azure.core.exceptions import ServiceRequestError
    from azure.core.pipeline.policies import SansIOHTTPPolicy

    class SameHost(SansIOHTTPPolicy[Any, Any]):
        def on_request(self, request: Any) -> None:
            asked, own = urlsplit(request.http_request.url), urlsplit(endpoint)
            if (asked.scheme, asked.netloc) != (own.scheme, own.netloc):
                raise ServiceRequestError(f"it refers to another host, {asked.hostname}")

    return SameHost()


def _ranges(pages: Sequence[int]) -> str:
    """Page numbers as the service takes them: "1-3,7"."""
    ranges: list[list[int]] = []
    for page in pages:
        if ranges and page == ranges[-1][1] + 1:
            ranges[-1][1] = page
        else:
            ranges.append([page, page])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)


def _explained(name: str, endpoint: str, error: Exception) -> DocumentError:
    """What an error of the SDK means here."""
    from azure.core.exceptions import HttpResponseError

    host = urlsplit(endpoint).hostname
    why = _reason(error)
    status = error.status_code if isinstance(error, HttpResponseError) else None
    if status is None:
        return SourceUnavailable(
            f"{name} could not be sent to Azure Document Intelligence at {host} ({why}). "
            f"Check {ENDPOINT_VARIABLES[0]} and the network."
        )
    if status in (401, 403):
        return SourceUnavailable(
            f"Azure Document Intelligence at {host} refused the key (HTTP {status}: {why}). "
            f"Check {KEY_VARIABLES[0]}, and that the key belongs to this endpoint."
        )
    if status == 404 or 300 <= status < 400:
        return SourceUnavailable(
            f"There is no Document Intelligence service at {host} (HTTP {status}: {why}). "
            f"Check {ENDPOINT_VARIABLES[0]}."
        )
    if status in (408, 429) or status >= 500:
        return SourceUnavailable(
            f"Azure Document Intelligence at {host} is busy or out of order (HTTP {status}: "
            f"{why}). Try again later."
        )
    return DocumentError(
        f"Azure Document Intelligence could not read {name} ({why}). Check that it opens in its "
        f"own program and is within the limits of your service tier."
    )


def _reason(error: Exception) -> str:
    """The service's own words where there are some, else the first line of the SDK's."""
    inner = getattr(error, "error", None)
    deeper = getattr(inner, "innererror", None)
    said = (deeper or {}).get("message") if isinstance(deeper, dict) else None
    said = said or getattr(inner, "message", None) or getattr(error, "message", None) or str(error)
    return " ".join(str(said).split())[:300]
