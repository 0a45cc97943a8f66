"""A limit is reached, with its facts as data."""

from __future__ import annotations

from typing import Any

from engines.contract.errors import ProblemError


class LimitReachedError(ProblemError):
    """More is asked for than is left of what an administrator allows. Nothing is wrong with the problem itself.

    Attributes:
        limit: total amount.
        used: usage of the limit.
        left: remaining amount, at least 0.
    """

    code = "limit-reached"

    def __init__(self, field: str, got: Any, accepted: str, words: str, limit: float, used: float) -> None:
        """Keep the facts; `words` is the message, whole."""
        super().__init__(field, got, accepted)
        self.words, self.limit, self.used, self.left = words, limit, used, max(0.0, limit - used)
        self.args = (words,)

    def __reduce__(self) -> tuple[type[LimitReachedError], tuple[Any, ...], dict[str, Any]]:
        """Return the constructor arguments and attributes for pickling."""
        return type(self), (self.field, self.got, self.accepted, self.words, self.limit, self.used), {}
