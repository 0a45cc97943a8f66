"""Diagnosis of an infeasible problem: the limit that fails, the value that could be reached, and remedies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from engines.contract.engine import Infeasibility
from engines.contract.limits import Limit, unmet
from engines.mapping.problem.limits import FIELDS
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


def diagnose(costs: UnitCosts, limits: MappingLimits, params: SocMappingParams) -> Infeasibility:
    """Return the first limit that cannot be met together with the others.

    Limits are taken one after the other, in the order latency, energy, power, changes of unit, until nothing is left that keeps
    those taken so far; the least that a mapping within the earlier ones needs of the last is the demand.
    """
    labels = params.labels
    named = {name: _by_params(limit, params) for name, limit in FIELDS.items()}
    taken, kept = MappingLimits(), list[Limit]()
    for name, limit in named.items():
        bound = getattr(limits, name)
        if bound is None or not np.isfinite(bound):
            continue
        tried = replace(taken, **{name: bound})
        if len(whole_front(costs, tried, labels).setting):
            taken = tried
            kept.append(limit)
            continue
        found = unmet(limit, _least(costs, taken, name, labels), bound, kept, f"{limit.title} of a mapping")
        remedies = list(found.remedies)
        if params.unit_rules.strip():
            remedies.append(("Allow more units per block.", "params.unit_rules"))
        if params.clocks == "fixed" and name in ("energy_j", "power_w"):
            remedies.append(("Search the clocks too.", "params.clocks"))
        return replace(found, remedies=tuple(remedies))
    raise ValueError("diagnose must be called for limits that no mapping keeps.")


def _by_params(limit: Limit, params: SocMappingParams) -> Limit:
    """Return the limit by the parameter that sets it: latency may be limited relative to the fastest single unit alone."""
    relative = limit.param == "latency_limit_s" and params.latency_limit_s is None
    return replace(limit, param="latency_slack_percent") if relative else limit


def whole_front(costs: UnitCosts, limits: MappingLimits, labels: int) -> MappingFront:
    """Return the front over all settings as one, computed only as far as designs meet the limits."""
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
    """Return the least that a mapping within the limits needs of one more quantity: by asking for less until nothing is found."""
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
    """Return the least number by bisection: with more changes allowed everything stays possible."""
    low, high = 0, costs.blocks - 1
    while low < high:
        middle = (low + high) // 2
        found = whole_front(costs, replace(limits, transitions=middle), labels)
        low, high = (low, middle) if len(found.setting) else (middle + 1, high)
    return low
