"""The search: the next network, its training, and its report. Imported only where torch is needed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.designs import Designs
from engines.contract.engine import Context, File, Recorder, Step
from engines.contract.integer_format import counted, many
from engines.contract.results import Curve, Note, Result, Series, Table, TableColumn
from engines.data.data_set import DataSet
from engines.data.scaling import NOT_STORED
from engines.learning.course import CHECKPOINT_S, Course
from engines.learning.curves import loss_curve
from engines.learning.torch_learner import packed_weights
from engines.methods.eexnas import acquisition
from engines.methods.eexnas.architecture import Architecture, SizedNetwork, architecture_of
from engines.methods.eexnas.c_code import code_of, zipped
from engines.methods.eexnas.instance import EexnasInstance
from engines.methods.eexnas.network import Learner, course_of, network_outputs, trained, weights_of
from engines.methods.eexnas.params import THRESHOLDS
from engines.methods.eexnas.quantities import QUANTITIES
from engines.methods.eexnas.repeats import Repeats
from engines.methods.eexnas.scoring import NetworkOutputs, Normal
from engines.methods.eexnas.space import GENES, genes_of, unit_cube
from engines.search.progress import progress_curve

C_FILE, ARCHIVE = "network.c", "networks.zip"
_DRAWN_TOGETHER, _MOST_CODED = 20, 50


class TrainedNetworks:
    """Networks that are trained on the windows of a problem, and what those of its search are worth.

    Attributes:
        genes, values: genes and values of the networks of the search, shape `n x 18` and `n x 4`.
    """

    def __init__(self, instance: EexnasInstance, context: Context) -> None:
        self._instance, self._context, self._data = instance, context, instance.read(context)
        self._normal, self._repeats = Normal(instance), Repeats(instance, self._data, context, None)
        self.genes: IntArray = np.empty((0, GENES), np.int64)
        self.values: FloatArray = np.empty((0, 4))

    def outputs(self, laid: SizedNetwork) -> NetworkOutputs:
        """Return the outputs of a network for held-out windows."""
        return network_outputs(laid, self._state(laid), self._data)

    def search(self, record: Recorder) -> Iterator[Step]:
        """Train network after network, then those on the front with other seeds."""
        params, context, begun = self._instance.params, self._context, record.state or {}
        self.genes = np.asarray(begun.get("genes", self.genes), np.int64)
        self.values = np.asarray(begun.get("values", self.values), np.float64)
        self._repeats = Repeats(self._instance, self._data, context, begun.get("repeats"))
        while len(self.genes) < params.networks:
            genes = None if context.stop_requested() else self.following()
            if genes is None:
                break
            laid = self._laid(genes)
            learner = Learner(laid, self._data, params, context.random, context.device)
            course = course_of(learner, params)
            if "state" in begun:
                course.restore(begun, context.files)
            begun = {}
            yield from course.steps(record, partial(self._told, course), lambda: self._kept, CHECKPOINT_S)
            if not course.done:
                return
            context.files.get_or_build(_name(laid), partial(packed_weights, learner.network))
            yield self._add(genes, self.outputs(laid), course, record)
        if context.stop_requested():
            return
        if len(self.genes) and params.seeds > 1:
            front = [self._laid(genes_of(each)) for each in _front(record.designs)]
            for share, words in self._repeats.train(front):
                yield record.step(0.98 + 0.01 * share, words, state={**self._kept, "repeats": self._repeats.rows})

    def following(self) -> IntArray | None:
        """Return the genes of the next network; None where nothing new was found that fits the device."""
        params, space, number = self._instance.params, self._instance.space, len(self.genes)
        guided = params.search != "random" and number >= params.initial
        found = space.draw(
            params.candidates if guided else _DRAWN_TOGETHER, self._context.random("network", number)
        ).tolist()
        known = {tuple(row) for row in self.genes.tolist()}
        new = np.array([row for row in found if tuple(row) not in known], dtype=np.int64).reshape(-1, GENES)
        if not guided or not len(new):
            return np.asarray(new[0]) if len(new) else None
        choose = acquisition.thompson if params.search == "thompson" else acquisition.improvement
        stream = self._context.random("functions", number)
        row = choose(unit_cube(self.genes), self.values, unit_cube(new), self._normal.weights, stream)
        return np.asarray(new[row])

    def report(self) -> tuple[Result, ...]:
        """Return the best weighted sum, accuracies of other seeds, what was learnt from, and values of the C code."""
        titles = ("Accuracy without exit", "Accuracy with exit", "Energy without exit", "Energy with exit")
        best = Table(
            "weighted", "The best weighted sum",
            (
                TableColumn("Objective", titles),
                TableColumn("From 0 to 1, more is better", self.values[self._best]),
                TableColumn("Weight", self._normal.weights),
            ),
        )  # fmt: skip
        return (best, *self._repeats.tables(), _data_note(self._instance, self._data), _code_note(self._data))

    def ending(self, designs: Designs) -> tuple[str, tuple[File, ...]]:
        """Return words and C code: of the best weighted sum, and of the networks on the front."""
        best = self._laid(self.genes[self._best])
        coded = {f"{each.name}.c": self._code(self._laid(genes_of(each))) for each in _front(designs)}
        words = f"{many(len(self.genes), 'network')} trained; the weighted sum is best for {best.architecture.name}"
        code = File(C_FILE, "text/x-c", self._code(best).encode())
        return words, (code, File(ARCHIVE, "application/zip", zipped(coded)))

    @property
    def _kept(self) -> dict[str, Any]:
        return {"genes": self.genes, "values": self.values}

    @property
    def _best(self) -> int:
        """Row of the largest weighted sum."""
        return int(np.argmax(self._normal.score(self.values)))

    def _add(self, genes: IntArray, found: NetworkOutputs, course: Course, record: Recorder) -> Step:
        self.genes = np.concatenate([self.genes, genes[None]])
        self.values = np.concatenate([self.values, self._normal.values(found)[None]])
        record.add(found.designs(self._instance, THRESHOLDS))
        count, networks = len(self.genes), self._instance.params.networks
        words = f"Network {count} of {networks}: {100 * found.validation.right[:, 1].mean():.4g} % right"
        scores = self._normal.score(self.values)
        numbers = np.arange(1, count + 1, dtype=np.float64) * len(THRESHOLDS)
        series = (
            Series("Weighted sum of a network", scores, ""), Series("Best so far", np.maximum.accumulate(scores), "")
        )  # fmt: skip
        told = progress_curve("score", "Weighted sum of the objectives", numbers.tolist(), "Evaluations", *series)
        return record.step(0.98 * count / networks, words, (told, *_curves(course)), state=self._kept)

    def _laid(self, genes: IntArray) -> SizedNetwork:
        laid = self._instance.space.laid(genes)
        assert laid is not None  # only such are drawn
        return laid

    def _state(self, laid: SizedNetwork) -> bytes:
        """Return the weights that the run kept, or that training gives again."""
        context, params = self._context, self._instance.params
        again = partial(trained, laid, self._data, params, context.random, context.device)
        return context.files.get_or_build(_name(laid), again)

    def _code(self, laid: SizedNetwork) -> str:
        data, threshold = self._data, self._instance.params.search_threshold
        weights, temperature = weights_of(self._state(laid)), self.outputs(laid).temperature
        return code_of(laid, weights, threshold, temperature, data.title, data.classes, data.scaling)

    def _told(self, course: Course) -> tuple[float, str, tuple[Curve, ...]]:
        number, networks = len(self.genes), self._instance.params.networks
        words = f"Network {number + 1} of {networks}: {course.words.lower()}"
        return 0.98 * (number + course.share) / networks, words, _curves(course)


def _name(laid: SizedNetwork) -> str:
    return f"eexnas-{laid.architecture.name}"


def _curves(course: Course) -> tuple[Curve, ...]:
    """Return the curves of the network that is or was trained last."""
    loss = loss_curve(course.losses, {"Both ends": (0, len(course.losses))}, "Training loss of the last network")
    series = tuple(Series(name, np.array(values), "%") for name, values in course.measured.items())
    epochs = np.arange(1, len(course.losses) + 1, dtype=np.float64)
    title = "Accuracy of the last network"
    return (loss, Curve("learning", title, epochs, "Epoch", "", series, role="progress")) if series else (loss,)


def _front(designs: Designs) -> list[Architecture]:
    """Return the networks on the front, each once."""
    decisions = [designs.decisions[row] for row in np.flatnonzero(designs.front(QUANTITIES)).tolist()]
    return list(dict.fromkeys(architecture_of(each) for each in decisions))[:_MOST_CODED]


def _data_note(instance: EexnasInstance, data: DataSet) -> Note:
    words = f"Accuracies are of {instance.data_title}: {many(len(data.validation), 'window')} to choose by, "
    words += f"{counted(len(data.test))} to report on, one training of each network that was searched. "
    words += "Joules and seconds follow from assumed cycles of an operation."
    level = "warning" if instance.data is None else "info"
    return Note("data", "Training data", words, level)


def _code_note(data: DataSet) -> Note:
    """Return the values that the C code takes."""
    title = f"Values for {C_FILE}"
    if data.scaling is None:
        return Note("c-code", title, " ".join(NOT_STORED), "warning")
    words = "The C code takes values as recorded, in the units of the recordings: its head names the channels in their "
    return Note(
        "c-code", title, f"{words}order. It scales the values itself by mean and standard deviation of each channel."
    )
