"""`python -m tests`: every check of the project, in one command.

Linter, formatter and type checker first, then pytest, to which further arguments go through:
`python -m tests -k fold`, `python -m tests --no-browser`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.browser import CHROMIUM_VARIABLE, NoBrowser, find_or_install_chromium

ROOT = Path(__file__).parents[1]
CHECKS = (["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"])


def main(arguments: list[str]) -> int:
    """Run everything, even past a failure; 0 only if all of it passed."""
    environment = dict(os.environ)
    if "--no-browser" in arguments:
        print("Browser: none, the browser tests are left out as asked")
    else:
        try:
            environment[CHROMIUM_VARIABLE] = find_or_install_chromium()
        except NoBrowser as problem:
            print(problem, file=sys.stderr)
            return 1
        print(f"Browser: {environment[CHROMIUM_VARIABLE]}")

    commands = [*CHECKS, ["pytest", *arguments]]
    return max([abs(_run(command, environment)) for command in commands])


def _run(module: list[str], environment: dict[str, str]) -> int:
    print(f"\n$ {' '.join(module)}", flush=True)
    command = [sys.executable, "-m", *module]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
