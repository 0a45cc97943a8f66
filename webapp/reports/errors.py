"""What can go wrong with reports."""

from __future__ import annotations

from engines.contract.errors import ProblemError


class ReportChangedError(ProblemError):
    """Somebody has stored a version of the report since it was read; nothing was done."""
