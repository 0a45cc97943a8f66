"""The rounds of a manager as a search, and what is said at their end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray
from engines.contract.engine import FileStore, Problem, Step
from engines.contract.fronts.non_dominated import non_dominated, rounded
from engines.contract.integer_format import counted, many
from engines.contract.quantities import Sense
from engines.contract.results import HYPERVOLUME, Curve, Series
from engines.cost.soc_networks import fused_table, layer_starts
from engines.methods.mapformer.arrivals.arrival_report import arrival_results
from engines.methods.mapformer.estimator.fitting import estimator_of
from engines.methods.mapformer.estimator.stored_estimator import StoredEstimator
from engines.methods.mapformer.managers.manager import Random, Round, Task, kept, restored
from engines.methods.mapformer.managers.ours import OurManager
from engines.methods.mapformer.managers.registry import manager_of
from engines.methods.mapformer.outcome import bound_note
from engines.methods.mapformer.params import MapFormerParams
from engines.methods.mapformer.problem.instance import MixInstance
from engines.methods.mapformer.quantities import QUANTITIES
from engines.methods.mapformer.random_classes import random_classes
from engines.search.strategies import Search
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
    """The rounds of a manager, from the first or from where a run stopped."""

    def __init__(
        self, task: Task, problem: Problem[MapFormerParams], instance: MixInstance, search: Search[Mappings]
    ) -> None:
        self._search, self._record, self._params, self._instance = search, search.record, problem.params, instance
        self._task, self._manager = task, manager_of(problem.params.manager, task)
        found = self._record.designs
        self._front: FloatArray = np.unique(
            found.matrix(_OBJECTIVES)[found.counted(QUANTITIES)] * _SIGNS, axis=0
        )  # minimised

    def steps(self) -> Iterator[Step]:
        """Yield the remaining steps of the run."""
        record = self._record
        state = dict(record.state or self._search.beginning.kept)
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
            if record.context.stop_requested():
                return
        self._end(least, inner)

    def _take(self, number: int, tried: Round) -> None:
        """Count a round; take in what is new on the front, and a sample of the others that meet the limit."""
        at, steady = self._record.scored(len(tried.mappings)), tried.steady
        able = steady.valid & (steady.throughput_per_s > 0).all(axis=1)
        points = np.column_stack([-steady.mean_per_s, steady.power_w, -self._task.fairness.smallest(steady)])
        new = self._new_on_front(points, able & (self._shortfall(steady) == 0))
        total = _FEWER * float(self._params.evaluations)
        picked = np.flatnonzero(new | (able & self._record.sampled(number, len(at), total)))
        if len(picked):
            self._record.add(
                self._search.evaluate([tried.mappings.take(row) for row in picked[:, None]]), at=at[picked]
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

    def _end(self, least: Mappings | None, state: Mapping[str, Any]) -> None:
        if not len(self._front):
            if least is not None:
                self._record.add(self._search.evaluate([least]))
            return
        exact = isinstance(self._manager, OurManager) and self._manager.exact
        self._search.results = (
            bound_note(self._instance, self._record.designs, exact),
            *self._manager.results(state),
            *random_classes(self._task),
            *arrival_results(self._instance, self._task, self._params),
        )
        self._search.words = f"{many(len(self._front), 'mapping')} on the front"


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
