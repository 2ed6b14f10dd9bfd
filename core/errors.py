"""Rowlens' own errors. Each message says what was wrong, where, and what to do next."""

from __future__ import annotations


class RowlensError(Exception):
    """Base of every error this package raises on purpose."""


class LineFrameError(RowlensError, ValueError):
    """A line_df breaks its contract; names the column and the first offending row."""


class RowFrameError(RowlensError, ValueError):
    """A row_df breaks its contract; names the column and the first offending row."""


class DocumentError(RowlensError):
    """A document cannot be opened or parsed."""


class PasswordRequired(DocumentError):
    """The document is encrypted and needs a (different) password."""


class LimitExceeded(DocumentError):
    """A document is larger, or took longer, than `core.limits` allows."""

    @classmethod
    def of(cls, name: str, what: str, limit: str, value: float, unit: str) -> LimitExceeded:
        """`what` says how the document called `name` exceeds the limit of that name."""
        most = f"{value:,.0f}" if value >= 1 else f"{value:g}"
        return cls(
            f"{name} {what}; at most {most} {unit} are allowed. "
            f"Use a smaller file, or set ROWLENS_MAX_{limit.upper()} to a larger number."
        )


class ParseCancelled(DocumentError):
    """Reading a document was stopped on demand."""


class SourceUnavailable(DocumentError):
    """A parser needs something this machine lacks: models, a service, a key; says what to do."""


class UnknownParserError(RowlensError, ValueError):
    """No parser of that name is registered."""


class OptionError(RowlensError, ValueError):
    """An argument is outside what the function accepts."""
