"""Clocks in decisions of designs: {unit or "memory": MHz}."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.designs import Decision
from engines.contract.errors import DecisionError, ProblemError
from engines.cost.soc.clocks import MEMORY, ClockSettings, clock_settings
from hardware.soc.model import Soc

_HZ_PER_MHZ = 1e6


def clocks_mhz(settings: ClockSettings, number: int) -> dict[str, float]:
    """Return the clocks of setting `number` as in decisions: name -> MHz."""
    return {name: hz / _HZ_PER_MHZ for name, hz in settings.at(number).items()}


def moved_clocks(decision: Decision, before: Mapping[str, Any], after: Mapping[str, Any]) -> Decision:
    """Return the decision with its clocks at the same steps of another device, whose clock tables are scaled by a factor.

    Args:
        decision: decision of a design; it is returned unchanged without clocks.
        before: document of the device of the decision.
        after: document of the other device.
    """
    clocks = decision.get("clocks_mhz")
    if not isinstance(clocks, Mapping):
        return decision
    old, new = _highest_mhz(before), _highest_mhz(after)
    moved = {
        name: mhz * new[name] / old[name] if isinstance(mhz, int | float) and name in old else mhz
        for name, mhz in clocks.items()
    }
    return {**decision, "clocks_mhz": moved}


def _highest_mhz(content: Mapping[str, Any]) -> dict[str, float]:
    parts = {**content.get("units", {}), MEMORY: content.get("memory") or {}}
    return {name: max(part["frequencies_mhz"]) for name, part in parts.items() if part.get("frequencies_mhz")}


def decided_clocks(soc: Soc, given: Any, usual: Mapping[str, float], *, otherwise: str = "") -> ClockSettings:
    """Return the clock setting that a decision describes.

    Args:
        soc: the device.
        given: entry "clocks_mhz" of the decision.
        usual: clocks in MHz of missing names.
        otherwise: alternatives for the error message.

    Raises:
        DecisionError: the name or the step of a clock is unknown.
    """
    numbers = isinstance(given, Mapping) and all(
        isinstance(mhz, int | float) and not isinstance(mhz, bool) for mhz in given.values()
    )
    if not numbers:
        raise DecisionError("decision.clocks_mhz", given, f"a mapping of units or memory to MHz{otherwise}")
    try:
        return clock_settings(soc, [{**usual, **given}])
    except ProblemError as error:
        field = error.field.replace("clocks", "clocks_mhz", 1)
        raise DecisionError.of(error, f"decision.{field}") from error
