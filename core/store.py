"""Parses kept on disk: `<root>/<name>-<hash>/parsing/line_df_<parser>.parquet` and its siblings.

An entry is valid for the same bytes, parser and parser version only; anything else, a damaged
file included, is as if it were not there. The samples come with their parses, so that the first
view does not wait for one.
"""

from __future__ import annotations

import hashlib
import json
import re
from importlib.metadata import version
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from core.parsers.base import ParsedDocument

_FRAMES = ("line_df", "page_df", "toc_df")
_ABOUT = b"rowlens"
_PACKAGES = {"pymupdf": "pymupdf"}
"""The package whose version decides what a parser writes."""

ADAPTER_VERSION = 2
"""Raised whenever our own part of a parser writes other lines for the same document."""


def load_parse(root: Path, name: str, data: bytes, parser: str) -> ParsedDocument | None:
    """The parse of these bytes, if the store has a valid one."""
    folder = _folder(root, name, data)
    try:
        tables = {frame: pq.read_table(_file(folder, frame, parser)) for frame in _FRAMES}
        about = json.loads(tables["line_df"].schema.metadata[_ABOUT])
    except (OSError, KeyError, ValueError, TypeError, pa.ArrowException):
        return None
    if about.get("version") != _version(parser):
        return None
    frames = {frame: table.to_pandas() for frame, table in tables.items()}
    return ParsedDocument(**frames, parser=parser, notes=tuple(about["notes"]))


def save_parse(root: Path, name: str, data: bytes, document: ParsedDocument) -> Path:
    """Write a parse; returns its folder."""
    folder = _folder(root, name, data)
    (folder / "parsing").mkdir(parents=True, exist_ok=True)
    about = json.dumps({"version": _version(document.parser), "notes": document.notes})
    for frame in _FRAMES:
        df: pd.DataFrame = getattr(document, frame)
        table = pa.Table.from_pandas(df, preserve_index=False)
        table = table.replace_schema_metadata({**(table.schema.metadata or {}), _ABOUT: about})
        pq.write_table(table, _file(folder, frame, document.parser), compression="zstd")
    return folder


def _folder(root: Path, name: str, data: bytes) -> Path:
    safe = re.sub(r"[^A-Za-z0-9_-]+", "_", Path(name).stem)[:60]
    return root / f"{safe}-{hashlib.sha256(data).hexdigest()[:12]}"


def _file(folder: Path, frame: str, parser: str) -> Path:
    return folder / "parsing" / f"{frame}_{parser}.parquet"


def _version(parser: str) -> str:
    return f"{ADAPTER_VERSION}/{version(_PACKAGES[parser])}"
