"""The context of a running engine: requests to its driver, and the reports of its results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt
from typing_extensions import TypeVar

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.designs import Designs, Origin
from engines.contract.progress.measurements import Measurements
from engines.contract.progress.step import File, Infeasibility, Step
from engines.contract.results import Result

MAX_WORKING_NAME = 150  # characters: `FileStore.get_or_build`
# "waiting": what the run needs is away; the pages say so until the next line.
LogLevel = Literal["debug", "info", "warning", "waiting"]
Item = TypeVar("Item")
Shared = TypeVar("Shared")
Out = TypeVar("Out")


class Executor(Protocol):
    """Runs independent pieces of work, in order, on processes where that pays."""

    def map(self, function: Callable[[Shared, Item], Out], shared: Shared, batch: Sequence[Item]) -> list[Out]:
        """Return `[function(shared, item) for item in batch]`; the order is kept; `function` is importable by name."""
        ...


class FileStore(Protocol):
    """Content-addressed files of a run."""

    def put(self, data: bytes) -> str:
        """Store `data`, at most `MAX_FILE_BYTES`; return its SHA-256 (hex)."""
        ...

    def get(self, key: str) -> bytes:
        """Return the content of `key`. Raises KeyError if there is none."""
        ...

    def get_or_build(self, key: str, build: Callable[[], bytes]) -> bytes:
        """Return the content stored under the name `key` (at most `MAX_WORKING_NAME` characters), built and kept on first use."""
        ...


class Context(Protocol):
    """The requests that a running engine may make to its driver.

    `measurements` are asked by what drives the run, between the steps of an engine that is `measurable`; see `Recorder.corrected`.
    """

    executor: Executor
    files: FileStore
    device: str
    measurements: Measurements

    def random(self, *names: str | int) -> np.random.Generator:
        """Return a random stream keyed by the problem's seed and `names`.

        Never stored, so results cannot depend on how work is split.
        """
        ...

    def stop_requested(self) -> bool:
        """Return whether a stop was asked for; an engine then ends its current piece of work and returns."""
        ...

    def log(self, message: str, level: LogLevel = "info") -> None:
        """Write one line to the run's log."""
        ...


class Recorder(Protocol):
    """The recorder of a run: it makes the steps, and keeps what the next attempt needs to continue exactly there.

    Attributes:
        context: the surroundings of the run.
        state: what the last step with a checkpoint was given, tuples as lists; None at the start.
        designs: all that were added so far, by earlier attempts too.
        told: how many those are, without joining them.
        evaluations: how many designs were scored so far.
    """

    context: Context
    state: Mapping[str, Any] | None
    evaluations: int

    @property
    def designs(self) -> Designs:  # noqa: D102
        ...

    @property
    def told(self) -> int:  # noqa: D102
        ...

    def scored(self, count: int) -> IntArray:
        """Count `count` more evaluations; their numbers, shape `count`."""
        ...

    def sampled(self, number: int, count: int, total: float) -> BoolArray:
        """Return which of `count` designs are told though others are better, shape `count`: about 15,000 of a whole run.

        Args:
            number: number of the batch, which keys the draw.
            count: how many designs the batch has.
            total: how many the run may score in all; up to 15,000 every one is told.
        """
        ...

    def add(self, designs: Designs, origin: Origin | Sequence[str] = "search", at: IntArray | None = None) -> None:
        """Take in new designs, which the next step reports; `at`, shape `n`, are the numbers of their evaluations.

        Args:
            designs: origin and numbers of evaluation are set here.
            origin: origin of all of them, or of each.
            at: of every design the number of the evaluation that found it, as `scored` gave it, 0 for none; by default the designs
                are the next evaluations.
        """
        ...

    def step(
        self,
        fraction: float,
        message: str,
        results: Sequence[Result] = (),
        files: Sequence[File] = (),
        state: Mapping[str, Any] | None = None,
    ) -> Step:
        """Return the next step with what was added since the last; its metrics are `evaluations` and the best `progress_metrics`.

        Args:
            fraction: share of the work done; what is less than an earlier one counts as that.
            message: one line for people.
            results: small results.
            files: produced files.
            state: arrays and JSON values from which the run continues after this step; None makes no checkpoint.
        """
        ...

    def corrected(self, designs: Designs) -> FloatArray:
        """Return the measured column of designs, new ones too, corrected by the measurements of this run so far, shape `n`.

        As predicted where nothing was measured. For an engine that is `measurable`, to rank by; the columns of designs stay as
        predicted.
        """
        ...

    def slack(self, columns: Mapping[str, npt.ArrayLike]) -> FloatArray:
        """Return the least slack to the limits of the problem, of the shape of the columns: what `add` puts next to them.

        For a search that ranks designs before it adds them.
        """
        ...

    def unmet(self, designs: Designs | None = None) -> Infeasibility | None:
        """Return the limit that every design violates, from the design that comes nearest; None if a design meets all limits.

        Args:
            designs: those to look at; by default all of the search that were added so far.
        """
        ...

    def infeasible(self, found: Infeasibility, message: str = "") -> Step:
        """Return the last step of a run whose limits cannot be met; without a message its words are those of `found`."""
        ...
