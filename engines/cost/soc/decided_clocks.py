"""Clocks in decisions of designs: {unit or "memory": MHz}."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.errors import DecisionError, ProblemError
from engines.cost.soc.clocks import ClockSettings, clock_settings
from hardware.soc.model import Soc

_HZ_PER_MHZ = 1e6


def clocks_mhz(settings: ClockSettings, number: int) -> dict[str, float]:
    """Return the clocks of one of the settings, as decisions have them."""
    return {name: hz / _HZ_PER_MHZ for name, hz in settings.at(number).items()}


def decided_clocks(soc: Soc, given: Any, usual: Mapping[str, float], *, otherwise: str = "") -> ClockSettings:
    """Return the setting that a decision describes.

    Args:
        soc: the device.
        given: of the decision, under "clocks_mhz".
        usual: MHz of what is left out.
        otherwise: what else would do, for the error.

    Raises:
        DecisionError: no such clock or step.
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
        raise DecisionError(f"decision.{field}", error.got, error.accepted) from error
