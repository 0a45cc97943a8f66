"""The run of a training: steps, curves, checkpoints, measured subnets, files. Imported only where torch is needed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engines.contract.counts import counted
from engines.contract.designs import Designs
from engines.contract.engine import DOCUMENT_MEDIA_TYPE, Context, File, Problem, Resume, Step
from engines.contract.results import Note
from engines.data.data_set import DataSet
from engines.data.documents import DEFAULT, ImageData, builtin_data_sets
from engines.methods.magnas.space import Architecture, SupernetSpace
from engines.methods.magnas.training import ROLES, Trainer, load_supernet, measured_accuracy, pinned
from engines.methods.magnas.training_curves import Curves
from engines.methods.magnas.training_params import TrainSupernetParams
from engines.methods.magnas.training_plan import pace_of, size_of
from engines.methods.magnas.weights_document import DOCUMENT_FILE, WEIGHTS_FILE, weights_document
from engines.methods.magnas.workload import label_of
from engines.running.checkpoints import pack_checkpoint, unpack_checkpoint

_WEIGHTS = "trained-weights"  # name of the working file
_TRAINING_SHARE = 0.9
_MEASURED_PER_STEP = 8
_LIVE_EXAMPLES = 500
_LIVE_RANDOM = 2


def run_training(
    problem: Problem[TrainSupernetParams],
    space: SupernetSpace,
    data: ImageData,
    context: Context,
    resume: Resume | None,
) -> Iterator[Step]:
    """All steps of a run; see `TrainSupernetEngine.run`."""
    with pinned(context.device):
        run = _Run(problem, space, data, context)
        if resume is not None:
            run.restore(resume)
        yield from run.train()
        if not context.stop_requested() and run.trainer.step == run.trainer.steps:
            yield from run.measure()


def measured_again(
    problem: Problem[TrainSupernetParams],
    space: SupernetSpace,
    data: ImageData,
    context: Context,
    architectures: Sequence[Architecture],
) -> Designs:
    """Designs of subnets with origin "user", of the weights that the run kept or that training gives again."""
    with pinned(context.device):
        run = _Run(problem, space, data, context)
        weights = context.files.get_or_build(_WEIGHTS, run.trained_weights)
        return run.designs(weights, architectures, [0] * len(architectures), "user")


class _Run:
    def __init__(
        self, problem: Problem[TrainSupernetParams], space: SupernetSpace, data: ImageData, context: Context
    ) -> None:
        self._problem, self._space, self._said, self._context = problem, space, data, context
        self._data: DataSet = data.read(context.files)
        self.trainer = Trainer(space, self._data, problem.params, context.random, context.device)
        self._pace = pace_of(space, data, problem.params)
        self._curves = Curves()
        self._sums = np.zeros((2, len(ROLES)))  # of losses and their numbers since the last report
        self._measured = 0
        self._reports = 0
        self._found: list[tuple[float, float]] = []

    # -- training -----------------------------------------------------------------------------------------------------

    def train(self) -> Iterator[Step]:
        """Reports until the training is done or a stop is asked for."""
        trainer = self.trainer
        kept = True
        if not trainer.step:  # the first report may be many seconds away
            yield Step(0.0, f"Training begins: {counted(trainer.steps)} steps in {self._problem.params.epochs} epochs")
        while trainer.step < trainer.steps:
            if self._context.stop_requested():
                if not kept:
                    yield self._report(checkpoint=True, results=False)
                return
            loss = trainer.train_step()
            kept = False
            values = np.array([loss.largest, loss.smallest, loss.random])
            self._sums += np.where(np.isnan(values), 0.0, [values, np.ones(len(ROLES))])
            if trainer.step % self._pace.report_steps and trainer.step < trainer.steps:
                continue
            self._close_interval()
            self._reports += 1
            kept = self._reports % self._pace.checkpoint_reports == 0 or trainer.step == trainer.steps
            yield self._report(checkpoint=kept, results=True)

    def trained_weights(self) -> bytes:
        """The weights after the whole training, without reports."""
        while self.trainer.step < self.trainer.steps:
            self.trainer.train_step()
        return self.trainer.weights()

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
        return Step(
            _TRAINING_SHARE * done,
            words,
            {"evaluations": 0.0},
            results=self._curves.results(self._said.title) if results else (),
            checkpoint=self._checkpoint() if checkpoint else None,
        )

    def _checkpoint(self) -> bytes:
        state: dict[str, Any] = {
            "step": self.trainer.step,
            "measured": self._measured,
            "reports": self._reports,
            "sums": self._sums,
            "found": np.array(self._found, dtype=np.float64).reshape(-1, 2),
            **self._curves.arrays(),
        }
        key = "weights" if self._measured else "state"
        state[key] = self._context.files.put(self.trainer.weights() if self._measured else self.trainer.state())
        return pack_checkpoint(self._problem.engine, self._problem.version, self._problem.hash(), state)

    def restore(self, resume: Resume) -> None:
        """Go on from a checkpoint."""
        problem = self._problem
        state = unpack_checkpoint(resume.checkpoint, problem.engine, problem.version, problem.hash())
        self._measured, self._reports, self._sums = state["measured"], state["reports"], state["sums"]
        self._found = [(first, second) for first, second in state["found"].tolist()]
        self._curves = Curves.of(state)
        if "state" in state:
            self.trainer.restore(self._context.files.get(state["state"]), state["step"])
        else:
            weights = self._context.files.get(state["weights"])
            self.trainer.supernet = load_supernet(self._space, weights, self._context.device)
            self.trainer.step = state["step"]

    # -- measurement --------------------------------------------------------------------------------------------------

    def measure(self) -> Iterator[Step]:
        """Accuracy of the largest and the smallest subnet of each operator and of random ones, then the files."""
        weights = self._context.files.get_or_build(_WEIGHTS, self.trainer.weights)
        subnets = self._subnets()
        while self._measured < len(subnets):
            if self._context.stop_requested():
                return
            now = subnets[self._measured : self._measured + _MEASURED_PER_STEP]
            places = list(range(self._measured + 1, self._measured + len(now) + 1))
            designs = self.designs(weights, now, places, "search")
            self._measured += len(now)
            pairs = designs.matrix(("accuracy_percent", "test_accuracy_percent")).tolist()
            self._found += [(first, second) for first, second in pairs]
            fraction = _TRAINING_SHARE + (0.99 - _TRAINING_SHARE) * self._measured / len(subnets)
            words = f"{counted(self._measured)} of {counted(len(subnets))} subnets measured"
            yield Step(fraction, words, self._metrics(), designs, checkpoint=self._checkpoint())
        yield Step(1.0, self._ending(), self._metrics(), results=self._notes(), files=self._files(weights))

    def designs(
        self, weights: bytes, architectures: Sequence[Architecture], found_at: Sequence[int], origin: str
    ) -> Designs:
        """Measured subnets as designs."""
        trainer, most = self.trainer, self._problem.params.held_out_examples
        supernet = load_supernet(self._space, weights, self._context.device)
        accuracies = [
            [
                measured_accuracy(supernet, trainer.images, self._data, trainer.training_rows, each, split, most)
                for split in (self._data.validation, self._data.test)
            ]
            for each in architectures
        ]
        sizes = [size_of(self._space, each) for each in architectures]
        columns = {
            "accuracy_percent": [first for first, _ in accuracies],
            "macs": [macs for macs, _ in sizes],
            "test_accuracy_percent": [second for _, second in accuracies],
            "weight_count": [held for _, held in sizes],
        }
        return Designs(
            columns={name: np.array(values, dtype=np.float64) for name, values in columns.items()},
            decisions=[{"architecture": self._space.encode(each)} for each in architectures],
            found_at_evaluation=np.array(found_at, dtype=np.int64),
            origin=[origin] * len(architectures),
            label=[label_of(each) for each in architectures],
        )

    def _subnets(self) -> list[Architecture]:
        space = self._space
        ends = [end(operator) for operator in space.operators for end in (space.largest, space.smallest)]
        count = self._problem.params.measured_subnets
        return ends + [space.random(self._context.random("measured", number)) for number in range(count)]

    def _metrics(self) -> dict[str, float]:
        return {"evaluations": float(self._measured), "accuracy_percent": max(first for first, _ in self._found)}

    def _ending(self) -> str:
        return f"Best of {self._measured} subnets: {max(first for first, _ in self._found):.1f} % on validation"

    def _accuracy(self) -> dict[str, Any]:
        validation = [first for first, _ in self._found]
        best = max(range(len(validation)), key=validation.__getitem__)
        return {
            "subnets": len(validation),
            "best_validation_percent": validation[best],
            "median_validation_percent": float(np.median(validation)),
            "test_of_best_percent": self._found[best][1],
        }

    def _notes(self) -> tuple[Note, ...]:
        found = self._accuracy()
        most = self._problem.params.held_out_examples
        chosen, reported = (min(len(each), most or len(each)) for each in (self._data.validation, self._data.test))
        text = (
            f"{found['subnets']} subnets on {self._said.title}: best {found['best_validation_percent']:.2f} %, median "
            f"{found['median_validation_percent']:.2f} % of {chosen} validation images; the best has "
            f"{found['test_of_best_percent']:.2f} % of {reported} test images, which nothing was chosen by."
        )
        return (Note("accuracy", "Accuracy", text),)

    def _files(self, weights: bytes) -> tuple[File, ...]:
        said: Mapping[str, Any] = (
            self._problem.inputs["data"].content if "data" in self._problem.inputs else builtin_data_sets()[DEFAULT]
        )
        document = weights_document(
            _slug(self._problem.params.family, self._said.slug),
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
