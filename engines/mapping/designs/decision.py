"""The decision of a design: {"units": [unit of every block], "clocks_mhz": {unit or "memory": MHz}}; clocks may be left out.

"governor" in the place of clocks represents those that the default governors of the device would choose for the mapping.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.errors import DecisionError
from engines.cost.soc.clocks import ClockSettings
from engines.cost.soc.decided_clocks import clocks_mhz, decided_clocks
from engines.mapping.designs.governor import governed_setting
from engines.mapping.problem.instance import Instance

GOVERNOR = "governor"
_KEYS = ("units", "clocks_mhz")


def encode(instance: Instance, units: IntArray, setting: int) -> dict[str, Any]:
    """Return the decision of a mapping (shape `n`) at a setting of the instance."""
    units_of_blocks = [instance.units[unit] for unit in units.tolist()]
    return {"units": units_of_blocks, "clocks_mhz": encoded_clocks(instance, setting)}


def encoded_clocks(instance: Instance, setting: int) -> dict[str, float]:
    """Return the clocks of a setting of the instance in MHz."""
    return clocks_mhz(instance.settings, setting)


def checked(instance: Instance, decision: Mapping[str, Any]) -> dict[str, Any]:
    """Return a decision with the clocks that governors choose; clocks that are left out stay so.

    Raises:
        DecisionError: it has a key that is not known, as clocks under a misspelt name, or describes no mapping.
    """
    for key in decision:
        if key not in _KEYS:
            raise DecisionError(f"decision.{key}", decision[key], f"one of the keys {' and '.join(_KEYS)}")
    decode_units(instance, decision)
    clocks, given = decode_clocks(instance, decision), decision.get("clocks_mhz", {})
    governed = {name: hz / 1e6 for name, hz in clocks.at(0).items()}
    return {"units": list(decision["units"]), "clocks_mhz": governed if given == GOVERNOR else dict(given)}


def decode_units(instance: Instance, decision: Mapping[str, Any]) -> IntArray:
    """Return the place of the unit of every block, shape `n`.

    Raises:
        DecisionError: not a unit for every block, or one that cannot run a block.
    """
    given, count = decision.get("units"), len(instance.blocks)
    if not isinstance(given, list | tuple) or len(given) != count:
        got = len(given) if isinstance(given, list | tuple) else given
        accepted = f"a list of {count} units, for the blocks {instance.blocks[0]} to {instance.blocks[-1]}"
        raise DecisionError("decision.units", got, accepted)
    places = {unit: number for number, unit in enumerate(instance.units)}
    found = np.empty(count, dtype=np.int64)
    for number, unit in enumerate(given):
        if not isinstance(unit, str) or unit not in places:
            raise DecisionError(f"decision.units.{number}", unit, f"one of: {', '.join(instance.units)}")
        why = instance.reasons.get((number, unit))
        if why is not None:
            reason = f"It cannot run there: {why}."
            accepted = f"a unit that can run {instance.blocks[number]}"
            raise DecisionError(f"decision.units.{number}", unit, accepted, reason=reason)
        found[number] = places[unit]
    return found


def decode_clocks(instance: Instance, decision: Mapping[str, Any]) -> ClockSettings:
    """Return the setting of a decision.

    Clocks that are left out are those of the highest setting, "governor" those of the governors.

    Raises:
        DecisionError: no such clock or step.
    """
    given = decision.get("clocks_mhz", {})
    if given == GOVERNOR:
        return governed_setting(instance, decode_units(instance, decision))
    usual = encoded_clocks(instance, instance.reference)
    return decided_clocks(instance.soc, given, usual, otherwise=f', or "{GOVERNOR}"')
