"""The best schedules of one package: the door to SCAR's exact search, the same for search, evaluation and explanation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.chiplets.costs.scoring import COLUMNS as SCHEDULE_COLUMNS
from engines.chiplets.costs.scoring import Scorer
from engines.chiplets.joint.best_schedule import best_schedule
from engines.chiplets.problem.decision import PackageSchedule
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.tables import ScenarioTables, build_tables
from engines.chiplets.windows.feasibility import find_infeasibility
from engines.chiplets.windows.options import DeadEndError
from engines.chiplets.windows.reconfig import LayerRange, assign_windows
from engines.contract.arrays import FloatArray
from engines.contract.engine import Infeasibility
from engines.cost.package.area import package_area_mm2
from engines.methods.package_search.packages.candidate import Candidate, build_package
from engines.methods.package_search.packages.package_cost import cost_usd
from engines.methods.package_search.params import (
    OBJECTIVE_COLUMNS,
    PackageSearchParams,
    ScheduleGoal,
    objectives,
    schedule_params,
)
from engines.methods.package_search.quantities import COLUMNS
from engines.methods.package_search.search.archive import rules_out
from engines.methods.package_search.search.bounds import schedule_front
from engines.workloads.network import Scenario
from hardware.package.model import ChipletPackage
from hardware.silicon.model import SiliconCosts

_ROUNDING = 1e-9


@dataclass(frozen=True)
class ScheduleProblem:
    """The common parts of all packages of a run: the given package, the workload and the parameters."""

    base: ChipletPackage
    scenario: Scenario
    params: PackageSearchParams
    costs: SiliconCosts | None = None

    def cost_usd(self, package: ChipletPackage) -> float:
        """Return the cost of a system with that package; NaN without costs."""
        return cost_usd(package, self.costs, self.params.systems)

    def tables(self, candidate: Candidate) -> ScenarioTables:
        """Return the costs of the workload on a package."""
        return build_tables(build_package(self.base, candidate), self.scenario, schedule_params(self.params))

    def windows(self, tables: ScenarioTables) -> tuple[tuple[LayerRange, ...], ...]:
        """Return the layers of each model per window."""
        return assign_windows(tables, self.params.n_splits)


@dataclass(frozen=True)
class Task:
    """A package and what it is to be scheduled for.

    Attributes:
        candidate: the package.
        goals: in this order.
        bound: lower bound of its schedules; None: every goal is searched.
        front: what was found so far in the chosen objectives, shape `n x objectives`.
    """

    candidate: Candidate
    goals: tuple[ScheduleGoal, ...]
    bound: PackageBound | None = None
    front: FloatArray | None = None


@dataclass(frozen=True)
class BestSchedule:
    """The best schedule of a package by one goal.

    Attributes:
        values: values of `quantities.COLUMNS`.
        states: partial mappings that the search looked at.
        windows, proven: windows, and how many of them are proven optimal from where the one before ends; with
            schedules=joint 1 and whether the whole schedule is.
    """

    candidate: Candidate
    goal: ScheduleGoal
    schedule: PackageSchedule
    values: tuple[float, ...]
    states: int
    windows: int
    proven: int


def schedule_package(setting: ScheduleProblem, task: Task) -> tuple[BestSchedule, ...]:
    """Return the best schedule for each goal; none where the workload cannot run on the package.

    A goal is left out if its best schedule, at least as good as those found before, cannot be Pareto-optimal.
    """
    tables = setting.tables(task.candidate)
    windows = setting.windows(tables)
    if find_infeasibility(tables, windows) is not None:
        return ()
    scorer = Scorer(tables)
    founds: list[BestSchedule] = []
    for goal in task.goals:
        if _is_hopeless(setting, task, goal, founds):
            continue
        try:
            founds.append(_best(setting, task.candidate, scorer, windows, goal))
        except DeadEndError:  # models end where too few can start again, whatever was tried
            continue
    return tuple(founds)


def _is_hopeless(setting: ScheduleProblem, task: Task, goal: ScheduleGoal, founds: Sequence[BestSchedule]) -> bool:
    """Return whether the best schedule by `goal` can add nothing to the front and to what the package itself offers already.

    Certain for schedules over all windows together. Window by window the schedule by `goal` may come out worse by it than one
    found for another goal; that it then still adds something by another objective is taken for out of the question.
    """
    if task.bound is None or task.front is None or not founds:
        return False
    chosen = objectives(setting.params)
    own = np.array([[found.values[COLUMNS.index(OBJECTIVE_COLUMNS[name])] for name in chosen] for found in founds])
    least = min(found.values[COLUMNS.index(OBJECTIVE_COLUMNS[goal])] for found in founds)
    reachable = task.bound.points((goal,))[:, 0] <= least * (1 + _ROUNDING)
    least_gain = setting.params.least_gain_percent / 100.0
    return rules_out(np.concatenate([task.front, own]), task.bound.points(chosen)[reachable], least_gain)


def _best(
    setting: ScheduleProblem,
    candidate: Candidate,
    scorer: Scorer,
    windows: tuple[tuple[LayerRange, ...], ...],
    name: ScheduleGoal,
) -> BestSchedule:
    joint = setting.params.schedules == "joint"
    best = best_schedule(scorer, windows, Goal(name), joint=joint, joint_states=setting.params.joint_states)
    values = package_values(setting, scorer, best.schedule)
    return BestSchedule(candidate, name, best.schedule, values, best.states, best.windows, best.proven)


def package_values(setting: ScheduleProblem, scorer: Scorer, schedule: PackageSchedule) -> tuple[float, ...]:
    """Return the values of `quantities.COLUMNS` of a package and a schedule on it."""
    package = scorer.tables.package_model.package
    found = dict(zip(SCHEDULE_COLUMNS, scorer.score(schedule), strict=True))
    used = {chiplet for window in schedule.windows for placement in window for chiplet in placement.path}
    interfaces = sum(package.has_interface(chiplet.index) for chiplet in package.chiplets)
    found |= {
        "area_mm2": package_area_mm2(package),
        "cost_usd": setting.cost_usd(package),
        "processing_elements": float(sum(chiplet.processing_elements for chiplet in package.chiplets)),
        "nvdla_chiplets": float(sum(chiplet.dataflow == "nvdla" for chiplet in package.chiplets)),
        "unused_chiplets": float(len(package.chiplets) - len(used)),
        "link_gb_per_s": package.network.bandwidth_bytes_per_s / 1e9,
        "memory_gb_per_s": package.memory.bandwidth_bytes_per_s / 1e9 * interfaces,
    }
    return tuple(found[name] for name in COLUMNS)


@dataclass(frozen=True)
class PackageBound:
    """The cost of the designs of a package are at best: points of latency and energy, its area and its."""

    latency_s: FloatArray
    energy_j: FloatArray
    area_mm2: float
    cost_usd: float

    def points(self, objectives: Sequence[str]) -> FloatArray:
        """Return the points in the chosen objectives (keys of `params.OBJECTIVE_COLUMNS`), shape `n x objectives`."""
        values = {
            "latency": self.latency_s,
            "energy": self.energy_j,
            "edp": self.latency_s * self.energy_j,
            "area": np.full(len(self.latency_s), self.area_mm2),
            "cost": np.full(len(self.latency_s), self.cost_usd),
        }
        return np.column_stack([values[name] for name in objectives])

    @property
    def least_edp_js(self) -> float:
        """The least energy-delay product."""
        return float((self.latency_s * self.energy_j).min())


def bound_package(setting: ScheduleProblem, candidate: Candidate) -> PackageBound | Infeasibility:
    """Return the bound of a package, or why the workload cannot run on it."""
    tables = setting.tables(candidate)
    windows = setting.windows(tables)
    infeasible = find_infeasibility(tables, windows)
    if infeasible is not None:
        return infeasible
    front = schedule_front(tables, windows, Goal(tables.params.objective))
    package = tables.package_model.package
    return PackageBound(front.latency_s, front.energy_j, package_area_mm2(package), setting.cost_usd(package))
