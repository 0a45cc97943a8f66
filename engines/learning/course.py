"""One training: epoch after epoch, batch after batch, stopped between any two of them and continued as if it had not been.

What is learnt is a `Learner`. Orders and draws come from streams keyed by the number of the epoch, so that state, epoch and batch
are all that it takes to continue. A run's steps come from `Course.steps`: one with the curves for each epoch, and in long epochs
one that only keeps a checkpoint, by the clock: on a loaded machine too a kill loses less than a minute.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np

from engines.contract.engine import FileStore, Recorder, Step
from engines.contract.results import Result

CHECKPOINT_S = 20.0  # between two checkpoints within an epoch
Ending = Literal["epoch", "pause", "stopped"]


class Learner(Protocol):
    """A learner that is trained. `engines.learning.torch_learner.TorchLearner` is most of one."""

    @property
    def epochs(self) -> int:
        """Return the number of epochs of the whole training."""
        ...

    def enter(self, epoch: int) -> None:
        """Make ready for an epoch, from 0 on: its optimiser, what is frozen. Called before its first batch."""
        ...

    def batches(self, epoch: int) -> Sequence[Any]:
        """Return the batches of an epoch, which its number alone decides."""
        ...

    def learn(self, batch: Any, epoch: int, share: float) -> float:
        """Return one batch, when that share of the epoch is done; its loss."""
        ...

    def measure(self) -> Mapping[str, float]:
        """Return name -> value measured after an epoch, with the same names each time; may be empty."""
        ...

    def state(self) -> bytes:
        """Return the weights and what the optimiser keeps."""
        ...

    def restore(self, state: bytes, epoch: int) -> None:
        """Go on from a state within an epoch or at its beginning; raises CheckpointError for a state of something else."""
        ...


@dataclass(frozen=True)
class Patience:
    """Early stopping: the training ends where a measurement was not better for so many epochs, with the best weights.

    Attributes:
        measured: name of what `Learner.measure` gives.
        epochs: without a better one, from 1 on.
        sense: sense of the measurement.
    """

    measured: str
    epochs: int
    sense: Literal["minimise", "maximise"] = "maximise"

    def best(self, values: Sequence[float]) -> int:
        """Return epoch, from 0 on, of the best value; the first of equal ones."""
        found = np.asarray(values, dtype=np.float64)
        return int(np.argmax(found) if self.sense == "maximise" else np.argmin(found))


def never() -> bool:
    """Return False: no stop is requested."""
    return False


class Course:
    """A training under way.

    Args:
        learner: learner to train.
        patience: when to end early; None: never.

    Attributes:
        epoch: epochs that were made.
        losses: mean loss of each of them.
        measured: name -> one value per epoch.
    """

    def __init__(self, learner: Learner, patience: Patience | None = None) -> None:
        self.learner, self.epoch = learner, 0
        self.losses: list[float] = []
        self.measured: dict[str, list[float]] = {}
        self._patience = patience
        self._batch_losses: list[float] = []  # of the epoch under way
        self._best_state = b""

    @property
    def done(self) -> bool:
        """Whether all epochs were made, or patience is at its end."""
        return self.epoch >= self.learner.epochs or self._impatient

    @property
    def share(self) -> float:
        """Return the share of the training that is done, from 0 to 1; 1 where it ended early."""
        return 1.0 if self.done else self.epoch / self.learner.epochs

    @property
    def words(self) -> str:
        """Return the progress of training, such as "Epoch 3 of 30: loss 0.412"."""
        last = f": loss {self.losses[-1]:.3f}" if self.losses else ""
        return f"Epoch {self.epoch} of {self.learner.epochs}{last}"

    def advance(self, stopped: Callable[[], bool] = never, pause_s: float = math.inf) -> Ending:
        """Train to the end of the epoch, or until a person asks for a stop, or until `pause_s` seconds have passed.

        Between two batches nothing is lost: call it again, or keep `state` and continue from there.
        """
        if stopped():
            return "stopped"
        begun, batches = time.monotonic(), self.learner.batches(self.epoch)
        if not self._batch_losses:
            self.learner.enter(self.epoch)
        while len(self._batch_losses) < len(batches):
            at = len(self._batch_losses)
            self._batch_losses.append(self.learner.learn(batches[at], self.epoch, at / len(batches)))
            if at + 1 < len(batches):
                if stopped():
                    return "stopped"
                if time.monotonic() - begun > pause_s:
                    return "pause"
        self._close_epoch()
        return "epoch"

    def finish(self, stopped: Callable[[], bool] = never) -> bool:
        """Return all that is left, without reports; whether the training is done: False where a stop was asked for."""
        while not self.done:
            if self.advance(stopped) == "stopped":
                return False
        return True

    def state(self, files: FileStore) -> dict[str, Any]:
        """Return the course for a checkpoint; weights are files."""
        kept: dict[str, Any] = {
            "epoch": self.epoch,
            "losses": np.array(self.losses, dtype=np.float64),
            "state": files.put(self.learner.state()),
            "batch_losses": np.array(self._batch_losses, dtype=np.float64),
            "measured": {name: [float(each) for each in values] for name, values in self.measured.items()},
        }
        return {**kept, "best": files.put(self._best_state)} if self._best_state else kept

    def restore(self, state: Mapping[str, Any], files: FileStore) -> None:
        """Go on from what `state` gave.

        Raises:
            CheckpointError: it is of another learner.
        """
        self.epoch, self.losses = int(state["epoch"]), np.asarray(state["losses"]).tolist()
        self._batch_losses = np.asarray(state.get("batch_losses", [])).tolist()
        self.measured = {name: list(values) for name, values in state.get("measured", {}).items()}
        self._best_state = files.get(state["best"]) if "best" in state else b""
        self.learner.restore(files.get(state["state"]), self.epoch)

    def steps(
        self,
        record: Recorder,
        tell: Callable[[], tuple[float, str, Sequence[Result]]],
        also: Callable[[], Mapping[str, Any]] = dict,
        least_s: float = 0.0,
    ) -> Iterator[Step]:
        """Yield the steps of a run until the training is done or a stop is asked for; look at `done` then.

        Args:
            record: record of the run; a stop is its context's.
            tell: share of the run, words and curves (role "progress", one name) after an epoch.
            also: state that checkpoints store next to the training.
            least_s: between two steps, where epochs are many and short; what a whole training says is then the caller's to tell.
        """
        told = time.monotonic()
        files, stopped = record.context.files, record.context.stop_requested
        while not self.done:
            before = self.epoch, len(self._batch_losses)
            ending = self.advance(stopped, CHECKPOINT_S)
            if ending == "stopped" and not least_s and (self.epoch, len(self._batch_losses)) == before:
                return  # the last step has kept all of it
            if ending == "epoch" and time.monotonic() - told < least_s:
                continue
            told = time.monotonic()
            share, words, results = tell()
            yield record.step(share, words, results if ending == "epoch" else (), state={**also(), **self.state(files)})
            if ending == "stopped":
                return

    @property
    def _impatient(self) -> bool:
        if self._patience is None or not self.losses:
            return False
        values = self.measured[self._patience.measured]
        return len(values) - 1 - self._patience.best(values) >= self._patience.epochs

    def _close_epoch(self) -> None:
        self.losses.append(float(np.mean(self._batch_losses)))
        self._batch_losses = []
        self.epoch += 1
        for name, value in self.learner.measure().items():
            self.measured.setdefault(name, []).append(float(value))
        if self._patience is not None:
            values = self.measured[self._patience.measured]
            if self._patience.best(values) == len(values) - 1:
                self._best_state = self.learner.state()
            if self.done:
                self.learner.restore(self._best_state, self.epoch)
