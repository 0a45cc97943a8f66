"""Errors of the engines. Every one carries its facts as data, so that a form, the CLI and the API can each show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from hardware.errors import MOST_LETTERS, Remedy, clipped, explained, remedies_of, words_of_others

if TYPE_CHECKING:
    from hardware.errors import HardwareError


class EngineError(Exception):
    """Base of all errors that engines and their inputs raise on purpose.

    Attributes:
        code: represents the kind of error in answers to programs (`webapp/base/error_codes.py`).
    """

    code = "engine-refused"


class ProblemError(EngineError):
    """An input or parameter of a problem cannot be used.

    Attributes:
        field: dotted path of what is wrong ("params.n_splits", "hardware.package.columns", "workload").
        got: the value found.
        accepted: accepted values; completes "must be ...".
        line: where it stands in the text that was handed in, from 1 on; None where that is not known.
        reason: a sentence that says why the value is refused, where `accepted` does not.
        remedies: ways to continue; each alone may be enough.
        others: (field, value found, values accepted) of everything else that is wrong, where a document was looked through whole.
        other_lines: line of each of `others`, None where it is not known; empty where none is.
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
        """Return the refusal of another reader, at a field and line of this document."""
        advice: dict[str, Any] = {"reason": error.reason, "remedies": error.remedies}
        return cls(field or error.field, error.got, error.accepted, line=line, **advice)

    def __str__(self) -> str:
        return explained(super().__str__(), "", self.remedies) + words_of_others(self.others, self.other_lines)

    def facts(self) -> dict[str, Any]:
        """Return the arguments that make the same error."""
        return {name: getattr(self, name) for name in ("field", "got", "accepted", "line", "reason", "remedies")}

    def explained(self, words: str) -> str:
        """Return a sentence about the value between its reason and the ways to continue."""
        return explained(words, self.reason, self.remedies)

    def with_others(self, others: Sequence[tuple[str, Any, str]], lines: Sequence[int | None] = ()) -> Self:
        """Return the same, telling of everything else that is wrong as well, and in which lines where they are known."""
        self.others, self.other_lines = tuple(others), tuple(lines)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how workers of a process pool send it back; the message alone would not do."""
        return type(self), (self.field, self.got, self.accepted), {**vars(self), "args": self.args}


class UnknownEngineError(EngineError):
    """An error for an unknown engine name; the message lists the engines that exist."""


class CheckpointError(EngineError):
    """A checkpoint belongs to another engine, version or problem and cannot be continued."""


class DecisionError(ProblemError):
    """A nested decision does not describe a design of this problem."""

    code = "invalid-decision"


class BusyError(ProblemError):
    """The machine is busy with long tasks, or one user asks for more at once than their share. Nothing is wrong with the question.

    Attributes:
        retry_after_s: when it is worth asking again.
    """

    code = "server-busy"

    def __init__(self, field: str = "site", retry_after_s: int = 5) -> None:
        super().__init__(field, "other requests", "a free place", remedies=[f"Try again in {retry_after_s} s."])
        self.retry_after_s = retry_after_s
        self.args = ("The server is busy and did not begin this request.",)

    def __reduce__(self) -> tuple[type[BusyError], tuple[str, int], dict[str, Any]]:
        """Return what pickling needs, as for the other errors."""
        return type(self), (self.field, self.retry_after_s), {}


class StopRequested(EngineError):
    """Raised inside an engine's helpers to leave deep loops once a stop was asked for; the driver turns it into "stopped".

    Raised without a stop that was asked for, it is a breach of the contract.
    """


class ContractError(EngineError):
    """An engine broke its own contract: falling fraction, missing columns, oversized results and the like."""


class RegistrationError(EngineError):
    """A class cannot be registered as an engine: wrong type, or its name is taken."""


class WorkerDiedError(EngineError):
    """A process of the executor ended in the middle of its work."""
