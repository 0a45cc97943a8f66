"""The run of a training: steps, curves, checkpoints, measured subnets, files. Imported only where torch is needed."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engines.contract.designs import Designs
from engines.contract.engine import DOCUMENT_MEDIA_TYPE, Context, File, Problem, Recorder, Step
from engines.contract.integer_format import counted, many
from engines.contract.results import Note
from engines.data.data_set import DataSet
from engines.data.documents import DEFAULT, ImageData, builtin_data_sets
from engines.data.torch_images import pinned
from engines.learning.course import CHECKPOINT_S
from engines.methods.magnas.supernet.curves import Curves
from engines.methods.magnas.supernet.params import TrainSupernetParams
from engines.methods.magnas.supernet.planning import pace_of, size_of
from engines.methods.magnas.supernet.training import ROLES, Trainer
from engines.supernets.measuring import load_supernet, measured_accuracy
from engines.supernets.space import Architecture, SupernetSpace
from engines.supernets.weights_document import DOCUMENT_FILE, WEIGHTS_FILE, weights_document
from engines.supernets.workload import label_of

_WEIGHTS = "trained-weights"  # name of the working file
_TRAINING_SHARE = 0.9
_MEASURED_PER_STEP = 8
_LIVE_EXAMPLES = 500
_LIVE_RANDOM = 2


def run_training(
    problem: Problem[TrainSupernetParams], space: SupernetSpace, data: ImageData, record: Recorder
) -> Iterator[Step]:
    """Yield all steps of a run; see `TrainSupernetEngine.run`."""
    with pinned(record.context.device):
        run = _Run(problem, space, data, record)
        yield from run.train()
        if not record.context.stop_requested() and run.trainer.step == run.trainer.steps:
            yield from run.measure()


def measured_again(
    problem: Problem[TrainSupernetParams],
    space: SupernetSpace,
    data: ImageData,
    context: Context,
    architectures: Sequence[Architecture],
) -> Designs:
    """Return the designs of subnets, of the weights that the run kept or that training gives again."""
    with pinned(context.device):
        trainer = Trainer(space, data.read(context.files), problem.params, context.random, context.device)
        weights = context.files.get_or_build(_WEIGHTS, lambda: _trained_weights(trainer))
        return _designs(trainer, weights, architectures, context.device)


def _trained_weights(trainer: Trainer) -> bytes:
    """Return the weights after the whole training, without reports."""
    while trainer.step < trainer.steps:
        trainer.train_step()
    return trainer.weights()


def _designs(trainer: Trainer, weights: bytes, architectures: Sequence[Architecture], device: str) -> Designs:
    """Return the subnets with these weights, measured on both held-out splits."""
    space, data = trainer.space, trainer.data
    supernet = load_supernet(space, weights, device)
    most = trainer.params.held_out_examples
    measured = [
        [
            measured_accuracy(supernet, trainer.images, data, trainer.training_rows, each, split, most)
            for split in (data.validation, data.test)
        ]
        for each in architectures
    ]
    sizes = [size_of(space, each) for each in architectures]
    columns = {
        "accuracy_percent": [first for first, _ in measured],
        "macs": [macs for macs, _ in sizes],
        "test_accuracy_percent": [second for _, second in measured],
        "weight_count": [held for _, held in sizes],
    }
    return Designs(
        {name: np.array(values, dtype=np.float64) for name, values in columns.items()},
        [{"architecture": space.encode(each)} for each in architectures],
        label=[label_of(each) for each in architectures],
    )


class _Run:
    def __init__(
        self, problem: Problem[TrainSupernetParams], space: SupernetSpace, data: ImageData, record: Recorder
    ) -> None:
        self._problem, self._space, self._said, self._record = problem, space, data, record
        self._context = record.context
        self._data: DataSet = data.read(record.context.files)
        self.trainer = Trainer(space, self._data, problem.params, record.context.random, record.context.device)
        self._pace = pace_of(space, data, problem.params)
        self._curves = Curves()
        self._sums = np.zeros((2, len(ROLES)))  # of losses and their numbers since the last report
        self._reports, self._kept_at = 0, time.monotonic()
        if record.state is not None:
            self._restore(record.state)

    # -- training -----------------------------------------------------------------------------------------------------

    def train(self) -> Iterator[Step]:
        """Yield the reports until the training is done or a stop is asked for."""
        trainer = self.trainer
        kept = True
        if not trainer.step:  # the first report may be many seconds away
            words = f"Training begins: {many(trainer.steps, 'step')} in {self._problem.params.epochs} epochs"
            yield self._record.step(0.0, words)
        while trainer.step < trainer.steps:
            if self._context.stop_requested():
                if not kept:
                    yield self._report(checkpoint=True, results=False)
                return
            loss = trainer.train_step()
            kept = False
            values = np.array([loss.largest, loss.smallest, loss.random])
            self._sums += np.where(np.isnan(values), 0.0, [values, np.ones(len(ROLES))])
            if time.monotonic() - self._kept_at > CHECKPOINT_S:  # on a loaded machine reports are far apart
                kept = True
                yield self._report(checkpoint=True, results=False)
            if trainer.step % self._pace.report_steps and trainer.step < trainer.steps:
                continue
            self._close_interval()
            self._reports += 1
            kept = self._reports % self._pace.checkpoint_reports == 0 or trainer.step == trainer.steps
            yield self._report(checkpoint=kept, results=True)

    def _close_interval(self) -> None:
        trainer, space = self.trainer, self._space
        with np.errstate(invalid="ignore"):
            losses = self._sums[0] / self._sums[1]
        self._sums = np.zeros_like(self._sums)
        shown = (space.largest(space.operators[0]), space.smallest(space.operators[0]), *self._live_random())
        most = min(_LIVE_EXAMPLES, self._problem.params.held_out_examples or _LIVE_EXAMPLES)
        accuracies = [trainer.accuracy(each, self._data.validation, most) for each in shown]
        by_role = (accuracies[0], accuracies[1], float(np.mean(accuracies[2:])))
        self._curves.add(trainer.step / trainer.steps_per_epoch, losses.tolist(), by_role)

    def _live_random(self) -> list[Architecture]:
        return [self._space.random(self._context.random("live", number)) for number in range(_LIVE_RANDOM)]

    def _report(self, *, checkpoint: bool, results: bool) -> Step:
        trainer = self.trainer
        done = trainer.step / trainer.steps
        words = f"Epoch {trainer.step / trainer.steps_per_epoch:.1f} of {self._problem.params.epochs}"
        words += self._curves.words()
        curves = self._curves.results(self._said.title) if results else ()
        return self._record.step(_TRAINING_SHARE * done, words, curves, (), self._state() if checkpoint else None)

    def _state(self) -> dict[str, Any]:
        """Return the state of a checkpoint; once subnets are measured it holds the weights alone."""
        self._kept_at = time.monotonic()
        state: dict[str, Any] = {
            "step": self.trainer.step,
            "reports": self._reports,
            "sums": self._sums,
            **self._curves.arrays(),
        }
        put = self._context.files.put
        if self._record.evaluations:
            return {**state, "weights": put(self.trainer.weights())}
        return {**state, "state": put(self.trainer.state())}

    def _restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a checkpoint."""
        self._reports, self._sums = state["reports"], state["sums"]
        self._curves = Curves.of(state)
        if "state" in state:
            self.trainer.restore(self._context.files.get(state["state"]), state["step"])
        else:
            weights = self._context.files.get(state["weights"])
            self.trainer.supernet = load_supernet(self._space, weights, self._context.device)
            self.trainer.step = state["step"]

    # -- measurement --------------------------------------------------------------------------------------------------

    def measure(self) -> Iterator[Step]:
        """Yield the accuracy of the largest and the smallest subnet of each operator and of random ones, then the files."""
        weights = self._context.files.get_or_build(_WEIGHTS, self.trainer.weights)
        subnets = self._subnets()
        while (done := self._record.evaluations) < len(subnets):
            if self._context.stop_requested():
                return
            now = subnets[done : done + _MEASURED_PER_STEP]
            self._record.add(_designs(self.trainer, weights, now, self._context.device))
            done += len(now)
            fraction = _TRAINING_SHARE + (0.99 - _TRAINING_SHARE) * done / len(subnets)
            words = f"{counted(done)} of {counted(len(subnets))} subnets measured"
            yield self._record.step(fraction, words, state=self._state())
        yield self._record.step(1.0, self._ending(), self._notes(), self._files(weights))

    def _subnets(self) -> list[Architecture]:
        space = self._space
        ends = [end(operator) for operator in space.operators for end in (space.largest, space.smallest)]
        count = self._problem.params.measured_subnets
        return ends + [space.random(self._context.random("measured", number)) for number in range(count)]

    def _ending(self) -> str:
        best = self._record.designs.columns["accuracy_percent"].max()
        return f"Best of {self._record.evaluations} subnets: {best:.1f} % on validation"

    def _accuracy(self) -> dict[str, Any]:
        columns = self._record.designs.columns
        validation, test = columns["accuracy_percent"], columns["test_accuracy_percent"]
        best = int(validation.argmax())
        return {
            "subnets": len(validation),
            "best_validation_percent": float(validation[best]),
            "median_validation_percent": float(np.median(validation)),
            "test_of_best_percent": float(test[best]),
        }

    def _notes(self) -> tuple[Note, ...]:
        found = self._accuracy()
        most = self._problem.params.held_out_examples
        chosen, reported = (min(len(each), most or len(each)) for each in (self._data.validation, self._data.test))
        text = (
            f"{found['subnets']} subnets on {self._said.title}: best {found['best_validation_percent']:.2f} "
            f"%, median {found['median_validation_percent']:.2f} % of {chosen} validation images. The best "
            f"reaches {found['test_of_best_percent']:.2f} % of {reported} test images, which no choice used."
        )
        return (Note("accuracy", "Accuracy", text),)

    def _files(self, weights: bytes) -> tuple[File, ...]:
        said: Mapping[str, Any] = (
            self._problem.inputs["data"].content if "data" in self._problem.inputs else builtin_data_sets()[DEFAULT]
        )
        document = weights_document(
            _slug(self._problem.params.family, self._said.slug),
            "trained by the engine train-supernet (odema-2023 section 4.1.3)",
            self._space,
            said,
            self._data.content_hash(),
            {"sha256": hashlib.sha256(weights).hexdigest(), "size_bytes": len(weights)},
            {**self._problem.params.model_dump(mode="json"), "seed": self._problem.seed},
            self._accuracy(),
        )
        text = json.dumps(document, indent=1, sort_keys=True, allow_nan=False).encode()
        return (
            File(WEIGHTS_FILE, "application/octet-stream", weights),
            File(DOCUMENT_FILE, DOCUMENT_MEDIA_TYPE, text),
        )


def _slug(family: str, data: str) -> str:
    return f"supernet-{family.replace('_', '-')}-{data}"[:80].rstrip("-")
