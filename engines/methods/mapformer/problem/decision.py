"""The decision of a design: segments of every network, and the clock of every unit.

{"networks": [[[layer after the last, unit] of each segment] of each network of the mix], "clocks_mhz": {unit: MHz or "off"}}.
Units that are left out are off.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.errors import DecisionError
from engines.methods.mapformer.problem.instance import MixInstance
from engines.simulation.board import Mappings
from engines.simulation.steady_state import steady_state

_KEYS = ("networks", "clocks_mhz")
_HZ_PER_MHZ = 1e6
_OFF = "off"
_NEAR = 0.03


def encoded(instance: MixInstance, mapping: Mappings) -> dict[str, Any]:
    """Return the decision of one mapping that was tidied."""
    units = instance.board.units
    ((ends, places, steps),) = zip(mapping.ends.tolist(), mapping.units.tolist(), mapping.steps.tolist(), strict=True)
    networks = [
        [[end, units[unit].name] for end, unit, before in zip(row, where, [0, *row[:-1]], strict=True) if end > before]
        for row, where in zip(ends, places, strict=True)
    ]
    clocks = {
        unit.name: unit.clocks_hz[step - 1] / _HZ_PER_MHZ if step else _OFF
        for unit, step in zip(units, steps, strict=True)
    }
    return {"networks": networks, "clocks_mhz": clocks}


def decoded(instance: MixInstance, decision: Mapping[str, Any]) -> Mappings:
    """Return one mapping.

    Raises:
        DecisionError: the decision does not describe a mapping that can run.
    """
    for key in decision:
        if key not in _KEYS:
            raise DecisionError(f"decision.{key}", decision[key], f"one of the keys {' and '.join(_KEYS)}")
    steps = _steps(instance, decision.get("clocks_mhz"))
    given, count = decision.get("networks"), len(instance.names)
    if not isinstance(given, list | tuple) or len(given) != count:
        raise DecisionError("decision.networks", given, f"a list of {count}, the segments of each network")
    ends = np.zeros((1, count, instance.space.segments), dtype=np.int64)
    units = np.zeros_like(ends)
    for number, segments in enumerate(given):
        ends[0, number], units[0, number] = _segments(instance, number, segments, steps)
    return Mappings(ends, units, steps[None])


def _steps(instance: MixInstance, given: Any) -> IntArray:
    names = [unit.name for unit in instance.board.units]
    if not isinstance(given, Mapping) or any(name not in names for name in given):
        raise DecisionError("decision.clocks_mhz", given, f"a mapping of units ({', '.join(names)}) to MHz or {_OFF}")
    steps = np.zeros(len(names), dtype=np.int64)
    for number, unit in enumerate(instance.board.units):
        value = given.get(unit.name, _OFF)
        if value == _OFF:
            continue
        known = np.array(unit.clocks_hz)
        mhz = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else np.nan
        near = np.abs(known - mhz * _HZ_PER_MHZ)
        if not near.min() <= _NEAR * known[near.argmin()]:
            accepted = f'"{_OFF}", or within 3 % of a step in MHz: {", ".join(f"{hz / _HZ_PER_MHZ:g}" for hz in known)}'
            raise DecisionError(f"decision.clocks_mhz.{unit.name}", value, accepted)
        steps[number] = int(near.argmin()) + 1
    return steps


def _segments(instance: MixInstance, number: int, given: Any, steps: IntArray) -> tuple[list[int], list[int]]:
    board, most = instance.board, instance.space.segments
    layers, field = int(board.layers[number]), f"decision.networks.{number}"
    names = [unit.name for unit in board.units]
    accepted = f"1 to {most} segments [layer after the last, unit], ascending up to {layers}"
    pairs = isinstance(given, list | tuple) and all(isinstance(each, list | tuple) and len(each) == 2 for each in given)
    if not pairs or not 1 <= len(given) <= most:
        raise DecisionError(field, given, accepted)
    ends, units, start = [], [], 0
    for place, (end, name) in enumerate(given):
        if type(end) is not int or not start < end <= layers:
            raise DecisionError(f"{field}.{place}", end, accepted)
        on = [unit for unit, step in zip(names, steps.tolist(), strict=True) if step]
        if name not in on:
            raise DecisionError(f"{field}.{place}", name, f"a unit that is on: {', '.join(on) or 'none is'}")
        unit = names.index(name)
        if board.reach[number, unit, start] < end:
            got = f"layers {start + 1} to {end} on {name}"
            raise DecisionError(f"{field}.{place}", got, "a unit that can run these layers")
        ends.append(end)
        units.append(unit)
        start = end
    if start != layers:
        raise DecisionError(field, start, f"segments up to the last layer, {layers}")
    rest = most - len(ends)
    return ends + [layers] * rest, units + [units[-1]] * rest


def columns_of(instance: MixInstance, mappings: Mappings) -> dict[str, FloatArray]:
    """Simulate mappings, and return the column of every quantity."""
    steady = steady_state(instance.board, mappings)
    start = np.concatenate([np.zeros_like(mappings.ends[:, :, :1]), mappings.ends[:, :, :-1]], axis=2)
    change = (mappings.units[:, :, 1:] != mappings.units[:, :, :-1]) & (mappings.ends > start)[:, :, 1:]
    bound = instance.bound.mean_per_s
    return {
        "throughput_per_s": steady.mean_per_s,
        "power_w": steady.power_w,
        "inferences_per_j": steady.per_j,
        "fairness_fraction": instance.fairness.smallest(steady),
        "bound_fraction": steady.mean_per_s / bound if bound else np.full(len(mappings), np.nan),
        "slowest_per_s": steady.throughput_per_s.min(axis=1),
        "cuts": change.sum(axis=(1, 2)).astype(np.float64),
    }
