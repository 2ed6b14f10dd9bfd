"""Documents for the command line: read in a process of their own, or taken from the store."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.printing import plain, warn
from core.errors import OptionError, PasswordRequired, RowlensError, UnknownParserError

if TYPE_CHECKING:
    from core.parsers.base import ParsedDocument, Progress, Source

PASSWORD_VARIABLE = "ROWLENS_PASSWORD"
_TRIES = 3


@dataclass
class Reading:
    """How documents are to be read, and how many could not be."""

    parser: str = "auto"
    ocr: bool = False
    beside: Path | None = None
    pages: list[int] | None = None
    failed: int = 0
    _asked: str | None = field(default=None, repr=False)
    """The password given for the file before."""

    def read_all(self, paths: list[Path]) -> Iterator[tuple[Path, ParsedDocument]]:
        """Each document that can be read; of each other one, standard error says why.

        Raises:
            OptionError, UnknownParserError: what was asked for is wrong for any document.
        """
        for path in paths:
            try:
                yield path, self.read(path)
            except (OptionError, UnknownParserError):
                raise
            except RowlensError as error:
                self.failed += 1
                warn(f"{path}: {error}")

    def read(self, path: Path) -> ParsedDocument:
        """A document; notes go to standard error.

        Raises:
            RowlensError: it cannot be read.
        """
        from core.parsers import read_source

        source = read_source(path)
        beside = None if self.beside is None else read_source(self.beside)
        try:
            document = self._parse(source, beside, None)
        except PasswordRequired as error:
            document = self._unlock(source, beside, error)
        for note in document.notes:
            warn(f"{path}: {note}")
        return document

    def _unlock(
        self, source: Source, beside: Source | None, locked: PasswordRequired
    ) -> ParsedDocument:
        """Try the passwords at hand, then ask for one."""
        for password in filter(None, (os.environ.get(PASSWORD_VARIABLE), self._asked)):
            try:
                return self._parse(source, beside, password)
            except PasswordRequired as error:
                locked = error
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise PasswordRequired(
                f"{locked} Set {PASSWORD_VARIABLE}, or run this on a terminal to be asked."
            )
        from getpass import getpass

        for _ in range(_TRIES):
            try:
                self._asked = getpass(f"Password of {plain(source.name)}: ")
                return self._parse(source, beside, self._asked)
            except PasswordRequired as error:
                locked = error
                warn(error)
            except EOFError:
                break
        raise locked

    def _parse(self, source: Source, beside: Source | None, password: str | None) -> ParsedDocument:
        from core.library import parse_stored
        from core.parsers import detect_format
        from core.parsers.registry import choose_parser
        from core.store import Store
        from core.worker import parse_in_worker

        with progress_bar(source.name) as progress:
            if self.pages is not None:
                return parse_in_worker(
                    source,
                    self.parser,
                    pages=self.pages,
                    password=password,
                    beside=beside,
                    ocr=self.ocr,
                    progress=progress,
                )
            return parse_stored(
                source,
                choose_parser(self.parser, detect_format(source), source.name),
                stores=[Store()],
                password=password,
                beside=beside,
                ocr=self.ocr,
                progress=progress,
            )


@contextmanager
def progress_bar(name: str) -> Iterator[Progress | None]:
    """A bar on standard error while a document is read, if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.table import Column

    # Not as markup: a file may be called [red].
    name_column = TextColumn(
        "{task.description}", markup=False, table_column=Column(max_width=40, no_wrap=True)
    )
    columns = (name_column, BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task(plain(name), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
