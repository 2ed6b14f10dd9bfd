"""Rowlens' own errors. Each message says what was wrong, where, and what to do next."""


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


class UnknownParserError(RowlensError, ValueError):
    """No parser of that name is registered."""


class OptionError(RowlensError, ValueError):
    """An argument is outside what the function accepts."""
