"""Parses kept on disk: `<root>/<name>-<hash>/parsing/line_df_<parser>.parquet` and its siblings.

An entry is valid for the same bytes, parser, version and settings only; anything else, a damaged
file included, is as if it were not there. Files are written beside and moved into place, so that
several processes may share a root. The samples come with their parses, in a root of their own.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from filelock import FileLock, Timeout
from platformdirs import user_cache_path

from core.limits import get_limits
from core.parsers.base import ParsedDocument
from core.parsers.registry import PARSERS

ROOT_VARIABLE = "ROWLENS_CACHE"
"""Names the folder of the store; without it, it is in the user's cache folder."""

ADAPTER_VERSION = 3
"""Raised whenever our own part of a parser writes other lines for the same document."""

MEGABYTE = 1_000_000

_FRAMES = ("line_df", "page_df", "toc_df")
_ABOUT = b"rowlens"
_LOCK_SECONDS = 10
_LOCK = ".lock"


@dataclass(frozen=True)
class Settings:
    """What decides a parse besides the bytes and the parser's version."""

    parser: str
    ocr: bool = False
    beside: str = ""
    """SHA-256 of the PDF or image beside a saved output, "" without one."""

    @property
    def label(self) -> str:
        """The parser's name, with a mark of settings that are not the default."""
        default = Settings(self.parser)
        if self == default:
            return self.parser
        mark = hashlib.sha256(json.dumps(asdict(self)).encode()).hexdigest()[:8]
        return f"{self.parser}-{mark}"


class Store:
    """Parses below one folder. No trouble with the disk is ever raised: a parse that cannot be
    kept is made again next time."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = root or default_root()

    def load(self, data: bytes, settings: Settings) -> ParsedDocument | None:
        """The parse of these bytes, if there is a valid one."""
        mark = _hash(data)
        for folder in self.folders_of(mark):
            try:
                document = _load(folder / "parsing", settings, mark)
            except (OSError, KeyError, ValueError, TypeError, AttributeError, pa.ArrowException):
                continue
            if document is not None:
                with contextlib.suppress(OSError):
                    os.utime(folder)  # used now: it goes last
                return document
        return None

    def save(
        self,
        name: str,
        data: bytes,
        settings: Settings,
        document: ParsedDocument,
        row_df: pd.DataFrame | None = None,
    ) -> Path | None:
        """Keep a parse, and the rows read from it; its folder, or None if the disk refuses.

        What was used longest ago makes room, as `core.limits` says.
        """
        mark = _hash(data)
        folder = self.folder_of(name, data)
        about = {
            "version": _version(settings.parser),
            "settings": asdict(settings),
            "hash": mark,
            "notes": document.notes,
        }
        frames = {frame: getattr(document, frame) for frame in _FRAMES}
        if row_df is not None:
            frames["row_df"] = row_df
        try:
            (folder / "parsing").mkdir(parents=True, exist_ok=True)
            with FileLock(folder / _LOCK, timeout=_LOCK_SECONDS):
                for frame, df in frames.items():
                    _write(df, _file(folder / "parsing", frame, settings), about)
            self._make_room(spare=folder)
        except (OSError, Timeout, pa.ArrowException):
            return None
        return folder

    def size(self) -> int:
        """Bytes it takes."""
        return sum(_size(folder) for folder in self._entries())

    def clear(self) -> None:
        """Forget everything."""
        for folder in self._entries():
            shutil.rmtree(folder, ignore_errors=True)

    def folder_of(self, name: str, data: bytes) -> Path:
        """The folder of a document, which may not be there yet."""
        mark = _hash(data)
        return next(iter(self.folders_of(mark)), self.root / f"{_safe(name)}-{mark[:12]}")

    def folders_of(self, mark: str) -> list[Path]:
        """The folders of a document, under whatever names it was opened; `mark` is the start of the
        SHA-256 of its bytes, 12 hex digits or more."""
        return [path for path in self._entries() if path.name.endswith(f"-{mark[:12]}")]

    def folders_by_use(self) -> list[Path]:
        """The folders of all documents, what was used last first."""
        return sorted(self._entries(), key=_last_used, reverse=True)

    def _entries(self) -> list[Path]:
        """Folders that are ours, by their form; the root may hold others."""
        with contextlib.suppress(OSError):
            return [path for path in self.root.iterdir() if _ENTRY.fullmatch(path.name)]
        return []

    def _make_room(self, spare: Path) -> None:
        most = get_limits().cache_mb * MEGABYTE
        sizes = {folder: _size(folder) for folder in self._entries()}
        for folder in sorted(sizes, key=_last_used):
            if sum(sizes.values()) <= most:
                return
            if folder != spare:
                shutil.rmtree(folder, ignore_errors=True)
                del sizes[folder]


_ENTRY = re.compile(r"[A-Za-z0-9_-]{0,60}-[0-9a-f]{12}")


def default_root() -> Path:
    """Where parses are kept: $ROWLENS_CACHE, else the user's cache folder."""
    named = os.environ.get(ROOT_VARIABLE, "").strip()
    return Path(named).expanduser() if named else user_cache_path("rowlens")


