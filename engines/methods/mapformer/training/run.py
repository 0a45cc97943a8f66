"""The run of a training: mixes, steps, curves, measurement, files. Imported only where torch is needed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from engines.contract.engine import DOCUMENT_MEDIA_TYPE, Context, File, Problem, Recorder, Step
from engines.contract.integer_format import counted
from engines.contract.results import Curve, Note, Series
from engines.data.torch_images import pinned
from engines.methods.mapformer.estimator.classes import CLASSES, HEADS, class_of, edges_of, near_share
from engines.methods.mapformer.estimator.document import DOCUMENT_FILE, SCHEMA, WEIGHTS_FILE
from engines.methods.mapformer.estimator.mixes import Samples
from engines.methods.mapformer.estimator.trainer import Trainer, estimator_with, probabilities
from engines.methods.mapformer.training.data import HEADS as ATTENTION_HEADS
from engines.methods.mapformer.training.data import Source, source_of
from engines.methods.mapformer.training.held_out_answers import HeldOutAnswers
from engines.methods.mapformer.training.params import TrainEstimatorParams
from engines.methods.mapformer.training.planning import report_steps
from hardware.soc.model import Soc

_WEIGHTS, _MEASURED = "estimator-weights", "estimator-measured"  # names of the working files
_SIMULATED, _TRAINED = 0.05, 0.95
_MIXES_PER_STEP = 100
_LIVE = 600


def run_training(problem: Problem[TrainEstimatorParams], record: Recorder) -> Iterator[Step]:
    """All steps of a run; see `TrainEstimatorEngine.run`."""
    context = record.context
    source = source_of(problem, context.random)
    parts: list[Samples] = []
    for part in source.training():
        parts.append(part)
        if len(parts) % _MIXES_PER_STEP == 0:
            if context.stop_requested():
                return
            done = len(parts) / problem.params.mixes
            yield record.step(_SIMULATED * done, f"{counted(len(parts))} mixes simulated")
    with pinned(context.device):
        run = _Run(problem, source, Samples.joined(parts), record)
        yield from run.train()
        if run.trainer.step == run.trainer.steps and not context.stop_requested():
            yield run.end()


def measured_of(problem: Problem[TrainEstimatorParams], context: Context) -> HeldOutAnswers:
    """What the run measured, or training gives again."""

    def build() -> bytes:
        source = source_of(problem, context.random)
        with pinned(context.device):
            trainer = _trainer(source, Samples.joined(list(source.training())))
            weights = context.files.get_or_build(_WEIGHTS, lambda: _trained(trainer))
            return _measured(source, trainer, weights).to_bytes()

    return HeldOutAnswers.of_bytes(context.files.get_or_build(_MEASURED, build))


def _trainer(source: Source, samples: Samples) -> Trainer:
    own = source.params
    edges = (edges_of(samples.throughput_per_s), edges_of(samples.power_w))
    return Trainer(
        source.shape, samples, edges, own.epochs, own.batch_size, own.learning_rate, own.weight_decay, source.random
    )


def _trained(trainer: Trainer) -> bytes:
    while trainer.step < trainer.steps:
        trainer.train_step()
    return trainer.weights()


def _measured(source: Source, trainer: Trainer, weights: bytes) -> HeldOutAnswers:
    """By the weights as they are kept, not as training ended."""
    estimator = estimator_with(source.shape, weights)
    sets = {"held_out": source.held_out(), "unseen": source.never_seen()}
    told, true = {}, {}
    for name, samples in sets.items():
        if samples is None:
            continue
        found = probabilities(estimator, samples.sequences)
        values = (samples.throughput_per_s, samples.power_w)
        for head, each, one, edges in zip(HEADS, found, values, trainer.edges, strict=True):
            told[name, head], true[name, head] = each, class_of(one, edges)
    return HeldOutAnswers(told, true, dict(zip(HEADS, trainer.edges, strict=True)), source.shape.weight_count)


class _Run:
    def __init__(
        self, problem: Problem[TrainEstimatorParams], source: Source, samples: Samples, record: Recorder
    ) -> None:
        self._problem, self._source, self._record = problem, source, record
        self.trainer = _trainer(source, samples)
        self._live = _first(source)
        self._points: list[list[float]] = []  # epoch, loss, and share within one class of both heads
        if record.state is not None:
            self._points = record.state["points"].tolist()
            self.trainer.restore(record.context.files.get(record.state["state"]), int(record.state["step"]))

    def train(self) -> Iterator[Step]:
        """Reports, each a checkpoint, until the training is done or a stop is asked for."""
        trainer, every, losses = self.trainer, report_steps(self._problem.params), list[float]()
        if not trainer.step:
            yield self._record.step(_SIMULATED, f"Training begins: {counted(trainer.steps)} steps")
        while trainer.step < trainer.steps:
            losses.append(trainer.train_step())
            if trainer.step % every and trainer.step < trainer.steps:
                if self._record.context.stop_requested():
                    return
                continue
            self._points.append([trainer.step / trainer.steps_per_epoch, float(np.mean(losses)), *self._shares()])
            losses.clear()
            yield self._report()
            if self._record.context.stop_requested():
                return

    def _shares(self) -> list[float]:
        found = probabilities(self.trainer.estimator, self._live.sequences)
        values = (self._live.throughput_per_s, self._live.power_w)
        return [
            near_share(each.argmax(axis=1), class_of(one, edges))
            for each, one, edges in zip(found, values, self.trainer.edges, strict=True)
        ]

    def _report(self) -> Step:
        trainer, points = self.trainer, np.array(self._points)
        words = f"Epoch {points[-1, 0]:.1f} of {trainer.epochs}: loss {points[-1, 1]:.2f}, within one class: "
        words += f"throughput {100 * points[-1, 2]:.0f} %, power {100 * points[-1, 3]:.0f} %"
        fraction = _SIMULATED + (_TRAINED - _SIMULATED) * trainer.step / trainer.steps
        put = self._record.context.files.put
        state = {"step": trainer.step, "points": points, "state": put(trainer.state())}
        return self._record.step(fraction, words, _curves(self._points), state=state)

    def end(self) -> Step:
        """Measured, with the files."""
        files = self._record.context.files
        weights = files.get_or_build(_WEIGHTS, self.trainer.weights)
        kept = files.get_or_build(_MEASURED, lambda: _measured(self._source, self.trainer, weights).to_bytes())
        measured = HeldOutAnswers.of_bytes(kept)
        self._record.add(measured.designs())
        held = measured.shares("held_out")
        words = f"Within one class on held-out mixes: throughput {100 * held['throughput_near']:.1f} %, "
        words += f"power {100 * held['power_near']:.1f} %"
        text = json.dumps(self._document(measured, weights), indent=1, sort_keys=True, allow_nan=False).encode()
        made = (
            File(WEIGHTS_FILE, "application/octet-stream", weights),
            File(DOCUMENT_FILE, DOCUMENT_MEDIA_TYPE, text),
        )
        return self._record.step(1.0, words, (self._note(), *measured.results()), made)

    def _note(self) -> Note:
        own, unseen = self._problem.params, len(self._source.unseen)
        text = f"Classes are {CLASSES} of equal population in the {counted(own.mixes * own.mappings)} mappings that it "
        text += "learnt from. All of it is simulated: how near the estimator is to the simulator is no word on a real board."
        if unseen:
            text += f" {unseen} of the networks were kept from training, to be measured by."
        return Note("classes", "What is told", text)

    def _document(self, measured: HeldOutAnswers, weights: bytes) -> dict[str, Any]:
        own, soc, pool = self._problem.params, self._problem.value("hardware", Soc), self._source.pool
        names = [network.name for network in pool.networks]
        accuracy = {
            place: {"mappings": len(measured.true[place, HEADS[0]]), **measured.shares(place)}
            for place in measured.sets
        }
        return {
            "schema": SCHEMA, "slug": f"estimator-{soc.slug}"[:80].rstrip("-"), "title": f"Estimator for {soc.title}"[:200],
            "summary": "", "source": "trained by the engine train-estimator on the simulated board (karatzas-2024 section 4.2)",
            "file": {"sha256": hashlib.sha256(weights).hexdigest(), "size_bytes": len(weights)},
            "board": soc.slug,
            "units": [{"name": unit.name, "clocks_mhz": [hz / 1e6 for hz in unit.clocks_hz]} for unit in pool.units],
            "shape": {
                "layers": own.layers, "heads": ATTENTION_HEADS, "width": own.width, "inner": 4 * own.width,
                "most_networks": own.most_networks, "most_layers": own.most_layers, "segments": own.segments,
            },
            "throughput_edges_per_s": measured.edges["throughput"].tolist(),
            "power_edges_w": measured.edges["power"].tolist(),
            "costs": self._source.costs,
            "training": {
                **own.model_dump(mode="json"), "seed": self._problem.seed,
                "networks": [names[number] for number in self._source.seen],
                "never_seen": [names[number] for number in self._source.unseen],
            },
            "accuracy": accuracy,
        }  # fmt: skip


def _first(source: Source) -> Samples:
    """The first held-out mappings, for live curves."""
    held = source.held_out()
    rows = np.arange(min(_LIVE, len(held)))
    return Samples(held.sequences.take(rows), held.throughput_per_s[rows], held.power_w[rows])


def _curves(points: list[list[float]]) -> tuple[Curve, ...]:
    values = np.array(points)
    shares = tuple(Series(head.capitalize(), 100 * values[:, 2 + place], "%") for place, head in enumerate(HEADS))
    loss = (Series("Both heads together", values[:, 1].copy(), ""),)
    return (
        Curve("loss", "Training loss", values[:, 0].copy(), "Epochs", "", loss, role="progress"),
        Curve(
            "near-over-epochs", "Told within one class, of held-out mixes", values[:, 0].copy(), "Epochs", "", shares,
            role="progress",
        ),
    )  # fmt: skip
