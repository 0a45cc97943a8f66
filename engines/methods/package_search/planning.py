"""The plan of a package search: packages, schedules, time."""

from __future__ import annotations

from engines.chiplets.windows.growth import window_growth
from engines.contract.engine import Bound, Infeasibility, Plan, PlanCheck
from engines.contract.estimates import around
from engines.contract.integer_format import counted, many
from engines.methods.package_search.packages.candidate import candidate_of
from engines.methods.package_search.packages.space import PackageSpace
from engines.methods.package_search.params import schedule_goals
from engines.methods.package_search.search.scheduling import ScheduleProblem, bound_package

# Processor time of a schedule of scenario 4 (487 layers) on 9 chiplets, in one window or in five, and of its bound.
_SECONDS_PER_LAYER = 9e-5
_SECONDS_PER_BOUND = 0.004
_LARGE_PACKAGE = 12
_SLOWER_JOINT = 14.0
_BASELINES = 8
_MOST_RANKED = 20_000  # beyond, bounds of all packages take longer than a search needs


def is_exhaustive(space: PackageSpace, setting: ScheduleProblem) -> bool:
    """Return whether all packages are gone through."""
    if setting.params.method != "auto":
        return setting.params.method == "exhaustive"
    return space.count() <= _MOST_RANKED and space.can_be_listed()


def make_plan(setting: ScheduleProblem, space: PackageSpace) -> Plan:
    """Return the plan, within milliseconds."""
    params, count = setting.params, space.count()
    goals = len(schedule_goals(params))
    exhaustive = is_exhaustive(space, setting)
    most = min(params.evaluations, count * goals + (_BASELINES if params.baselines else 0))
    chiplets = len(setting.base.chiplets)
    layers = sum(len(model.network.layers) for model in setting.scenario.models)
    each = _SECONDS_PER_LAYER * layers * window_growth(chiplets)
    each *= _SLOWER_JOINT if params.schedules == "joint" else 1.0
    seconds = most * each + (count * _SECONDS_PER_BOUND if exhaustive else 0.0)
    bound = bound_package(setting, candidate_of(setting.base))
    known = (
        ()
        if isinstance(bound, Infeasibility)
        else (  # of the given package alone: others may have less
            Bound(None, "Lower bound of the given package's energy-delay product", bound.least_edp_js, "J·s"),
            Bound(None, "Silicon of the given package", bound.area_mm2, "mm²"),
        )
    )
    return Plan(
        evaluations=most,
        memory_mb=250.0 + (count * 0.01 if exhaustive else 0.0),
        time_s=around(seconds),
        determinism="exact",
        checks=_checks(setting, space, bound, exhaustive),
        bounds=known,
        notes=_notes(setting, space, exhaustive),
    )


def _checks(setting: ScheduleProblem, space: PackageSpace, bound: object, exhaustive: bool) -> tuple[PlanCheck, ...]:
    runs = not isinstance(bound, Infeasibility)
    way = "all of them, as far as bounds do not rule them out" if exhaustive else "NSGA-II"
    return (
        PlanCheck(
            True, f"{many(space.count(), 'package')} up to symmetry ({counted(space.labelled())} labelled): {way}"
        ),
        PlanCheck(
            runs, "The workload runs on the given package" if runs else "The workload cannot run on the given package"
        ),
    )


def _notes(setting: ScheduleProblem, space: PackageSpace, exhaustive: bool) -> tuple[str, ...]:
    notes = []
    wanted = space.count() * len(schedule_goals(setting.params))
    if exhaustive and wanted > setting.params.evaluations:
        notes.append(
            f"{many(wanted, 'schedule')} may be needed; with fewer evaluations the least promising packages are left out."
        )
    if len(setting.base.chiplets) > _LARGE_PACKAGE:
        notes.append(f"Beyond {_LARGE_PACKAGE} chiplets schedules are good ones, not proven best.")
    return tuple(notes)
