"""The plan of a run, before anything is searched."""

from __future__ import annotations

from math import isqrt, prod

import numpy as np

from engines.contract.engine import Bound, Plan, PlanCheck
from engines.contract.estimates import around
from engines.contract.integer_format import many, powers_of_ten
from engines.cost.memory_capacity import memory_check, memory_demand
from engines.mapping.problem.instance import Instance
from engines.mapping.solver.open_results import MOST_OPEN
from engines.mapping.solver.unit_costs import Skips
from engines.mapping.solver.unit_mapping import least
from engines.methods.soc_mapping.outcome import costs_words
from engines.methods.soc_mapping.params import SocMappingParams
from hardware.soc.summary import unit_title

# Processor time on one core: 34 blocks on 2 units 15 ms, 107 layers 0.1 s, 281 layers 0.7 s, all 25,578 settings of Xavier for
# 34 blocks 3.5 s. Results that wait for later blocks multiply the states by the units on which each may lie: six of them on 3 units
# take 100 times as long (an hourglass of 224 layers 12 s, a feature pyramid of 153 layers 9 s).
_SECONDS_PER_SQUARED_BLOCK_AND_UNIT = 2.5e-6
_SECONDS_PER_COST = 1e-6
_SECONDS_PER_SCORED_BLOCK = 4e-7
_TRANSITION_STATES = 10.0
_STATES_AS_QUICK_AS_ONE = 7.0
_START_S = 0.02


def make_plan(instance: Instance, params: SocMappingParams, settings: int, evaluations: int) -> Plan:
    """Return the plan.

    Args:
        instance: at the highest clocks alone.
        params: params of the run.
        settings: clock settings of the run.
        evaluations: mappings that are evaluated.
    """
    blocks, units = len(instance.blocks), len(instance.units)
    exact = params.method == "exact"
    states = max(1.0, units ** most_waiting(instance.costs.skips) / _STATES_AS_QUICK_AS_ONE)
    seconds = _START_S + states * _exact_s(params, blocks, units, settings)
    if not exact:
        seconds += params.evaluations * blocks * _SECONDS_PER_SCORED_BLOCK
    costs = instance.searched_costs
    exact_bounds = costs.skips is None  # bounds leave out the transfers of results that skip blocks
    latency_s = float(least(costs.latency_s, costs.handover_s)[0])
    bounds = [Bound("latency_s", "Latency of any mapping", latency_s, "s", exact_bounds)]
    if settings == 1:
        energy_j = float(least(costs.energy_j, costs.handover_j)[0])
        bounds.append(Bound("energy_j", "Energy of any mapping", energy_j, "J", exact_bounds))
    return Plan(
        evaluations=evaluations,
        memory_mb=200.0 + 2.0 * blocks + blocks * units * settings * 150e-6,
        time_s=around(seconds),
        checks=_checks(instance, params),
        bounds=tuple(bounds),
    )


def most_waiting(skips: Skips | None) -> int:
    """Return the most results that wait for later blocks at the same time, up to as many as the search tells apart."""
    if skips is None:
        return 0
    change = np.zeros(max(readers[-1] for readers in skips.readers) + 1, dtype=np.int64)
    np.add.at(change, np.array(skips.producer), 1)
    np.add.at(change, np.array([readers[-1] for readers in skips.readers]), -1)
    return min(MOST_OPEN, int(change.cumsum().max()))


def _exact_s(params: SocMappingParams, blocks: int, units: int, settings: int) -> float:
    searched = min(settings, 8 + isqrt(settings))  # bounds rule out the others
    each = _SECONDS_PER_SQUARED_BLOCK_AND_UNIT * blocks**2 * units
    if params.transition_limit is not None:
        each *= _TRANSITION_STATES
    return searched * each + blocks * units * settings * _SECONDS_PER_COST


def _checks(instance: Instance, params: SocMappingParams) -> tuple[PlanCheck, ...]:
    count = len(instance.blocks)
    able = [
        PlanCheck(
            bool(instance.allowed[:, number].any()),
            f"{unit_title(unit)} may have {instance.allowed[:, number].sum()} of {count} {params.granularity}",
        )
        for number, unit in enumerate(instance.units)
    ]
    return (
        *able,
        memory_check(
            instance.soc,
            memory_demand([instance.workload], stated=instance.model.counts_stated_bits),
            instance.model.bits,
        ),
        PlanCheck(True, f"Costs: {costs_words(instance)}"),
    )


def space_words(instance: Instance, settings: int) -> str:
    """Return how many mappings there are."""
    words = mappings_words(prod(instance.allowed.sum(axis=1).tolist()))
    return words if settings == 1 else f"{words} at each of {settings} clock settings"


def mappings_words(count: int) -> str:
    """Return a count of mappings: to the last one below a million, else with two digits and a power of ten."""
    return many(count, "mapping") if count < 1_000_000 else f"{powers_of_ten(count)} mappings"
