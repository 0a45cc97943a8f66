"""Errors of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webapp.comparisons.models import Comparison


class ComparisonError(ValueError):
    """An error for a comparison that cannot be stored: field, accepted values, and the value received."""

    def __init__(self, field: str, accepted: str, got: str) -> None:
        """Name the field, what it accepts and what was got."""
        super().__init__(f"{field}: must be {accepted}. Got {got} instead.")
        self.field = field


class ChangedComparisonError(ComparisonError):
    """A person has changed the comparison since; `comparison` is as it is now."""

    def __init__(self, comparison: Comparison) -> None:
        """Name the comparison."""
        super().__init__("title", "the newest version of the comparison", "an older one")
        self.comparison = comparison
