"""The context of a run that has no keeper: notebooks, tests, evaluation and explanation in process."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engines.contract.engine import Context, Executor, FileStore, LogLevel, Problem
from engines.contract.numeric.random_streams import random_stream
from engines.contract.progress.measurements import Measurements, NoMeasurements
from engines.running.executor import InPlaceExecutor
from engines.running.files import MemoryFileStore


def _never() -> bool:
    return False


def _discard(message: str, level: LogLevel) -> None:
    """Ignore the report."""


class LocalContext:
    """The context of a running engine (randomness, executor, files), built from local parts.

    Args:
        problem: its seed keys the random streams.
        executor: executor of the batches; in place by default.
        files: store of the files; memory by default.
        stop: tells whether a stop was asked for; never by default.
        device: "cpu" or a torch device name.
        log: takes (message, level); discarded by default.
        measurements: measures designs while the run searches; nothing by default.
    """

    def __init__(
        self,
        problem: Problem,
        executor: Executor | None = None,
        files: FileStore | None = None,
        stop: Callable[[], bool] = _never,
        device: str = "cpu",
        log: Callable[[str, LogLevel], None] = _discard,
        measurements: Measurements | None = None,
    ) -> None:
        self.executor: Executor = executor or InPlaceExecutor()
        self.files: FileStore = files or MemoryFileStore()
        self.device = device
        self.measurements: Measurements = measurements or NoMeasurements()
        self._seed = problem.seed
        self._stop = stop
        self._log = log

    def random(self, *names: str | int) -> np.random.Generator:
        """Return the stream of the problem's seed and `names`; see `engines.contract.numeric.random_streams`."""
        return random_stream(self._seed, *names)

    def stop_requested(self) -> bool:
        """Return whether a stop was asked for."""
        return self._stop()

    def log(self, message: str, level: LogLevel = "info") -> None:
        """Write one line to the run's log."""
        self._log(message, level)


class StoppableContext:
    """A context that wants a stop also when `stop` says so; all else is that of `context`."""

    def __init__(self, context: Context, stop: Callable[[], bool]) -> None:
        self.executor = context.executor
        self.files = context.files
        self.device = context.device
        self.measurements = context.measurements
        self._context = context
        self._stop = stop

    def random(self, *names: str | int) -> np.random.Generator:
        """Return random numbers of the context."""
        return self._context.random(*names)

    def stop_requested(self) -> bool:
        """Return whether a stop was asked for, by people or by `stop`."""
        return self._context.stop_requested() or self._stop()

    def log(self, message: str, level: LogLevel = "info") -> None:
        """Log a message to the context."""
        self._context.log(message, level)
