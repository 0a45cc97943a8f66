"""The system over time for one design: networks for what is learnt, trace, thresholds. Imported only where torch is needed."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.results import Band, Curve, Event, Result, Series, Table, TableColumn, Threshold, Trace
from engines.methods.myml.adaptive_system import PHASES, History, UserModel, lived, rules_of
from engines.methods.myml.bench import Bench
from engines.methods.myml.choices import Choice
from engines.methods.myml.costs import pruning_cost
from engines.methods.myml.layers import GROUPS
from engines.methods.myml.tracker import entropy_bits, outside
from engines.methods.myml.user import equal, stream_labels

DIVERGENCES_PERCENT = (5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0)
_POINTS = 1500
_MEAN_OVER = 50


@dataclass(eq=False)
class Life:
    """The user's images and the networks that a design gives for what is learnt of them."""

    bench: Bench
    choice: Choice
    _models: dict[tuple[int, ...], UserModel] = field(default_factory=dict)

    @cached_property
    def stream(self) -> tuple[IntArray, IntArray]:
        """Classes of the images and their places in the pool, shape `n` each."""
        params, pool = self.bench.instance.params, self.bench.source.pool
        random = self.bench.context.random("stream")
        instance = self.bench.instance
        labels = stream_labels(instance.user, instance.later, params.stream_images, params.drift_at, random)
        places = random.random(len(labels))
        rows = np.zeros(len(labels), np.int64)
        for label in np.unique(labels):
            there, own = labels == label, np.flatnonzero(pool.labels == label)
            rows[there] = own[(places[there] * len(own)).astype(np.int64)]
        return labels, rows

    def probabilities(self, classes: tuple[int, ...]) -> FloatArray:
        """Return the probabilities of the network for these classes, for every image of the pool, shape `n x classes`."""
        instance = self.bench.instance
        profile = instance.user if classes == instance.user.classes else equal(classes)
        outputs = self.bench.outputs(self.bench.network(self.choice, profile), self.bench.source.pool)
        raised = np.exp(outputs - outputs.max(axis=1, keepdims=True))
        return np.asarray(raised / raised.sum(axis=1, keepdims=True))

    def model(self, classes: tuple[int, ...]) -> UserModel:
        """Return the network for classes that were learnt; pruned once."""
        if classes not in self._models:
            bench, params = self.bench, self.bench.instance.params
            instance = bench.instance
            found = self.probabilities(classes)
            profile = instance.user if classes == instance.user.classes else equal(classes)
            kept = bench.kept(bench.network(self.choice, profile), self.choice)
            images = params.images_per_class * len(classes)
            total = (GROUPS + params.extra_epochs) * images
            pruning = pruning_cost(self.choice, instance.whole, kept, instance.device, images, params.extra_epochs)
            self._models[classes] = UserModel(
                np.array(classes)[found.argmax(axis=1)],
                outside(found, params.probability_threshold, params.entropy_threshold_bits),
                instance.device.inference(kept, self.choice.platform), pruning.times(1 / total), total,
            )  # fmt: skip
        return self._models[classes]

    def lived(self, divergence_percent: float | None = None) -> History:
        """Return the history of the system, with another divergence threshold if given."""
        instance, source = self.bench.instance, self.bench.source
        labels, rows = self.stream
        image = instance.device.inference(instance.whole, self.choice.platform)
        rules = rules_of(instance.params, divergence_percent)
        return lived(labels, rows, source.outputs.argmax(axis=1), image, self.model, rules)

    def results(self) -> tuple[Result, ...]:
        """Trace and what the rule tells apart."""
        history = self.lived()
        return self._trace(history), self._phases(history), self._rule()

    def _trace(self, history: History) -> Trace:
        params = self.bench.instance.params
        count = len(history.phase)
        shown = np.unique(np.linspace(0, count - 1, min(count, _POINTS)).astype(np.int64))
        sums = np.concatenate([[0.0], np.cumsum(history.right)])
        first = np.maximum(0, np.arange(count) + 1 - _MEAN_OVER)
        accuracy = 100 * (sums[1:] - sums[first]) / (np.arange(count) + 1 - first)
        original = self.bench.instance.device.inference(self.bench.instance.whole, self.choice.platform).joules
        time_s = history.time_s
        events = [Event(float(time_s[number]), "The original comes back") for number in history.returns]
        if params.drift_at < count:
            events.append(Event(float(time_s[params.drift_at]), "The user begins to change"))
        return Trace(
            "life", "The system over time", time_s[shown],
            (
                Series(f"Right of the last {_MEAN_OVER}", accuracy[shown], "%"),
                Series("Outside, of the tracker's window", 100 * history.outside[shown], "%"),
                Series("Energy so far", np.cumsum(history.energy_j)[shown], "J"),
                Series("Energy so far, original alone", np.asarray(original * (shown + 1.0), np.float64), "J"),
            ),
            (Threshold("Divergence", params.divergence_percent, "%"),),
            tuple(sorted(events, key=lambda event: event.time_s)), _bands(history),
        )  # fmt: skip

    def _phases(self, history: History) -> Table:
        rows = [history.phase == number for number in range(len(PHASES))]
        return Table(
            "phases", "Phases of the system", (
                TableColumn("Phase", PHASES),
                TableColumn("Images", np.array([float(there.sum()) for there in rows])),
                TableColumn("Right", np.array([_mean(history.right[there]) for there in rows]), "of one"),
                TableColumn("Energy", np.array([float(history.energy_j[there].sum()) for there in rows]), "J"),
            ), belongs_to="life",
        )  # fmt: skip

    def _rule(self) -> Curve:
        params, instance = self.bench.instance.params, self.bench.instance
        found = self.probabilities(instance.user.classes)
        unsure = entropy_bits(found) > params.entropy_threshold_bits
        own = np.isin(self.bench.source.pool.labels, np.array(instance.user.classes))
        thresholds = np.linspace(0.3, 1.0, 15)
        flagged = np.stack([unsure & (found.max(axis=1) < each) for each in thresholds])
        title = f"Images taken for outside, where the entropy is above {params.entropy_threshold_bits:g} bits"
        series = (
            Series("Other classes", 100 * flagged[:, ~own].mean(axis=1), "%"),
            Series("User's classes", 100 * flagged[:, own].mean(axis=1), "%"),
        )
        return Curve("rule", title, thresholds, "Probability below", "of 1", series)


