"""Frames of documents as files, one folder per document."""

from __future__ import annotations

import contextlib
import os
import re
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import RowlensError

if TYPE_CHECKING:
    import pandas as pd

_LONGEST = 80
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)", re.I)


class OutputError(RowlensError):
    """A result cannot be written."""


class Output:
    """A folder that gets one folder per document; never writes outside of it."""

    def __init__(self, root: Path, format: str, *, overwrite: bool) -> None:
        self.root, self.format, self.overwrite = root, format, overwrite
        self._taken: set[str] = set()

    def write(self, path: Path, frames: Mapping[str, pd.DataFrame]) -> Path:
        """Write the frames of the document at `path`; returns their folder.

        Raises:
            OutputError: the folder is there already, or the disk refuses.
        """
        from core.export import frame_to_bytes

        folder = self.root / self._name(path)
        if folder.is_symlink() or (folder.exists() and not (folder.is_dir() and self.overwrite)):
            raise OutputError(
                f"{folder} is there already, and was left as it is. Choose another --out, or "
                f"give --overwrite."
            )
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, frame in frames.items():
                data = frame_to_bytes(frame, self.format)
                _write_whole(folder / f"{name}.{self.format}", data)
        except OSError as error:
            raise OutputError(
                f"{folder} cannot be written ({error.strerror or error}). Check that there is "
                f"room, and that you may write there."
            ) from error
        return folder

    def _name(self, path: Path) -> str:
        """The document's name as a folder, made distinct from those of this run."""
        safe = safe_name(path.stem)
        name, at = safe, 2
        while name.lower() in self._taken:
            name, at = f"{safe}-{at}", at + 1
        self._taken.add(name.lower())
        return name


def safe_name(name: str) -> str:
    """A name for a folder on any system: letters, digits, "-", "_" and single dots inside."""
    plain = re.sub(r"[^\w.-]+", "_", name)
    plain = re.sub(r"\.{2,}", ".", plain).strip("._-")[:_LONGEST].strip("._-")
    return f"_{plain}" if not plain or _RESERVED.fullmatch(plain.split(".")[0]) else plain


def _write_whole(path: Path, data: bytes) -> None:
    """All of the file or none of it."""
    beside = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        beside.write_bytes(data)
        os.replace(beside, path)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
