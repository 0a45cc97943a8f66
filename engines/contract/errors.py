"""Errors of the engines. Every one carries its facts as data, so that a form, the CLI and the API can each show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from hardware.errors import MOST_LETTERS, clipped, words_of_others


class EngineError(Exception):
    """Base of all errors that engines and their inputs raise on purpose."""


class ProblemError(EngineError):
    """An input or parameter of a problem cannot be used.

    Attributes:
        field: dotted path of what is wrong ("params.n_splits", "hardware.package.columns", "workload").
        got: the value found.
        accepted: words that say what is accepted.
        line: where it stands in the text that was handed in, from 1 on; None where that is not known.
        others: (field, value found, values accepted) of everything else that is wrong, where a document was looked through whole.
        other_lines: line of each of `others`, None where it is not known; empty where none is.
        remedies: (dotted path, value) pairs; each alone may mend it. A form that tried one offers it by a button.
    """

    remedies: tuple[tuple[str, Any], ...] = ()

    others: tuple[tuple[str, Any, str], ...] = ()

    other_lines: tuple[int | None, ...] = ()

    def __init__(self, field: str, got: Any, accepted: str, line: int | None = None) -> None:
        field = field if len(field) <= MOST_LETTERS else f"{field[:MOST_LETTERS]}…"  # a key of a body may be all of it
        self.field, self.got, self.accepted, self.line = field, got, accepted, line
        place = f"line {line}, {field}" if line else field
        super().__init__(f"{place}: must be {accepted}. Got {clipped(got)} instead.")

    def __str__(self) -> str:
        return super().__str__() + words_of_others(self.others, self.other_lines)

    def with_others(self, others: Sequence[tuple[str, Any, str]], lines: Sequence[int | None] = ()) -> Self:
        """Return the same, telling of everything else that is wrong as well, and in which lines where they are known."""
        self.others, self.other_lines = tuple(others), tuple(lines)
        return self

    def __reduce__(self) -> tuple[type[ProblemError], tuple[str, Any, str, int | None], dict[str, Any]]:
        """Return how workers of a process pool send it back; the message alone would not do."""
        return (
            type(self),
            (self.field, self.got, self.accepted, self.line),
            {"remedies": self.remedies, "others": self.others, "other_lines": self.other_lines},
        )


class UnknownEngineError(EngineError):
    """No engine has that name; the message lists those that exist."""


class CheckpointError(EngineError):
    """A checkpoint belongs to another engine, version or problem and cannot be continued."""


class DecisionError(ProblemError):
    """A nested decision does not describe a design of this problem."""


class BusyError(ProblemError):
    """Others are at work on what takes long, or one asks for more at once than one's share. Nothing is wrong with the question.

    Attributes:
        retry_after_s: when it is worth asking again.
    """

    def __init__(self, field: str = "site", retry_after_s: int = 5) -> None:
        super().__init__(field, "a busy server", f"asked again in {retry_after_s} s")
        self.retry_after_s = retry_after_s
        words = "The site serves others at the moment and did not begin this request. It takes the same request again later."
        self.args = (f"{words} Please try again in {retry_after_s} s.",)

    def __reduce__(self) -> tuple[type[BusyError], tuple[str, int], dict[str, Any]]:  # type: ignore[override]
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