def thresholds_curve(life: Life) -> Curve:
    """Return a curve of accuracy, returns of the original and energy over the threshold of divergence."""
    params = life.bench.instance.params
    histories = [life.lived(each) for each in DIVERGENCES_PERCENT]
    after = slice(min(params.drift_at, params.stream_images - 1), None)

    def series(title: str, values: list[float], unit: str) -> Series:
        return Series(title, np.array(values), unit)

    return Curve(
        "divergence", "Cost of the divergence threshold", np.array(DIVERGENCES_PERCENT), "Divergence above", "%",
        (
            series("Right, all images", [100 * _mean(each.right) for each in histories], "%"),
            series("Right, from the drift on", [100 * _mean(each.right[after]) for each in histories], "%"),
            series("Original came back", [float(len(each.returns)) for each in histories], "times"),
            series("Energy of all images", [float(each.energy_j.sum()) for each in histories], "J"),
        ),
    )  # fmt: skip


def _mean(values: object) -> float:
    held = np.asarray(values, dtype=np.float64)
    return float(held.mean()) if len(held) else float("nan")


def _bands(history: History) -> tuple[Band, ...]:
    changes = np.flatnonzero(np.diff(history.phase)) + 1
    begins = [0, *changes.tolist()]
    ends = [*changes.tolist(), len(history.phase) - 1]
    return tuple(
        Band(float(history.time_s[begin]), float(history.time_s[end]), PHASES[int(history.phase[begin])])
        for begin, end in zip(begins, ends, strict=True)
    )
