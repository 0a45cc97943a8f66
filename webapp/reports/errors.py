"""Errors about reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.contract.errors import ProblemError

if TYPE_CHECKING:
    from webapp.reports.models import ReportVersion


class ReportChangedError(ProblemError):
    """An error for a report of which a newer version was stored since it was read; nothing was changed.

    Attributes:
        newest: that version.
    """

    def __init__(self, seen: int, newest: ReportVersion) -> None:
        self.newest = newest
        super().__init__("version", seen, f"{newest.number}, the newest: the report was changed since")