def write_frames(folder: Path, document: ParsedDocument) -> list[str]:
    """Write a parse's frames as they are, without name or version; returns notes on columns
    that no Parquet file holds and that became text."""
    notes: list[str] = []
    for frame in _FRAMES:
        df, odd = _storable(getattr(document, frame))
        notes += [
            f"Column {column!r} of {frame} holds values of several kinds: kept as text."
            for column in odd
        ]
        pq.write_table(pa.Table.from_pandas(df, preserve_index=False), folder / f"{frame}.parquet")
    return notes


def read_frames(folder: Path, parser: str, notes: tuple[str, ...]) -> ParsedDocument:
    """What `write_frames` wrote."""
    frames = {frame: pq.read_table(folder / f"{frame}.parquet").to_pandas() for frame in _FRAMES}
    return ParsedDocument(**frames, parser=parser, notes=notes)


def _load(folder: Path, settings: Settings, mark: str) -> ParsedDocument | None:
    tables = {frame: pq.read_table(_file(folder, frame, settings)) for frame in _FRAMES}
    for table in tables.values():
        about = json.loads(table.schema.metadata[_ABOUT])
        known = (about["version"], about["settings"], about["hash"])
        if known != (_version(settings.parser), asdict(settings), mark):
            return None
    frames = {frame: table.to_pandas() for frame, table in tables.items()}
    return ParsedDocument(**frames, parser=settings.parser, notes=tuple(about["notes"]))


def _write(df: pd.DataFrame, path: Path, about: Mapping[str, object]) -> None:
    table = pa.Table.from_pandas(_storable(df)[0], preserve_index=False)
    metadata = {**(table.schema.metadata or {}), _ABOUT: json.dumps(about)}
    beside = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        pq.write_table(table.replace_schema_metadata(metadata), beside, compression="zstd")
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def _storable(df: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """The frame with columns of mixed kinds as text, and which these are."""
    odd = [column for column in df.columns if not _fits_parquet(df[column])]
    return df.assign(**{column: df[column].map(str) for column in odd}), odd


def _fits_parquet(column: pd.Series) -> bool:
    if column.dtype != object:
        return True
    try:
        pa.array(column, from_pandas=True)
    except pa.ArrowException:
        return False
    return True


def _file(folder: Path, frame: str, settings: Settings) -> Path:
    return folder / f"{frame}_{settings.label}.parquet"


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _safe(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "_", Path(name).stem)[:60]


def _version(parser: str) -> str:
    package = PARSERS[parser].package
    with contextlib.suppress(PackageNotFoundError):
        return f"{ADAPTER_VERSION}/{version(package)}"
    return f"{ADAPTER_VERSION}/none"


def _files(folder: Path) -> Iterator[os.stat_result]:
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            yield path.stat()


def _size(folder: Path) -> int:
    return sum(stat.st_size for stat in _files(folder))


def _last_used(folder: Path) -> float:
    with contextlib.suppress(OSError):
        return folder.stat().st_mtime
    return time.time()
