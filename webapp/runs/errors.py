"""Errors of the run life cycle, each with its facts as data."""

from __future__ import annotations


class RunError(Exception):
    """Base of all errors raised on purpose around runs."""


class FencedOutError(RunError):
    """An error for a supervisor whose run was taken over or ended: it must stop writing and kill its child process."""

    code = "wrong-run-state"

    def __init__(self, run_id: int, attempt: int) -> None:
        """Name the run and the attempt that lost its lease."""
        self.run_id, self.attempt = run_id, attempt
        super().__init__(f"Attempt {attempt} of run {run_id} no longer holds the run.")


class OtherVersionError(RunError):
    """A worker whose results could differ from those of the site's own workers."""

    code = "other-version"

    def __init__(self, release: str, python: str, own_release: str, own_python: str) -> None:
        """Name the versions of the worker and of the site."""
        own = f"Paretoscope {own_release} on Python {own_python}"
        super().__init__(
            f"The code of this worker (Paretoscope {release}, Python {python}) differs from the site's: install {own}, "
            "with the same numpy."
        )


class RunStateError(RunError):
    """An error for a request that the status of the run does not allow.

    Attributes:
        status: status of the run. accepted: statuses in which the action is possible.
    """

    code = "wrong-run-state"

    def __init__(self, asked: str, status: str, accepted: tuple[str, ...]) -> None:
        """Build the message from the request, the status and the accepted statuses."""
        self.asked, self.status, self.accepted = asked, status, accepted
        super().__init__(f"To {asked} a run it must be {' or '.join(accepted)}. This one is {status}.")


class ChangedProblemError(RunError):
    """The problem to start differs from the one that was shown: a document, a parameter or the engine has changed in between."""

    def __init__(self) -> None:
        """Build the message: what happened, and that no run was started."""
        super().__init__("The page changed in the meantime, so nothing was started.")


class ImportEndedError(RunError):
    """The run that is being imported is there no more: it was deleted, or stood still for so long that it was given up."""

    def __init__(self) -> None:
        """Make the error with its fixed message."""
        super().__init__("The run was deleted while it was imported.")
