"""The search: which network is next, its training, what is told of it. Needs torch where networks are trained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.designs import Designs
from engines.contract.engine import Context, File, Recorder, Step
from engines.contract.integer_format import counted
from engines.contract.limits import unmet
from engines.contract.results import Curve, Note, Series, Table, TableColumn
from engines.data.data_set import DataSet
from engines.data.scaling import NOT_STORED
from engines.data.torch_images import pinned
from engines.learning.course import CHECKPOINT_S, Course
from engines.learning.curves import loss_curve
from engines.learning.torch_learner import packed_weights
from engines.methods.eexnas import improvement, thompson
from engines.methods.eexnas.architecture import Architecture, SizedNetwork, architecture_of
from engines.methods.eexnas.c_code import code_of, zipped
from engines.methods.eexnas.decision import read_decision
from engines.methods.eexnas.instance import EexnasInstance
from engines.methods.eexnas.network import Learner, course_of, measured, trained, weights_of
from engines.methods.eexnas.params import THRESHOLDS
from engines.methods.eexnas.quantities import QUANTITIES, RAM
from engines.methods.eexnas.repeats import Repeats
from engines.methods.eexnas.scoring import HeldOutOutputs, NetworkOutputs, Normal
from engines.methods.eexnas.space import GENES, Space, genes_of, unit_cube
from engines.search.progress import progress_curve

C_FILE, ARCHIVE = "network.c", "networks.zip"
_DRAWN_TOGETHER, _MOST_CODED = 20, 50


class SearchOutcome:
    """Networks that were trained, and what they are worth."""

    def __init__(self, instance: EexnasInstance, state: Mapping[str, Any] | None = None) -> None:
        self.genes: IntArray = np.empty((0, GENES), np.int64) if state is None else np.asarray(state["genes"], np.int64)
        self.values: FloatArray = np.empty((0, 4)) if state is None else np.asarray(state["values"], np.float64)
        self._instance, self.normal = instance, Normal(instance)

    @property
    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {"genes": self.genes, "values": self.values}

    def add(self, genes: IntArray, judged: NetworkOutputs) -> None:
        """Another one."""
        self.genes = np.concatenate([self.genes, genes[None]])
        self.values = np.concatenate([self.values, self.normal.values(judged)[None]])

    def following(self, context: Context) -> IntArray | None:
        """Genes of the next network; None where nothing new was found that fits the device."""
        params, space, number = self._instance.params, self._instance.space, len(self.genes)
        random = context.random("network", number)
        guided = params.search != "random" and number >= params.initial
        found = space.draw(params.candidates if guided else _DRAWN_TOGETHER, random)
        known = {tuple(row) for row in self.genes.tolist()}
        new = np.array([row for row in found.tolist() if tuple(row) not in known], dtype=np.int64).reshape(-1, GENES)
        if not len(new):
            return None
        if not guided:
            return np.asarray(new[0])
        choose = thompson.chosen if params.search == "thompson" else improvement.chosen
        row = choose(
            unit_cube(self.genes), self.values, unit_cube(new), self.normal.weights, context.random("functions", number)
        )
        return np.asarray(new[row])

    @property
    def best(self) -> int:
        """Row of the largest weighted sum."""
        return int(np.argmax(self.normal.score(self.values)))


def run_search(instance: EexnasInstance, record: Recorder) -> Iterator[Step]:
    """All steps of a run."""
    params, context = instance.params, record.context
    searched, begun = SearchOutcome(instance, record.state), record.state
    with pinned(context.device):
        data = instance.read(context)
        while len(searched.genes) < params.networks:
            if context.stop_requested():
                return
            genes = searched.following(context)
            if genes is None:
                break
            laid = _laid(instance.space, genes)
            learner = Learner(laid, data, params, context.random, context.device)
            course = course_of(learner, params)
            if begun is not None and "state" in begun:
                course.restore(begun, context.files)
            begun = None
            tell = partial(_told, searched, course, params.networks)
            yield from course.steps(record, tell, lambda: searched.state, CHECKPOINT_S)
            if not course.done:
                return
            state = packed_weights(learner.network)
            judged = _judged(laid, context.files.get_or_build(_name(laid), partial(bytes, state)), data)
            searched.add(genes, judged)
            record.add(judged.designs(instance, THRESHOLDS))
            words = f"Network {len(searched.genes)} of {params.networks}: {100 * judged.validation.right[:, 1].mean():.4g} % right"
            fraction = 0.98 * len(searched.genes) / params.networks
            yield record.step(fraction, words, (_progress(searched), *_curves(course)), state=searched.state)
        repeats = Repeats(instance, data, record.context, None if record.state is None else record.state.get("repeats"))
        if len(searched.genes) and params.seeds > 1:
            for share, words in repeats.train([_laid(instance.space, genes_of(each)) for each in _front(record)]):
                yield record.step(0.98 + 0.01 * share, words, state={**searched.state, "repeats": repeats.rows})
            if context.stop_requested() and not repeats.done:
                return
        yield _last(instance, searched, data, record, repeats)


def judged_of(
    instance: EexnasInstance, decisions: Sequence[Mapping[str, Any]], context: Context
) -> list[tuple[NetworkOutputs, float]]:
    """Each decision's network, of the weights that the run kept or that training gives again, and its threshold.

    Raises:
        DecisionError: a decision that is no network of the space.
    """
    read = [read_decision(instance.space, decision) for decision in decisions]
    found: dict[str, NetworkOutputs] = {}
    with pinned(context.device):
        data = instance.read(context)
        for laid, _ in read:
            if laid.architecture.name not in found:
                found[laid.architecture.name] = _judged(laid, _state(instance, laid, data, context), data)
    return [(found[laid.architecture.name], threshold) for laid, threshold in read]


def _state(instance: EexnasInstance, laid: SizedNetwork, data: DataSet, context: Context) -> bytes:
    again = partial(trained, laid, data, instance.params, context.random, context.device)
    return context.files.get_or_build(_name(laid), again)


def _laid(space: Space, genes: IntArray) -> SizedNetwork:
    laid = space.laid(genes)
    assert laid is not None  # only such are drawn
    return laid


def _judged(laid: SizedNetwork, state: bytes, data: DataSet) -> NetworkOutputs:
    return NetworkOutputs(
        laid, HeldOutOutputs(*measured(laid, state, data.validation)), HeldOutOutputs(*measured(laid, state, data.test))
    )


def _name(laid: SizedNetwork) -> str:
    return f"eexnas-{laid.architecture.name}"


def _told(searched: SearchOutcome, course: Course, networks: int) -> tuple[float, str, tuple[Curve, ...]]:
    number = len(searched.genes)
    words = f"Network {number + 1} of {networks}: {course.words.lower()}"
    return 0.98 * (number + course.share) / networks, words, _curves(course)


def _curves(course: Course) -> tuple[Curve, ...]:
    """Return the curves of the network that is or was trained last."""
    loss = loss_curve(course.losses, {"Both ends": (0, len(course.losses))}, "Training loss of the last network")
    series = tuple(Series(name, np.array(values), "%") for name, values in course.measured.items())
    epochs = np.arange(1, len(course.losses) + 1, dtype=np.float64)
    title = "Accuracy of the last network"
    return (loss, Curve("learning", title, epochs, "Epoch", "", series, role="progress")) if series else (loss,)


def _progress(searched: SearchOutcome) -> Any:
    scores = searched.normal.score(searched.values)
    numbers = np.arange(1, len(scores) + 1, dtype=np.float64) * len(THRESHOLDS)
    series = (Series("Weighted sum of a network", scores, ""), Series("Best so far", np.maximum.accumulate(scores), ""))
    return progress_curve("score", "Weighted sum of the objectives", numbers.tolist(), "Evaluations", *series)


def _front(record: Recorder) -> list[Architecture]:
    """Networks on the front, each once."""
    designs = record.designs
    decisions = [designs.decisions[row] for row in np.flatnonzero(designs.front(QUANTITIES)).tolist()]
    return list(dict.fromkeys(architecture_of(each) for each in decisions))[:_MOST_CODED]


def _last(instance: EexnasInstance, searched: SearchOutcome, data: DataSet, record: Recorder, repeats: Repeats) -> Step:
    """C code of what is best; why there is none, where no network keeps the limits."""
    if not len(searched.genes):
        needed = instance.device.ram(instance.space.smallest) / 1024
        return record.infeasible(unmet(RAM, needed, instance.allowed[RAM], reached=False))
    beyond = record.unmet()
    if beyond is not None:
        return record.infeasible(beyond)
    architectures = _front(record)
    best = _laid(instance.space, searched.genes[searched.best])
    coded = {
        f"{each.name}.c": _code(instance, _laid(instance.space, genes_of(each)), data, record.context)
        for each in architectures
    }
    files = (
        File(C_FILE, "text/x-c", _code(instance, best, data, record.context).encode()),
        File(ARCHIVE, "application/zip", zipped(coded)),
    )
    words = f"{counted(len(searched.genes))} networks trained; the weighted sum is best for {best.architecture.name}"
    results = (_normal_table(searched), *repeats.tables(), _data_note(instance, data), _code_note(data))
    return record.step(1.0, words, results, files)


def _code(instance: EexnasInstance, laid: SizedNetwork, data: DataSet, context: Context) -> str:
    state = _state(instance, laid, data, context)
    temperature = _judged(laid, state, data).temperature
    threshold = instance.params.search_threshold
    return code_of(laid, weights_of(state), threshold, temperature, data.title, data.classes, data.scaling)


def _normal_table(searched: SearchOutcome) -> Table:
    titles = ("Accuracy without exit", "Accuracy with exit", "Energy without exit", "Energy with exit")
    return Table(
        "weighted", "The best weighted sum",
        (
            TableColumn("Objective", titles),
            TableColumn("From 0 to 1, more is better", searched.values[searched.best]),
            TableColumn("Weight", searched.normal.weights),
        ),
    )  # fmt: skip


def _data_note(instance: EexnasInstance, data: DataSet) -> Note:
    words = f"Accuracies are of {instance.data_title}: {counted(len(data.validation))} windows to choose by, "
    words += f"{counted(len(data.test))} to report on, one training of each network that was searched. "
    words += "Joules and seconds follow from assumed cycles of an operation."
    level = "warning" if instance.data is None else "info"
    return Note("data", "What was learnt from", words, level)


def _code_note(data: DataSet) -> Note:
    """The values that the C code takes."""
    title = f"Values for {C_FILE}"
    if data.scaling is None:
        return Note("c-code", title, " ".join(NOT_STORED), "warning")
    words = "The C code takes values as they are recorded, in the units of the recordings: its head names the channels in their "
    return Note(
        "c-code", title, f"{words}order. It scales the values itself by mean and standard deviation of each channel."
    )


def evaluated(instance: EexnasInstance, decisions: Sequence[Mapping[str, Any]], context: Context) -> Designs:
    """Decisions as designs."""
    found = [judged.designs(instance, (threshold,)) for judged, threshold in judged_of(instance, decisions, context)]
    return Designs.concatenate(found)
