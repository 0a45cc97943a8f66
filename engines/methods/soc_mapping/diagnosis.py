"""Why no mapping keeps all limits: which limit, what would be needed, and what would mend it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from engines.contract.engine import Infeasibility
from engines.contract.thousandths import SHOWN_UNITS, in_thousandths
from engines.mapping.search.exact import within
from engines.mapping.solver.unit_mapping import (
    FrontSearch,
    MappingFront,
    MappingLimits,
    SettingBounds,
    UnitCosts,
    least_excess,
)
from engines.methods.soc_mapping.params import SocMappingParams

_SETTINGS = 16  # per search: of many settings those that promise most decide first
_STEP = 1e-9  # relative: what is less than that below the best found is not looked for
# name -> (words, unit, fields that set the limit)
_LIMITS = {
    "latency_s": ("latency", "s", ("latency_limit_s", "latency_slack_percent")),
    "energy_j": ("energy", "J", ("energy_limit_j",)),
    "power_w": ("average power", "W", ("power_limit_w",)),
    "transitions": ("changes of unit", "changes", ("transition_limit",)),
}


def diagnose(costs: UnitCosts, limits: MappingLimits, params: SocMappingParams, labels: int) -> Infeasibility:
    """The first limit that cannot be kept beside the others.

    Limits are taken one after the other, in the order latency, energy, power, changes of unit, until nothing is left that keeps
    those taken so far; the least that a mapping within the earlier ones needs of the last is the demand.
    """
    taken = MappingLimits()
    for name, (words, unit, fields) in _LIMITS.items():
        bound = getattr(limits, name)
        if bound is None or not np.isfinite(bound):
            continue
        tried = replace(taken, **{name: bound})
        if len(whole_front(costs, tried, labels).setting):
            taken = tried
            continue
        demand = _least(costs, taken, name, labels)
        others = [_LIMITS[other][0] for other in _LIMITS if other != name and _is_set(taken, other)]
        limit = f"{words} of a mapping" + (f" within the limits on {' and '.join(others)}" if others else "")
        field = next((field for field in fields if getattr(params, field) is not None), fields[0])
        remedies = [(f"Allow {_above(demand, unit)}.", f"params.{field}")]
        remedies += [
            (f"Relax the limit on {_LIMITS[o][0]}.", f"params.{_field(params, o)}")
            for o in _LIMITS
            if _is_set(taken, o)
        ]
        if params.unit_rules.strip():
            remedies.append(("Allow more units per block.", "params.unit_rules"))
        if params.clocks == "fixed" and name in ("energy_j", "power_w"):
            remedies.append(("Search the clocks too.", "params.clocks"))
        return Infeasibility(limit, demand, float(bound), unit, demand - float(bound), tuple(remedies))
    raise ValueError("diagnose must be called for limits that no mapping keeps.")


def whole_front(costs: UnitCosts, limits: MappingLimits, labels: int) -> MappingFront:
    """The front over all settings in one piece; only as far as anything is found that keeps the limits."""
    search = FrontSearch(costs, limits, labels)
    # With a limit on power those settings first whose mappings go furthest below it.
    first = SettingBounds(costs).order()
    if np.isfinite(limits.power_w):
        first = np.argsort(least_excess(costs, limits.power_w), kind="stable")
    order = within(limits, costs, first)
    front = search.front(order[:_SETTINGS])
    for begin in range(_SETTINGS, len(order), _SETTINGS):
        if len(front.setting):
            break
        front = search.front(order[begin : begin + _SETTINGS])
    return front


def _least(costs: UnitCosts, limits: MappingLimits, name: str, labels: int) -> float:
    """The least that a mapping within the limits needs of one more quantity: by asking for less until nothing is found."""
    if name == "transitions":
        return float(_least_transitions(costs, limits, labels))
    best, tried = np.inf, limits
    while len((front := whole_front(costs, tried, labels)).setting):
        values = {
            "latency_s": front.scores.latency_s,
            "energy_j": front.scores.energy_j,
            "power_w": front.scores.energy_j / front.scores.latency_s,
        }
        best = float(values[name].min())
        lower: dict[str, Any] = {name: best * (1 - _STEP)}
        tried = replace(limits, **lower)
    return best


def _least_transitions(costs: UnitCosts, limits: MappingLimits, labels: int) -> int:
    """By bisection: with more changes allowed everything stays possible."""
    low, high = 0, costs.blocks - 1
    while low < high:
        middle = (low + high) // 2
        found = whole_front(costs, replace(limits, transitions=middle), labels)
        low, high = (low, middle) if len(found.setting) else (middle + 1, high)
    return low


def _is_set(limits: MappingLimits, name: str) -> bool:
    value = getattr(limits, name)
    return value is not None and bool(np.isfinite(value))


def _field(params: SocMappingParams, name: str) -> str:
    fields = _LIMITS[name][2]
    return next((field for field in fields if getattr(params, field) is not None), fields[0])


def _above(demand: float, unit: str) -> str:
    if unit == "changes":
        return f"{demand:g} {unit}"
    enough = demand * (1 + 1e-5)
    return f"at least {in_thousandths(enough, unit) if unit in SHOWN_UNITS else f'{enough:.6g} {unit}'}"
