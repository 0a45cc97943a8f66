"""The context and the recorder of a running engine: its requests to the driver, and its reports of designs and results."""

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
    """An executor of independent work items, on several processes if that is faster."""

    def map(self, function: Callable[[Shared, Item], Out], shared: Shared, batch: Sequence[Item]) -> list[Out]:
        """Return `[function(shared, item) for item in batch]`, in this order; `function` must be importable by name."""
        ...


class FileStore(Protocol):
    """The files of a run, stored under the hash of their content."""

    def put(self, data: bytes) -> str:
        """Store `data`, at most `MAX_FILE_BYTES`; return its SHA-256 (hex)."""
        ...

    def get(self, key: str) -> bytes:
        """Return the content of `key`; raise KeyError if no file has this key."""
        ...

    def get_or_build(self, key: str, build: Callable[[], bytes]) -> bytes:
        """Return the content named `key` (at most `MAX_WORKING_NAME` characters), built and stored on first use."""
        ...


class Context(Protocol):
    """The services that the driver offers to a running engine.

    Attributes:
        executor: executor of independent work items.
        files: files of the run.
        device: torch device on which the run trains, such as "cpu".
        measurements: used by the driver between the steps of an engine with `measurable`; see `Recorder.corrected`.
    """

    executor: Executor
    files: FileStore
    device: str
    measurements: Measurements

    def random(self, *names: str | int) -> np.random.Generator:
        """Return a random stream keyed by the problem's seed and `names`.

        Streams are never stored, so results cannot depend on how the work is split.
        """
        ...

    def stop_requested(self) -> bool:
        """Return whether a stop was requested; the engine then ends its current work item and returns."""
        ...

    def log(self, message: str, level: LogLevel = "info") -> None:
        """Write one line to the run's log."""
        ...


class Recorder(Protocol):
    """The recorder of a run: it collects designs, makes the steps, and stores the state from which the next attempt continues.

    Attributes:
        context: the context of the run.
        state: `state` of the last step with a checkpoint, with tuples as lists; None at the start.
        designs: all designs added so far, also by earlier attempts.
        told: number of these designs, which is cheaper than `len(designs)`.
        evaluations: number of designs evaluated so far.
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
        """Count `count` more evaluations; return their numbers, shape `count`."""
        ...

    def sampled(self, number: int, count: int, total: float) -> BoolArray:
        """Return a mask of the designs to report although others dominate them, shape `count`: about 15,000 per run.

        Args:
            number: number of the batch, which selects the random stream.
            count: number of designs in the batch.
            total: number of evaluations of the whole run; up to 15,000 all designs are reported.
        """
        ...

    def add(self, designs: Designs, origin: Origin | Sequence[str] = "search", at: IntArray | None = None) -> None:
        """Add new designs, which the next step reports.

        Args:
            designs: the designs; this call sets their origin, limit slack and evaluation numbers.
            origin: one origin for all of them, or one for each.
            at: number of the evaluation that found each design, as `scored` returned it, shape `n`; 0 for designs without an
                evaluation. By default the designs are the next evaluations.
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
        """Return the next step: designs added since the last one, and as metrics `evaluations` and the best `progress_metrics`.

        Args:
            fraction: share of the work done, 0 to 1; it never falls below that of an earlier step.
            message: one line for the run page.
            results: small results.
            files: produced files.
            state: arrays and JSON values from which the run continues after this step; None makes no checkpoint.
        """
        ...

    def corrected(self, designs: Designs) -> FloatArray:
        """Return the measurable column of `designs`, corrected by the measurements of this run so far, shape `n`.

        Without measurements these are the predicted values. An engine with `measurable` ranks by them; stored columns stay
        predicted.
        """
        ...

    def slack(self, columns: Mapping[str, npt.ArrayLike]) -> FloatArray:
        """Return the smallest slack to the limits of the problem, shape as the columns; `add` stores the same values.

        Intended for a search that ranks designs before it adds them.
        """
        ...

    def unmet(self, designs: Designs | None = None) -> Infeasibility | None:
        """Return the infeasibility of the design with the smallest violation; None if a design meets all limits.

        Args:
            designs: designs to check; by default all designs of the search that were added so far.
        """
        ...

    def infeasible(self, found: Infeasibility, message: str = "") -> Step:
        """Return the last step of a run that is infeasible by `found`; without `message` it states `found` in words."""
        ...
