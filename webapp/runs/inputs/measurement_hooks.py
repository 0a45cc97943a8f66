"""Hooks that measure designs of runs while these search: installed by the application of devices, which knows of runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from engines.contract.engine import Engine
from engines.contract.errors import ProblemError
from engines.running.runner.protocol import MeasureBudget, MeasuredDesign
from webapp.runs.models import Run
from webapp.teams.visibility import Principal

FIELD = "measure"


class Measurer(Protocol):
    """Has designs of one attempt of a run measured. Of a keeper's own thread alone.

    Attributes:
        budget: what the run's process is told.
    """

    budget: MeasureBudget

    def goes_on(self, design_count: int) -> None:
        """Continue an attempt with the first so many designs of the one before: their measurements stay valid."""
        ...

    def ask(self, content: bytes) -> None:
        """Queue what a `Measure` frame asks for. What cannot be queued is answered with why."""
        ...

    def answers(self) -> Sequence[MeasuredDesign]:
        """Return the answers since the last call; it queries at most twice per second."""
        ...

    @property
    def waits(self) -> bool:
        """Whether the run waits for answers, so that its silence is no sign of a process that hangs."""
        ...


class Measuring(Protocol):
    """Measurements of runs, as an application gives them."""

    def read(self, principal: Principal, engine: Engine, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the checked request of a problem document, as stored with the run; {} for none.

        Raises:
            ProblemError: names the field, what was got and what is accepted.
        """
        ...

    def measurer(self, run: Run) -> Measurer:
        """Return the measurer of a run whose `measure` asks for one."""
        ...


_installed: list[Measuring] = []


def install(measuring: Measuring) -> None:
    """Set the hook from now on; called once, when applications are ready."""
    _installed[:] = [measuring]


def read_measure(principal: Principal, engine: Engine, given: Any) -> dict[str, Any]:
    """Return the checked value of the key `measure` of a problem document; {} if it is missing.

    Raises:
        ProblemError: it asks for what cannot be, or `principal` may not measure there; names the field.
    """
    if given is None or given == {}:
        return {}
    if not isinstance(given, Mapping):
        raise ProblemError(FIELD, given, "a mapping with device, designs, and perhaps threads and wait_minutes")
    return _installed[0].read(principal, engine, given)


def measurer_of(run: Run) -> Measurer | None:
    """Return the measurer of a run's designs; None if measurement was not requested."""
    return _installed[0].measurer(run) if run.measure else None
