"""Tables -> what looks wrong with them, worst first.

model says what a finding is, facts works out what rules ask about a table, rules lists all rules;
the rules stand in labels, header, rows, cells, kind, continuation and geometry.
"""

from core.lint.model import SEVERITIES, Lint, worst_severity
from core.lint.rules import RULES, lint_table, lint_tables

__all__ = ["RULES", "SEVERITIES", "Lint", "lint_table", "lint_tables", "worst_severity"]
