"""The order in which a run of SCAR scores complete schedules. Deterministic: a resumed run walks through it again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from engines.contract import Context
from engines.errors import StopRequested
from engines.methods.scar.baselines import baseline_label, standalone_schedule
from engines.methods.scar.decision import STANDALONE_PREFIX, ScarSchedule
from engines.methods.scar.greedy import Trajectory, search_greedily
from engines.methods.scar.params import Objective
from engines.methods.scar.proposals import build_pools, proposed_schedules
from engines.methods.scar.reconfig import assign_windows
from engines.methods.scar.tables import ScenarioTables, build_tables, with_dataflow
from engines.methods.scar.windows import find_infeasibility
from engines.workloads.network import Scenario
from hardware.package import DATAFLOWS, ChipletPackage

OBJECTIVES: tuple[Objective, ...] = ("edp", "latency", "energy")
OBJECTIVE_TITLES = {"edp": "energy-delay product", "latency": "latency", "energy": "energy"}
WIDE_TOP_K = 32
_BATCHES = 30
_LARGEST_BATCH = 10_000


@dataclass(frozen=True)
class Candidate:
    """A complete schedule to be scored, with the origin and label of its design.

    Attributes:
        title: name in the comparison at the end of the run; "" keeps it out.
    """

    schedule: ScarSchedule
    origin: str = "search"
    label: str = ""
    title: str = ""


@dataclass(frozen=True)
class Batch:
    """Schedules that are scored and reported together."""

    message: str
    candidates: tuple[Candidate, ...]
    notes: tuple[str, ...] = ()


def schedule_batches(
    package: ChipletPackage, scenario: Scenario, tables: ScenarioTables, context: Context
) -> Iterator[Batch]:
    """Batches of `params.evaluations` schedules in all, fewer if the kept mappings offer no more.

    First the published greedy schedule, then the baselines, then greedy passes that keep more segmentations, one per
    objective, then combinations of what all passes kept.
    """
    params = tables.params
    windows = assign_windows(tables, params.n_splits)

    def stop_if_asked() -> None:
        if context.stop_requested():
            raise StopRequested

    published = search_greedily(tables, windows, params.objective, between=stop_if_asked)
    title = f"Greedy schedule by {OBJECTIVE_TITLES[params.objective]}"
    yield Batch(title, (Candidate(published.schedule, title=title),), published.notes)
    scored = 1
    if params.baselines:
        for dataflow in DATAFLOWS:
            baselines = _baselines(package, scenario, tables, dataflow)
            scored += len(baselines)
            yield Batch(f"Baselines on {dataflow} chiplets", baselines)
    wide = replace(tables, params=params.model_copy(update={"top_k": max(params.top_k, WIDE_TOP_K)}))
    trajectories: list[Trajectory] = [published]
    known = {published.schedule}
    for objective in OBJECTIVES:
        trajectory = search_greedily(wide, windows, objective, between=stop_if_asked)
        trajectories.append(trajectory)
        if trajectory.schedule not in known:
            known.add(trajectory.schedule)
            scored += 1
            title = f"Greedy schedule by {OBJECTIVE_TITLES[objective]}, {wide.params.top_k} segmentations per model"
            yield Batch(title, (Candidate(trajectory.schedule, title=title),), trajectory.notes)
    proposed = (s for s in proposed_schedules(build_pools(tables, trajectories), context) if s not in known)
    yield from _combinations(proposed, params.evaluations - scored)


def _baselines(
    package: ChipletPackage, scenario: Scenario, tables: ScenarioTables, dataflow: str
) -> tuple[Candidate, ...]:
    """Simba and standalone on the package with all chiplets of `dataflow`; those that cannot run are left out."""
    variant = build_tables(with_dataflow(package, dataflow), scenario, tables.params)
    found = []
    windows = assign_windows(variant, variant.params.n_splits)
    if find_infeasibility(variant, windows) is None:
        simba = search_greedily(variant, windows, variant.params.objective, layout=dataflow)
        found.append(_baseline(simba.schedule, dataflow))
    standalone = standalone_schedule(variant, dataflow)
    if standalone is not None:
        found.append(_baseline(standalone, STANDALONE_PREFIX + dataflow))
    return tuple(found)


def _baseline(schedule: ScarSchedule, layout: str) -> Candidate:
    label = baseline_label(layout)
    return Candidate(schedule, "baseline", label, title=label)


def _combinations(proposed: Iterator[ScarSchedule], count: int) -> Iterator[Batch]:
    """At most `count` schedules in about `_BATCHES` batches."""
    size = max(1, min(-(-count // _BATCHES), _LARGEST_BATCH))
    while count > 0:
        batch = tuple(Candidate(schedule) for schedule in islice(proposed, min(size, count)))
        if not batch:
            return
        count -= len(batch)
        yield Batch("Combinations of window mappings", batch)
