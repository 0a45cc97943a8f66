"""Mappings that differ from one by a single change: a block on another unit, or one clock at another step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engines.contract.designs import Decision
from engines.mapping.designs.decision import decode_clocks, decode_units
from engines.mapping.problem.instance import Instance


def neighbouring_mappings(instance: Instance, decision: Decision) -> Iterator[dict[str, Any]]:
    """Yield the clocks first, of which there are few; then blocks from the dearest on, on every other unit that may have them.

    Raises:
        DecisionError: the decision does not describe a mapping of the instance.
    """
    clocks = {name: hz / 1e6 for name, hz in decode_clocks(instance, decision).at(0).items()}
    for name, column in instance.settings.frequencies_hz.items():
        for mhz in np.unique(column / 1e6).tolist():
            if mhz != clocks.get(name):
                yield {**decision, "clocks_mhz": {**clocks, name: mhz}}
    units = decode_units(instance, decision)
    latency_s = instance.costs.latency_s[np.arange(len(units)), units, 0]
    for block in np.argsort(-latency_s, kind="stable").tolist():
        for place, unit in enumerate(instance.units):
            if place != units[block] and instance.allowed[block, place]:
                names = [instance.units[each] for each in units.tolist()]
                names[block] = unit
                yield {**decision, "units": names}
