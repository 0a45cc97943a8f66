"""Checks of units, clocks and values in measured lines, before a fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.cost.calibration.estimates import PreparedRow
from engines.cost.calibration.files import LayerMeasurement
from engines.cost.soc.clocks import MEMORY, clock_names, clock_settings
from engines.cost.soc.model import bits_of
from hardware.soc.model import Soc

# Fast algorithms of convolution save up to four fold; ten times the peak is a mistake of units.
_BEYOND_PEAK = 10.0
_BEYOND_DESIGN_POWER = 3.0
_MOST_POWER_W = 1000.0
# A thousand fold is a mistake of units; small networks spend their time on launches, so each counts with a generous one.
_TOO_SLOW = 300.0
_LAUNCH_S = 50e-6


def check_lines(
    measured: Iterable[LayerMeasurement], soc: Soc, *, unit: str = "", clocks_mhz: Mapping[str, float] | None = None
) -> None:
    """Refuse lines whose unit or clock the device does not have.

    Args:
        measured: lines of a file.
        soc: the device.
        unit: compute unit of lines that name none.
        clocks_mhz: clocks in MHz of all lines.

    Raises:
        ProblemError: a line is refused; the error names line and column.
    """
    for name, value in (clocks_mhz or {}).items():
        _check_clock(soc, name, value, f"clocks.{name}")
    seen: set[tuple[str, float]] = set()
    for line in measured:
        on = line.unit or unit
        if on and on not in soc.units:
            place = f"line {line.line}.unit" if line.unit else "unit"
            raise ProblemError(place, on, f"one of the units of {soc.slug}: {', '.join(soc.units)}")
        if on and not soc.units[on].frequencies_hz:
            ways = ["Add frequencies_mhz of the unit to a copy of the device."]
            raise ProblemError(f"line {line.line}.unit", on, "a unit with known clocks", remedies=ways)
        for name, value in line.clocks_mhz.items():
            if (name, value) not in seen:
                _check_clock(soc, name, value, f"line {line.line}.{name}_mhz")
                seen.add((name, value))


def check_figures(prepared: Sequence[PreparedRow], soc: Soc, precision: str) -> tuple[str, ...]:
    """Refuse values that no device can reach; return warnings about unlikely ones.

    Args:
        prepared: the rows, latencies and energies.
        soc: the device.
        precision: precision of the measured networks.

    Raises:
        ProblemError: a value is impossible; the error names line and column, and the rate that the value implies.
    """
    latency_s: dict[int, float] = {}
    for one in prepared:
        if one.row.quantity == "latency":
            latency_s[one.row.line] = one.row.measured / 1e3
            _check_rate(one, soc, precision)
        elif one.row.line in latency_s:
            _check_power(one, latency_s[one.row.line], soc)
    return tuple(_slow_units(prepared, soc, precision))


def _check_clock(soc: Soc, name: str, mhz: float, field: str) -> None:
    if name not in clock_names(soc):
        raise ProblemError(field, name, f"a clock of {soc.slug}: {', '.join(clock_names(soc))}")
    try:
        clock_settings(soc, [{name: mhz}])
    except ProblemError as error:
        raise ProblemError.of(error, field) from error


def _operations(one: PreparedRow) -> float:
    """Return the operations of one execution of the row; a multiply-accumulate counts as two."""
    return 2.0 * float(np.sum(one.operations.macs[one.chosen] * one.operations.runs[one.chosen])) * one.row.batch


def _peak(one: PreparedRow, soc: Soc, precision: str) -> float | None:
    """Return the peak rate of all units of this kind at the row's clocks, in operations per second; None if unknown."""
    unit = soc.units[one.units[0]]
    per_cycle = unit.operations_per_cycle.get(precision)
    if per_cycle is None or len(one.units) > 1:
        return None
    return per_cycle * unit.count * one.clocks.at(0)[one.units[0]]


def _check_rate(one: PreparedRow, soc: Soc, precision: str) -> None:
    peak, seconds = _peak(one, soc, precision), one.row.measured / 1e3
    if peak is not None and _operations(one) / seconds > _BEYOND_PEAK * peak:
        tera = _operations(one) / seconds / 1e12
        lowest = _operations(one) / peak * 1e3
        words = f"at least {lowest:.3g} ms, the time of {one.units[0]} at its peak of {peak / 1e12:.3g} TOPS"
        reason = f"The measured time corresponds to {counted(tera)} TOPS."
        ways = ["Check that the latency is in milliseconds."]
        raise ProblemError(f"line {one.row.line}.latency_ms", one.row.measured, words, reason=reason, remedies=ways)


def _check_power(one: PreparedRow, seconds: float, soc: Soc) -> None:
    power_w = one.row.measured / 1e3 / seconds
    most = _BEYOND_DESIGN_POWER * soc.design_power_w if soc.design_power_w else _MOST_POWER_W
    if power_w > most:
        words = f"at most {most:g} W"
        ways = ["Check that power_w is in watts and energy_mj in millijoules."]
        raise ProblemError(f"line {one.row.line}.power_w", f"{power_w:,.4g} W", words, remedies=ways)


def _slow_units(prepared: Sequence[PreparedRow], soc: Soc, precision: str) -> Iterator[str]:
    """Yield a remark for each unit that is a thousand times slower than peak and bandwidth allow."""
    word = bits_of(precision).weight_bytes
    bounds: dict[str, float] = {}
    measured: dict[str, float] = {}
    for one in prepared:
        peak = _peak(one, soc, precision)
        if one.row.quantity != "latency" or peak is None or soc.memory is None:
            continue
        runs = one.operations.runs[one.chosen]
        elements = one.operations.activation_elements * one.row.batch + one.operations.weight_elements
        moved = float(np.sum(elements[one.chosen] * runs)) * word
        launches = float(np.sum(one.operations.launches[one.chosen] * runs))
        bandwidth = soc.memory.bandwidth_bytes_per_s(one.clocks.at(0)[MEMORY])
        name = one.units[0]
        bounds[name] = bounds.get(name, 0.0) + _operations(one) / peak + moved / bandwidth + launches * _LAUNCH_S
        measured[name] = measured.get(name, 0.0) + one.row.measured / 1e3
    for name, bound in bounds.items():
        if measured[name] > _TOO_SLOW * bound:
            times = measured[name] / bound
            yield (
                f"{name}: everything measured takes {counted(times)} times the estimate from peak, memory "
                f"and {_LAUNCH_S * 1e6:.0f} µs per launch. Are the latencies in milliseconds?"
            )
