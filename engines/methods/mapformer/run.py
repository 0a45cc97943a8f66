"""The steps of a run: everything on the GPU as a baseline, the rounds of the manager, and what is said at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray
from engines.contract.engine import FileStore, Problem, Recorder, Step
from engines.contract.fronts.non_dominated import non_dominated, rounded
from engines.contract.integer_format import counted, many
from engines.contract.quantities import Sense
from engines.contract.results import HYPERVOLUME, Curve, Note, Result, Series
from engines.cost.soc_networks import fused_table, layer_starts
from engines.methods.mapformer.arrivals.arrival_report import arrival_results
from engines.methods.mapformer.estimator.fitting import estimator_of
from engines.methods.mapformer.estimator.stored_estimator import StoredEstimator
from engines.methods.mapformer.managers.manager import Random, Round, Task, kept, restored
from engines.methods.mapformer.managers.ours import OurManager
from engines.methods.mapformer.managers.registry import manager_of
from engines.methods.mapformer.managers.whole_gpu import WholeGpuManager
from engines.methods.mapformer.outcome import bound_note, comparison, model_notes, told_notes, unmet_limits
from engines.methods.mapformer.params import MapFormerParams
from engines.methods.mapformer.problem.designs import designs_of
from engines.methods.mapformer.problem.instance import MixInstance
from engines.methods.mapformer.quantities import QUANTITIES
from engines.methods.mapformer.random_classes import random_classes
from engines.simulation.board import Mappings
from engines.simulation.steady_state import Steady

_STEPS = 40
_FEWER = 5.0  # mappings that are told as a sample: a fifth of what other engines tell, as writing them takes longer than the search
_OBJECTIVES = ("throughput_per_s", "power_w", "fairness_fraction")  # inferences per joule follow from both

_SIGNS = (-1, 1, -1)
_SENSES: tuple[Sense, ...] = ("minimise", "minimise", "minimise")


def task_of(
    problem: Problem[MapFormerParams], instance: MixInstance, random: Random, files: FileStore | None = None
) -> Task:
    """Return the task for the manager; `files` contain the weights of its estimator, if it uses one."""
    units = [unit.name for unit in instance.board.units]
    kinds = tuple(instance.soc.units[_of_kind(name, instance)].kind for name in units)
    macs = []
    for model in instance.scenario.models:
        table = fused_table(model.network)
        macs.append(np.add.reduceat(np.where(table.runs, table.macs, 0.0), np.array(layer_starts(table))))
    said = None if files is None else estimator_of(problem, instance)
    told_by = None if said is None else StoredEstimator(said, instance.board, instance.soc.slug, cast(FileStore, files))
    return Task(
        instance.board, instance.space, instance.power_limit_w, instance.fairness, problem.params.evaluations, random,
        kinds, tuple(macs), told_by, problem.params.iterations, problem.params.operation_mode,
        instance.soc.slug,
    )  # fmt: skip


class Run:
    """A run from its start or from where it stopped."""

    def __init__(self, problem: Problem[MapFormerParams], instance: MixInstance, record: Recorder) -> None:
        self._problem, self._instance, self._record = problem, instance, record
        self._task = task_of(problem, instance, record.context.random, record.context.files)
        self._manager = manager_of(problem.params.manager, self._task)
        found = record.designs
        self._front: FloatArray = np.unique(
            found.matrix(_OBJECTIVES)[found.counted(QUANTITIES)] * _SIGNS, axis=0
        )  # minimised

    def steps(self) -> Iterator[Step]:
        """Yield the remaining steps of the run."""
        record = self._record
        if record.state is None:
            self._baseline()
            yield record.step(0.01, "Everything on the GPU", self._notes(), state={"round": 0})
        state = dict(record.state or {"round": 0})
        rounds, inner = self._manager.rounds, {key[8:]: value for key, value in state.items() if key[:8] == "manager."}
        least = (
            restored({key[6:]: value for key, value in state.items() if key[:6] == "least."})
            if "least.ends" in state
            else None
        )
        counts, best = list(state.get("counts", [])), [float(each) for each in state.get("best", [])]
        every = max(1, rounds // _STEPS)
        for number in range(int(state["round"]), rounds):
            tried = self._manager.round(number, inner)
            inner = dict(tried.state)
            least = self._least(tried, least)
            self._take(number, tried)
            if (number + 1) % every and number + 1 < rounds:
                continue
            counts.append(float(record.evaluations))
            best.append(float(-self._front[:, 0].min()) if len(self._front) else float("nan"))
            state = {"round": number + 1, "counts": counts, "best": np.array(best)}
            state |= {f"manager.{key}": value for key, value in inner.items()}
            state |= {f"least.{key}": value for key, value in (kept(least) if least is not None else {}).items()}
            words = f"{many(record.evaluations, 'mapping')}, {counted(len(self._front))} on the front"
            yield record.step(0.01 + 0.98 * (number + 1) / rounds, words, (_curve(counts, best),), state=state)
            if number + 1 < rounds and record.context.stop_requested():
                return
        yield self._end(least, inner)

    def _notes(self) -> tuple[Note, ...]:
        told_by = self._task.estimator
        notes = told_notes(self._instance, None if told_by is None else told_by.said)
        return (*model_notes(self._instance, "calibration" not in self._problem.inputs), *notes)

    def _baseline(self) -> None:
        """Record the baseline with all layers on the GPU, at the highest clock that meets the power limit or else at the lowest."""
        if not self._task.units_of("gpu"):
            return
        tried = WholeGpuManager(self._task).round(0, {})
        if not tried.steady.valid.all():
            return
        fits = np.flatnonzero(tried.steady.power_w <= self._task.power_limit_w)
        row = np.array([fits[0] if len(fits) else len(tried.mappings) - 1])
        designs = designs_of(self._instance, tried.mappings.take(row), _rows(tried.steady, row))
        self._record.add(
            type(designs)(designs.columns, designs.decisions, label=["Everything on the GPU"]), "baseline",
            np.zeros(1, np.int64),
        )  # fmt: skip

    def _take(self, number: int, tried: Round) -> None:
        """Count a round; take in what is new on the front, and a sample of the others that meet the limit."""
        at, steady = self._record.scored(len(tried.mappings)), tried.steady
        able = steady.valid & (steady.throughput_per_s > 0).all(axis=1)
        points = np.column_stack([-steady.mean_per_s, steady.power_w, -self._task.fairness.smallest(steady)])
        new = self._new_on_front(points, able & (self._shortfall(steady) == 0))
        total = _FEWER * float(self._problem.params.evaluations)
        picked = np.flatnonzero(new | (able & self._record.sampled(number, len(at), total)))
        if len(picked):
            self._record.add(
                designs_of(self._instance, tried.mappings.take(picked), _rows(steady, picked)), at=at[picked]
            )

    def _new_on_front(self, points: FloatArray, allowed: BoolArray) -> BoolArray:
        before, values = len(self._front), np.where(allowed[:, None], points, np.nan)
        both = np.concatenate([self._front, values])
        first = np.zeros(len(both), dtype=bool)
        first[np.unique(rounded(both), axis=0, return_index=True)[1]] = True
        keep = non_dominated(both, _SENSES) & first
        self._front = np.unique(both[keep], axis=0)
        return np.asarray(keep[before:])

    def _least(self, tried: Round, held: Mappings | None) -> Mappings | None:
        """Return the mapping nearest to the limits, while none keeps them."""
        short = np.where(tried.steady.valid, self._shortfall(tried.steady), np.inf)
        row = int(short.argmin())
        if len(self._front) or np.isinf(short[row]):
            return held
        if held is not None and self._shortfall(self._manager.tried(held).steady)[0] <= short[row]:
            return held
        return tried.mappings.take(np.array([row]))

    def _shortfall(self, steady: Steady) -> FloatArray:
        """Return by how much mappings violate the limits, in shares of these, added up (`engines.contract.limits.nearest`)."""
        columns = {"power_w": steady.power_w, "fairness_fraction": self._task.fairness.smallest(steady)}
        room = [limit.room(bound, columns) for limit, bound in self._instance.allowed.items()]
        return np.asarray(np.sum([np.zeros(len(steady.power_w)), *(np.maximum(-each, 0.0) for each in room)], axis=0))

    def _end(self, least: Mappings | None, state: Mapping[str, Any]) -> Step:
        record, instance = self._record, self._instance
        if not len(self._front):
            if least is not None:
                tried = self._manager.tried(least)
                record.add(designs_of(instance, least, tried.steady))
            designs = record.designs
            searched = designs.take(np.flatnonzero(designs.of_origin("search", "baseline")))
            return record.infeasible(unmet_limits(instance, searched, self._problem.params))
        exact = isinstance(self._manager, OurManager) and self._manager.exact
        told = self._manager.results(state)
        results: tuple[Result, ...] = (bound_note(instance, record.designs, exact), comparison(record.designs), *told)
        results += random_classes(self._task)
        results += arrival_results(instance, self._task, self._problem.params)
        return record.step(1.0, f"{many(len(self._front), 'mapping')} on the front", results)


def _rows(steady: Steady, rows: Any) -> Steady:
    return Steady(*(getattr(steady, name)[rows] for name in Steady.__dataclass_fields__))


def _of_kind(name: str, instance: MixInstance) -> str:
    """Return the name of the device's unit of which this is one."""
    return name if name in instance.soc.units else name.rpartition("-")[0]


def _curve(counts: list[float], best: list[float]) -> Curve:
    return Curve(
        name="throughput",
        title="Highest mean throughput so far",
        x=np.array(counts),
        x_title="Mappings simulated",
        x_unit="",
        series=(Series("Mean throughput", np.array(best), "1/s"),),
        role="progress",
        belongs_to=HYPERVOLUME,
    )
