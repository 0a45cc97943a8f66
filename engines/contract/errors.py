"""Errors of the engines. Each one carries its facts as attributes, which forms, command line and API show in their own way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from hardware.errors import MOST_LETTERS, Remedy, clipped, explained, remedies_of, words_of_others

if TYPE_CHECKING:
    from hardware.errors import HardwareError


class EngineError(Exception):
    """Base of all errors that engines and their inputs raise on purpose.

    Attributes:
        code: stable name of the kind of error in API responses (`webapp/base/error_codes.py`).
    """

    code = "engine-refused"


class ProblemError(EngineError):
    """An error for an input or parameter that cannot be used.

    Attributes:
        field: dotted path of the invalid field ("params.n_splits", "hardware.package.columns", "workload").
        got: the refused value.
        accepted: the accepted values; completes "must be ...".
        line: line of the field in the submitted text, from 1 on; None if unknown.
        reason: sentence with the cause, if `accepted` does not make it clear.
        remedies: ways to continue; each alone may be enough.
        others: (field, value found, accepted values) of further invalid fields, if the whole document was checked.
        other_lines: line of each of `others`, None for an unknown one; empty if all are unknown.
    """

    code = "invalid-value"

    others: tuple[tuple[str, Any, str], ...] = ()

    other_lines: tuple[int | None, ...] = ()

    def __init__(
        self,
        field: str,
        got: Any,
        accepted: str,
        line: int | None = None,
        *,
        reason: str = "",
        remedies: Sequence[str | Remedy] = (),
    ) -> None:
        field = field if len(field) <= MOST_LETTERS else f"{field[:MOST_LETTERS]}…"  # a key of a body may be all of it
        self.field, self.got, self.accepted, self.line = field, got, accepted, line
        self.reason, self.remedies = reason, remedies_of(remedies)
        place = f"line {line}, {field}" if line else field
        words = f"{'Must' if reason else 'must'} be {accepted}. Got {clipped(got)} instead."
        super().__init__(f"{place}: {explained(words, reason)}")

    @classmethod
    def of(cls, error: ProblemError | HardwareError, field: str = "", line: int | None = None) -> Self:
        """Return `error`, raised by another reader, with the field and line of this document."""
        advice: dict[str, Any] = {"reason": error.reason, "remedies": error.remedies}
        return cls(field or error.field, error.got, error.accepted, line=line, **advice)

    def __str__(self) -> str:
        return explained(super().__str__(), "", self.remedies) + words_of_others(self.others, self.other_lines)

    def facts(self) -> dict[str, Any]:
        """Return the attributes as keyword arguments that construct an equal error."""
        return {name: getattr(self, name) for name in ("field", "got", "accepted", "line", "reason", "remedies")}

    def explained(self, words: str) -> str:
        """Return the message: the sentence `words` about the value, between the reason and the remedies."""
        return explained(words, self.reason, self.remedies)

    def with_others(self, others: Sequence[tuple[str, Any, str]], lines: Sequence[int | None] = ()) -> Self:
        """Add further invalid fields, with their lines if known, and return this error."""
        self.others, self.other_lines = tuple(others), tuple(lines)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what pickling needs to send the error back from a process pool; the message alone loses the attributes."""
        return type(self), (self.field, self.got, self.accepted), {**vars(self), "args": self.args}


class UnknownEngineError(EngineError):
    """An error for an unknown engine name; the message lists the engines that exist."""


class CheckpointError(EngineError):
    """An error for a checkpoint of another engine, version or problem, from which a run cannot continue."""


class DecisionError(ProblemError):
    """An error for a decision that does not describe a design of this problem."""

    code = "invalid-decision"


class BusyError(ProblemError):
    """An error for a busy site: long tasks occupy the machine, or a user exceeds their share of simultaneous requests.

    Attributes:
        retry_after_s: seconds until a repeated request is likely to succeed.
    """

    code = "server-busy"

    def __init__(self, field: str = "site", retry_after_s: int = 5) -> None:
        super().__init__(field, "other requests", "a free place", remedies=[f"Try again in {retry_after_s} s."])
        self.retry_after_s = retry_after_s
        self.args = ("The server is busy and did not begin this request.",)

    def __reduce__(self) -> tuple[type[BusyError], tuple[str, int], dict[str, Any]]:
        """Return the constructor arguments and attributes for pickling."""
        return type(self), (self.field, self.retry_after_s), {}


class StopRequested(EngineError):
    """An exception with which an engine leaves nested loops after a stop was requested; the driver ends the run as stopped.

    Raising it without a requested stop breaches the contract.
    """


class ContractError(EngineError):
    """An error for an engine that breaches the contract: falling fraction, missing columns, oversized results and the like."""


class RegistrationError(EngineError):
    """An error for a class that cannot be registered as an engine: it has the wrong type, or its name is taken."""


class WorkerDiedError(EngineError):
    """An error for a process of the executor that ended during its work."""
