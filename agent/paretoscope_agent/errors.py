"""Errors of the agent, in words for the person who runs it."""

from __future__ import annotations


class AgentError(Exception):
    """The base class of all errors of the agent; the message states the remedy."""


class LoadedError(AgentError):
    """Other programs use too much of the machine for a measurement to mean anything.

    Attributes:
        busy_cores: cores that others were using.
        most_cores: largest accepted number of cores.
    """

    def __init__(self, busy_cores: float, most_cores: float, cores: int) -> None:
        self.busy_cores, self.most_cores = busy_cores, most_cores
        super().__init__(
            f"This machine is too loaded to measure: other programs use {busy_cores:.2f} of {cores} cores, at most "
            f"{most_cores:g} is accepted (--accept-load). Stop them, or try again later."
        )


class SignatureError(AgentError):
    """The message was not signed by the site that this agent registered with: it is not run."""


class MeasurementError(AgentError):
    """A network could not be measured: an operator that the runtime lacks, or more memory or time than is allowed."""


class SiteError(AgentError):
    """The site refused a request, or did not answer.

    Attributes:
        status: status of the answer; 0 where there was none.
    """

    def __init__(self, status: int, message: str) -> None:
        self.status = status
        super().__init__(message)
