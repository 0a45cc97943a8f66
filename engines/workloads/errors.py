"""Errors of workload documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.contract.errors import ProblemError
from hardware.errors import Remedy, document_words, words_of_others


class WorkloadError(ProblemError):
    """A network or scenario document cannot be used.

    Attributes:
        key: dotted path of what is wrong ("models.2.batch"); also `field`.
        got: the value found; None where the key is missing.
        accepted: accepted values; completes "must be ...".
        file, line: file and line of the document, if known.
    """

    def __init__(
        self,
        key: str,
        got: Any,
        accepted: str,
        file: str = "",
        line: int | None = None,
        *,
        reason: str = "",
        remedies: Sequence[str | Remedy] = (),
    ) -> None:
        super().__init__(key, got, accepted, line, reason=reason, remedies=remedies)
        self.key, self.file = key, file

    def __str__(self) -> str:
        """Return place, key, accepted values and the value found."""
        place = f"{self.file}, line {self.line}: " if self.line else f"{self.file}: " if self.file else ""
        words = document_words(self.key, self.got, self.accepted, self.reason, self.remedies)
        return f"{place}{words}{words_of_others(self.others)}"
