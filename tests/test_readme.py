"""The README's examples run and print what they say; its commands are those CI runs."""

from __future__ import annotations

import doctest
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"


def test_the_examples_print_what_the_readme_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    results = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert results.attempted > 5
    assert results.failed == 0


def test_ci_runs_the_second_command() -> None:
    command = "pip install -r requirements.txt -r tests/requirements.txt && python -m tests"
    assert f"    {command}\n" in README.read_text(encoding="utf-8")
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").rstrip().endswith(command)


def test_every_linked_file_exists() -> None:
    words = README.read_text(encoding="utf-8").replace("(", " ").replace(")", " ").split()
    linked = [word for word in words if word.startswith("assets/") and os.path.splitext(word)[1]]
    assert [name for name in linked if not (ROOT / name).exists()] == []
