"""A finding -> one HTML file that opens from disk, needs no network and prints well.

    finding -> headline, pictures, rows, steps    plain data, every text as the document has it
    data -> render -> templates                   the only place where it becomes HTML

`render` and `templates/` serve any report: autoescape on, no script, one style sheet.
"""

from core.report.finding import Finding, finding_report
from core.report.picture import Sheet

__all__ = ["Finding", "Sheet", "finding_report"]
