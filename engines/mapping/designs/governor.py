"""The clocks that the default governors of CPU and GPU would choose for a mapping (odema-2023 Figure 7: "Default")."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engines.contract.arrays import IntArray
from engines.cost.soc.clocks import MEMORY, ClockSettings, clock_names, highest_clocks
from engines.cost.soc.governor import governed_clocks
from engines.mapping.problem.instance import Instance
from engines.mapping.solver.unit_mapping import score

# DLA and memory have no such governor: they stand at their highest while they work.
_GOVERNED_KINDS = ("cpu", "gpu")


def governed_setting(instance: Instance, units: IntArray) -> ClockSettings:
    """Return the one setting at which the governors come to rest while a mapping (shape `n`) runs again and again."""
    highest = highest_clocks(instance.soc, instance.model.mode).at(0)
    steps = {name: _steps(instance, name, top) for name, top in highest.items()}
    governed = [name for name in steps if name != MEMORY and instance.soc.units[name].kind in _GOVERNED_KINDS]

    def busy_share(clocks: Mapping[str, float]) -> dict[str, float]:
        return _busy_share(instance, units, clocks, steps)

    found = governed_clocks(steps, governed, busy_share)
    return ClockSettings({name: np.array([hz]) for name, hz in found.items()})


def _steps(instance: Instance, name: str, top: float) -> tuple[float, ...]:
    memory = instance.soc.memory
    table = memory.frequencies_hz if name == MEMORY and memory else instance.soc.units[name].frequencies_hz
    return tuple(step for step in table if step <= top)


def _busy_share(
    instance: Instance, units: IntArray, clocks: Mapping[str, float], steps: Mapping[str, tuple[float, ...]]
) -> dict[str, float]:
    """Return the share of time that the blocks of every unit take; the launching CPU is also busy while launches wait."""
    launcher = instance.model.launcher
    pair = [clocks, clocks]
    if launcher in clocks and len(steps[launcher]) > 1:
        other = steps[launcher][0] if clocks[launcher] == steps[launcher][-1] else steps[launcher][-1]
        pair = [clocks, {**clocks, launcher: other}]
    both = ClockSettings({name: np.array([one[name] for one in pair]) for name in clock_names(instance.soc)})
    costs = instance.costs_at(both)
    now, then = score(costs, np.tile(units, (2, 1)), np.arange(2)).latency_s
    own = costs.latency_s[np.arange(len(units)), units, 0]
    share = {name: float(own[units == number].sum() / now) for number, name in enumerate(instance.units)}
    shares = {name: share.get(name, 0.0) for name in clocks}
    if pair[0] != pair[1]:
        # Latency is a + b / f in the clock f of the launching CPU; b / f is what it is busy with.
        inverse, other_inverse = 1 / pair[0][launcher], 1 / pair[1][launcher]
        launching = (now - then) / (inverse - other_inverse) * inverse
        shares[launcher] += float(launching / now)
    return shares
