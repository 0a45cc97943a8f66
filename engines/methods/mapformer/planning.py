"""The plan of a run, before anything is searched."""

from __future__ import annotations

from engines.contract.engine import Bound, Plan, PlanCheck
from engines.contract.estimates import around
from engines.contract.integer_format import many
from engines.methods.mapformer.estimator.document import TrainedEstimator
from engines.methods.mapformer.managers.genetic import GENERATIONS, POPULATION
from engines.methods.mapformer.managers.omniboost import BUDGET, PER_ROUND
from engines.methods.mapformer.managers.ours import most_evaluations
from engines.methods.mapformer.omniboost.shipped_networks import FREE, OMNIBOOST, shipped_for
from engines.methods.mapformer.params import MapFormerParams
from engines.methods.mapformer.problem.instance import MixInstance
from hardware.soc.summary import unit_title

# Processor time on one core: ten networks, three segments, 80,000 mappings 1.2 s with the search, 0.5 s drawn; the bound 0.4 s.
_SECONDS_PER_MAPPING = {"ours": 1.5e-5, "random": 1e-5}
_START_S, _BOUND_S = 0.8, 0.4
_TORCH_S, _TORCH_MB = 3.0, 8000.0  # torch alone takes 4 GB of addresses
_SECONDS_PER_ITERATION = 0.02
_SECONDS_PER_WAY = 0.002
_SPARSE = ("gpu", "mosaic", "odmdef")


def evaluations_of(instance: MixInstance, params: MapFormerParams) -> int:
    """Return the mappings that the manager simulates, at most."""
    levels = int(instance.space.counts.max())
    if params.manager == "mapformer":
        return params.iterations // 10 + 25
    if params.manager == "genetic":
        return POPULATION * GENERATIONS * levels
    if params.manager in OMNIBOOST:
        return BUDGET // PER_ROUND * levels
    if params.manager in _SPARSE:
        return levels
    return most_evaluations(params.evaluations) if params.manager == "ours" else params.evaluations


def make_plan(instance: MixInstance, params: MapFormerParams, told_by: TrainedEstimator | None, count: int) -> Plan:
    """Return the plan of so many mappings; `told_by` says which estimator a manager asks."""
    each = _SECONDS_PER_MAPPING.get(params.manager, 1e-5) * len(instance.names) / 10
    asked = told_by is not None or params.manager in OMNIBOOST
    seconds = _START_S + count * each + (_TORCH_S if asked else 0.0)
    seconds += params.iterations * _SECONDS_PER_ITERATION if told_by is not None else 0.0
    seconds += BUDGET * _SECONDS_PER_WAY if params.manager in OMNIBOOST else 0.0
    return Plan(
        evaluations=count,
        memory_mb=_TORCH_MB if asked else 250.0,
        time_s=around(seconds + _changes_s(params, each)),
        needs=frozenset({"torch"}) if asked else frozenset(),
        determinism="pinned" if asked else "exact",
        checks=(*_checks(instance), *_told_checks(told_by), *_network_checks(instance, params)),
    )


def _changes_s(params: MapFormerParams, each_s: float) -> float:
    """Return the seconds for networks that arrive and leave: an answer and a bound for each change, and one mapping of all."""
    if not params.changes.strip():
        return 0.0
    answers = 1 + params.changes.count(":")
    return answers * (_BOUND_S + params.answer_evaluations * each_s)


def _told_checks(told_by: TrainedEstimator | None) -> tuple[PlanCheck, ...]:
    if told_by is None:
        return ()
    found = told_by.accuracy.held_out
    words = f"{told_by.title}: within one class of the simulator's throughput for {100 * found.throughput_near:.0f} % of held-out "
    return (PlanCheck(True, f"{words}mappings, of its power for {100 * found.power_near:.0f} %"),)


def _network_checks(instance: MixInstance, params: MapFormerParams) -> tuple[PlanCheck, ...]:
    shipped = shipped_for(instance.soc.slug) if params.manager in OMNIBOOST else None
    if shipped is None:
        return ()
    name = FREE if params.manager == "omniboost" else shipped.within(instance.power_limit_w)
    mode = "" if shipped.modes_w[name] is None else f" within {shipped.modes_w[name]:g} W"
    words = f"Network of OmniBoost for {shipped.title}{mode}: R² {shipped.determination[name]:.2f} of the simulator's throughput, "
    return (PlanCheck(True, f"{words}{many(shipped.mappings, 'mapping')} of held-out mixes"),)


def known_bounds(instance: MixInstance) -> tuple[Bound, ...]:
    """Check that some unit and the memory are on."""
    least = instance.board.memory_idle_w + min(unit.idle_w for unit in instance.board.units)
    return (Bound("power_w", "Power of any mapping", least, "W"),)


def _checks(instance: MixInstance) -> tuple[PlanCheck, ...]:
    board = instance.board
    clocks = ", ".join(f"{unit_title(unit.name)} {len(unit.clocks_hz)}" for unit in board.units)
    return (
        PlanCheck(True, f"Clock frequencies and off: {clocks}"),
        PlanCheck(True, f"Costs: {instance.covered.words()}"),
    )
