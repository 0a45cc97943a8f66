"""What can be wrong with a comparison."""

from __future__ import annotations


class ComparisonError(ValueError):
    """A comparison cannot be kept as asked: field, what is accepted, what was got."""

    def __init__(self, field: str, accepted: str, got: str) -> None:
        """Name the field, what it accepts and what was got."""
        super().__init__(f"{field}: takes {accepted}. Got {got}.")
        self.field = field
