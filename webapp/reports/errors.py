"""What can go wrong with reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.contract.errors import ProblemError

if TYPE_CHECKING:
    from webapp.reports.models import ReportVersion


class ReportChangedError(ProblemError):
    """Somebody has stored a version of the report since it was read; nothing was done.

    Attributes:
        newest: that version.
    """

    def __init__(self, seen: int, newest: ReportVersion) -> None:
        self.newest = newest
        super().__init__("version", seen, f"{newest.number}, the newest: somebody has changed the report since")
