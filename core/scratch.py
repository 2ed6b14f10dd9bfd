"""Temporary folders that do not outlive their process for long, however it ended."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

import psutil

_NAME = re.compile(r"rowlens-(\d+)-\w+")


def scratch_prefix() -> str:
    """What the name of a temporary folder of this process begins with."""
    return f"rowlens-{os.getpid()}-"


def sweep_scratch() -> None:
    """Remove the temporary folders of processes that are gone; a killed one leaves its own."""
    for path in Path(tempfile.gettempdir()).glob("rowlens-*"):
        match = _NAME.fullmatch(path.name)
        if match and path.is_dir() and not psutil.pid_exists(int(match[1])):
            shutil.rmtree(path, ignore_errors=True)
