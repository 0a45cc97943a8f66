"""The clock settings that are searched."""

from __future__ import annotations

from math import prod

import numpy as np

from engines.contract.errors import ProblemError
from engines.cost.soc.clocks import MEMORY, ClockSettings, clock_grid, clock_names, highest_clocks
from engines.mapping.problem.options import MappingOptions
from engines.mapping.problem.rules import clock_choices
from hardware.calibration.model import SocCalibration
from hardware.soc.model import Soc

MOST_SETTINGS = 30_000  # all steps of Xavier's four tables make 25,578


def searched_settings(soc: Soc, calibration: SocCalibration | None, options: MappingOptions) -> ClockSettings:
    """Return the one fixed setting, or every combination of the steps of clocks that matter to the calibrated units.

    Without a calibration all clocks matter.

    Raises:
        ProblemError: no such power mode, clock or step, or too many combinations.
    """
    mode = options.mode
    highest = highest_clocks(soc, mode)
    if options.clocks == "fixed":
        return highest
    choices = clock_choices(options.clock_choices) or _spread(soc, calibration, highest, options.clock_steps)
    try:
        count = prod(len(steps) for steps in choices.values())
        if count > MOST_SETTINGS:
            ways = ["Use fewer clock steps."]
            raise ProblemError("params.clock_steps", f"{count} settings", f"at most {MOST_SETTINGS}", remedies=ways)
        if mode is not None:
            # The grid leaves what is not named at the highest step of the device, not of the mode.
            choices = {name: [value[0] / 1e6] for name, value in highest.frequencies_hz.items()} | choices
        return clock_grid(soc, choices)
    except ProblemError as error:
        field = error.field if error.field.startswith("params.") else "params.clock_choices"
        raise ProblemError.of(error, field) from error


def highest_setting(settings: ClockSettings) -> int:
    """Return the number of the setting with the highest clocks, each counted as a share of the highest among all."""
    return int(np.argmax(sum(clock / clock.max() for clock in settings.frequencies_hz.values())))


def _spread(soc: Soc, calibration: SocCalibration | None, highest: ClockSettings, steps: int) -> dict[str, list[float]]:
    """Return evenly spread steps of every clock that changes anything: calibrated units, the launching CPU, the memory."""
    names = clock_names(soc)
    matters = {*calibration.covered, calibration.launcher, MEMORY} if calibration else set(names)
    found = {}
    for name in names:
        top = highest.frequencies_hz[name][0]
        full = soc.memory.frequencies_hz if name == MEMORY and soc.memory else soc.units[name].frequencies_hz
        table = [step / 1e6 for step in full if step <= top]
        places = np.unique(np.linspace(0, len(table) - 1, min(steps, len(table))).round().astype(int))
        found[name] = [table[place] for place in places] if name in matters else table[-1:]
    return found
