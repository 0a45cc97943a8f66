"""Errors of workload documents."""

from __future__ import annotations

from typing import Any

from engines.contract.errors import ProblemError
from hardware.errors import clipped, words_of_others


class WorkloadError(ProblemError):
    """A network or scenario document cannot be used.

    Attributes:
        key: dotted path of what is wrong ("models.2.batch"); also `field`.
        got: the value found; None where the key is missing.
        accepted: words that say what is accepted.
        file, line: where the document was read from, where that is known.
    """

    def __init__(self, key: str, got: Any, accepted: str, file: str = "", line: int | None = None) -> None:
        super().__init__(key, got, accepted)
        self.key, self.file, self.line = key, file, line

    def __str__(self) -> str:
        """Place, key, what is accepted and what was found."""
        place = f"{self.file}, line {self.line}: " if self.line else f"{self.file}: " if self.file else ""
        also = words_of_others(self.others)
        if self.got is None:
            return f"{place}{self.key} is missing; it must be {self.accepted}.{also}"
        return f"{place}{self.key} must be {self.accepted}. Got {clipped(self.got)} instead.{also}"
