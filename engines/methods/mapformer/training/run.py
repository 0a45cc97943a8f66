"""The run of a training: mixes, steps, curves, measurement, files. Imported only where torch is needed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.designs import Designs
from engines.contract.engine import DOCUMENT_MEDIA_TYPE, Context, File, Problem, Recorder, Step
from engines.contract.integer_format import counted, many
from engines.contract.results import Curve, Note, Series
from engines.methods.mapformer.estimator.classes import CLASSES, HEADS, class_of, edges_of, near_share
from engines.methods.mapformer.estimator.document import DOCUMENT_FILE, SCHEMA, WEIGHTS_FILE
from engines.methods.mapformer.estimator.mixes import Samples
from engines.methods.mapformer.estimator.network import Estimator
from engines.methods.mapformer.estimator.trainer import Trainer, estimator_with, probabilities
from engines.methods.mapformer.training.data import HEADS as ATTENTION_HEADS
from engines.methods.mapformer.training.data import Source, source_of
from engines.methods.mapformer.training.held_out_answers import HeldOutAnswers
from engines.methods.mapformer.training.params import TrainEstimatorParams, report_steps
from hardware.soc.model import Soc

_WEIGHTS, _MEASURED = "estimator-weights", "estimator-measured"  # names of the working files
_SIMULATED, _TRAINED = 0.05, 0.95
_MIXES_PER_STEP = 100
_LIVE = 600


class EstimatorTraining:
    """The estimator of a problem: its training, its weights, and its error on held-out mappings.

    Args:
        problem: board, networks and parameters.
        context: context of the run, with the files that it kept.
    """

    def __init__(self, problem: Problem[TrainEstimatorParams], context: Context) -> None:
        self._problem, self._context = problem, context
        self._points: list[list[float]] = []  # epoch, loss, and share within one class of both heads

    def train(self, record: Recorder) -> Iterator[Step]:
        """Simulate mixes, and report the training, each time with a checkpoint, until it is done or a stop is asked for."""
        context, parts = self._context, list[Samples]()
        if record.state is None:
            yield record.step(0.0, "Computes what layers take on every unit")
        for part in self._source.training():
            parts.append(part)
            if len(parts) % _MIXES_PER_STEP == 0:
                if context.stop_requested():
                    return
                done = len(parts) / self._problem.params.mixes
                yield record.step(_SIMULATED * done, f"{counted(len(parts))} mixes simulated")
        self._samples, live = Samples.joined(parts), _first(self._source)
        trainer, every, losses = self._trainer, report_steps(self._problem.params), list[float]()
        if record.state is not None:
            self._points = record.state["points"].tolist()
            trainer.restore(context.files.get(record.state["state"]), int(record.state["step"]))
        if not trainer.step:
            yield record.step(_SIMULATED, f"Training begins: {many(trainer.steps, 'step')}")
        while trainer.step < trainer.steps:
            losses.append(trainer.train_step())
            if trainer.step % every and trainer.step < trainer.steps:
                if context.stop_requested():
                    return
                continue
            shares = [
                near_share(each.argmax(axis=1), true) for _, each, true in _told(trainer, trainer.estimator, live)
            ]
            self._points.append([trainer.step / trainer.steps_per_epoch, float(np.mean(losses)), *shares])
            losses.clear()
            yield self._report(record)
            if context.stop_requested():
                return
        record.add(Designs(self.measured.columns(), [{"estimator": "trained"}], label=["Estimator"]))

    @cached_property
    def weights(self) -> bytes:
        """Return the weights that the run stored, or train them again."""
        return self._context.files.get_or_build(_WEIGHTS, self._trained)

    @cached_property
    def measured(self) -> HeldOutAnswers:
        """Return what the run measured, or training gives again."""
        return HeldOutAnswers.of_bytes(self._context.files.get_or_build(_MEASURED, self._measure))

    def note(self) -> Note:
        """Return the note that defines the classes."""
        own, unseen = self._problem.params, len(self._source.unseen)
        text = f"Classes are {CLASSES} of equal population in the {counted(own.mixes * own.mappings)} mappings that it "
        text += "learnt from. All of it is simulated: how near the estimator is to the simulator is no word on a real board."
        if unseen:
            text += f" {unseen} of the networks were kept from training, to be measured by."
        return Note("classes", "Predicted metric", text)

    def ending(self) -> tuple[str, tuple[File, ...]]:
        """Return words, weights and their document."""
        held = self.measured.shares("held_out")
        words = f"Within one class on held-out mixes: throughput {100 * held['throughput_near']:.1f} %, "
        words += f"power {100 * held['power_near']:.1f} %"
        text = json.dumps(self._document(), indent=1, sort_keys=True, allow_nan=False).encode()
        return words, (
            File(WEIGHTS_FILE, "application/octet-stream", self.weights),
            File(DOCUMENT_FILE, DOCUMENT_MEDIA_TYPE, text),
        )

    @cached_property
    def _source(self) -> Source:
        return source_of(self._problem, self._context.random)

    @cached_property
    def _samples(self) -> Samples:
        return Samples.joined(list(self._source.training()))

    @cached_property
    def _trainer(self) -> Trainer:
        own, samples = self._problem.params, self._samples
        edges = (edges_of(samples.throughput_per_s), edges_of(samples.power_w))
        return Trainer(
            self._source.shape, samples, edges, own.epochs, own.batch_size, own.learning_rate, own.weight_decay,
            self._context.random,
        )  # fmt: skip

    def _trained(self) -> bytes:
        while self._trainer.step < self._trainer.steps:
            self._trainer.train_step()
        return self._trainer.weights()

    def _measure(self) -> bytes:
        """Measure by the stored weights, not as training ended."""
        source, trainer = self._source, self._trainer
        estimator = estimator_with(source.shape, self.weights)
        told, true = {}, {}
        for name, samples in {"held_out": source.held_out(), "unseen": source.never_seen()}.items():
            for head, each, classes in () if samples is None else _told(trainer, estimator, samples):
                told[name, head], true[name, head] = each, classes
        return HeldOutAnswers(
            told, true, dict(zip(HEADS, trainer.edges, strict=True)), source.shape.weight_count
        ).to_bytes()

    def _report(self, record: Recorder) -> Step:
        trainer, points = self._trainer, np.array(self._points)
        words = f"Epoch {points[-1, 0]:.1f} of {trainer.epochs}: loss {points[-1, 1]:.2f}, within one class: "
        words += f"throughput {100 * points[-1, 2]:.0f} %, power {100 * points[-1, 3]:.0f} %"
        fraction = _SIMULATED + (_TRAINED - _SIMULATED) * trainer.step / trainer.steps
        put = self._context.files.put
        state = {"step": trainer.step, "points": points, "state": put(trainer.state())}
        return record.step(fraction, words, _curves(self._points), state=state)

    def _document(self) -> dict[str, Any]:
        measured, weights = self.measured, self.weights
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
    """Return the first held-out mappings, for live curves."""
    held = source.held_out()
    rows = np.arange(min(_LIVE, len(held)))
    return Samples(held.sequences.take(rows), held.throughput_per_s[rows], held.power_w[rows])


def _told(trainer: Trainer, estimator: Estimator, samples: Samples) -> Iterator[tuple[str, FloatArray, IntArray]]:
    """Yield each head with the predicted probabilities, `b x classes`, and the true classes, `b`."""
    found, values = probabilities(estimator, samples.sequences), (samples.throughput_per_s, samples.power_w)
    for head, each, one, edges in zip(HEADS, found, values, trainer.edges, strict=True):
        yield head, each, class_of(one, edges)


def _curves(points: list[list[float]]) -> tuple[Curve, ...]:
    values = np.array(points)
    shares = tuple(Series(head.capitalize(), 100 * values[:, 2 + place], "%") for place, head in enumerate(HEADS))
    loss = (Series("Both heads together", values[:, 1].copy(), ""),)
    return (
        Curve("loss", "Training loss", values[:, 0].copy(), "Epochs", "", loss, role="progress"),
        Curve(
            "near-over-epochs", "Predicted within one class, of held-out mixes", values[:, 0].copy(), "Epochs", "", shares,
            role="progress",
        ),
    )  # fmt: skip
