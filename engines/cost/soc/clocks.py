"""Clock settings of a system on a chip: which frequency each unit and the memory run at, for one or many settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.errors import ProblemError
from hardware.soc.model import SUSTAINED, Soc

MEMORY = "memory"
# Publications round (520 MHz for the step 522.75 MHz); what is further away is not the step that was meant.
_ROUNDING = 0.03


@dataclass(frozen=True)
class ClockSettings:
    """A set of `s` clock settings.

    Attributes:
        frequencies_hz: unit or "memory" -> clock frequency of each setting in Hz, shape `s`.
    """

    frequencies_hz: Mapping[str, FloatArray]

    def __len__(self) -> int:
        return len(next(iter(self.frequencies_hz.values())))

    def at(self, index: int) -> dict[str, float]:
        """Return one setting: name -> Hz."""
        return {name: float(values[index]) for name, values in self.frequencies_hz.items()}


def clock_names(soc: Soc) -> tuple[str, ...]:
    """Return the names with adjustable clocks: units with a known clock, and the memory."""
    units = tuple(name for name, unit in soc.units.items() if unit.frequencies_hz)
    return (*units, MEMORY) if soc.memory else units


def named_mode(soc: Soc, words: str | None) -> str | None:
    """Return the power mode of a device with this name; None for an empty name.

    Raises:
        ProblemError: the device has no such mode.
    """
    mode = soc.mode_named(words.strip()) if words and words.strip() else None
    if mode is not None and mode not in soc.power_modes:
        accepted = f"empty, or one of: {', '.join(soc.power_modes) or 'none is known of this device'}"
        reason = "No sustained clocks of this device are published." if mode.lower() == SUSTAINED else ""
        raise ProblemError("params.power_mode", words, accepted, reason=reason)
    return mode


def highest_clocks(soc: Soc, mode: str | None = None) -> ClockSettings:
    """Return the one setting with every clock at its highest, under a power mode if one is named.

    Raises:
        ProblemError: no such mode.
    """
    return _settings(soc, [{name: _steps(soc, name, mode)[-1] for name in clock_names(soc)}])


def clock_grid(
    soc: Soc, steps_mhz: Mapping[str, Sequence[float]] | None = None, mode: str | None = None
) -> ClockSettings:
    """Return every combination of clocks; the last name varies fastest.

    Args:
        soc: the device.
        steps_mhz: unit or "memory" -> clocks to combine, matched to the nearest step; missing ones run at their highest
            clock. None: all published steps of all clocks.
        mode: a power mode that limits the steps.

    Raises:
        ProblemError: the unit or mode is unknown, or no step is within 3 %.
    """
    names = clock_names(soc)
    if steps_mhz is None:
        choices = [_steps(soc, name, mode) for name in names]
    else:
        _check_names(soc, steps_mhz)
        choices = [
            tuple(_step(soc, name, mhz) for mhz in steps_mhz[name])
            if name in steps_mhz
            else _steps(soc, name, mode)[-1:]
            for name in names
        ]
    columns = np.array(list(product(*choices)), dtype=np.float64).reshape(-1, len(names))
    return ClockSettings({name: columns[:, index].copy() for index, name in enumerate(names)})


def clock_settings(soc: Soc, settings_mhz: Iterable[Mapping[str, float]]) -> ClockSettings:
    """Return settings from unit or "memory" -> MHz, matched to the nearest step; missing ones run at their highest clock.

    Raises:
        ProblemError: as `clock_grid`.
    """
    rows = []
    for setting in settings_mhz:
        _check_names(soc, setting)
        rows.append({
            name: _step(soc, name, setting[name]) if name in setting else _steps(soc, name, None)[-1]
            for name in clock_names(soc)
        })  # fmt: skip
    return _settings(soc, rows)


def _settings(soc: Soc, rows: Sequence[Mapping[str, float]]) -> ClockSettings:
    return ClockSettings({name: np.array([row[name] for row in rows], dtype=np.float64) for name in clock_names(soc)})


def _table(soc: Soc, name: str) -> tuple[float, ...]:
    if name == MEMORY and soc.memory is not None:
        return soc.memory.frequencies_hz
    return soc.units[name].frequencies_hz


def _steps(soc: Soc, name: str, mode: str | None) -> tuple[float, ...]:
    mode = named_mode(soc, mode)
    if name != MEMORY:
        return soc.steps_hz(name, mode)
    table = _table(soc, name)
    highest = soc.power_modes[mode].memory_highest_frequency_hz if mode else None
    return table if highest is None else tuple(step for step in table if step <= highest * (1 + _ROUNDING))


def _step(soc: Soc, name: str, mhz: float) -> float:
    table = _table(soc, name)
    nearest = min(table, key=lambda step: (abs(step - mhz * 1e6), step))
    if abs(nearest - mhz * 1e6) > _ROUNDING * nearest:
        known = ", ".join(f"{step / 1e6:g}" for step in table)
        raise ProblemError(f"clocks.{name}", f"{mhz:g} MHz", f"within 3 % of a step in MHz: {known}")
    return nearest


def _check_names(soc: Soc, given: Mapping[str, object]) -> None:
    for name in given:
        if name not in clock_names(soc):
            raise ProblemError(f"clocks.{name}", name, f"one of: {', '.join(clock_names(soc))}")
