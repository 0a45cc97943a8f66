"""Calibrations of a device that apply to its copies.

Parameters stay as they were fitted, and so do the figures that they stand for: shares are of the copy's own peak and bandwidth,
while times per launch, voltages and powers are at the highest clocks of the device that was measured. At clocks that both devices
have, a copy therefore costs what its parent costs, and less time only where it has more of something.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from engines.contract.errors import ProblemError
from hardware.calibration.device_figures import MEMORY, DeviceFigures, device_figures
from hardware.calibration.model import SocCalibration
from hardware.soc.loader import builtin_socs, load_soc
from hardware.soc.model import Soc
from hardware.soc.summary import unit_title

_HERTZ_PER_MEGAHERTZ = 1e6


@dataclass(frozen=True)
class Inheritance:
    """The meaning of another device's calibration for a copy of that device.

    Attributes:
        parent: slug of the measured device.
        scaled: differences that change costs: "GPU: highest clock 1377 MHz, now 1500 MHz".
        unread: differences that change no costs, because calibrations do not use these values.
        unknown: units that the parent lacks or has as another kind, so that they are not measured.
        certain: whether the parent's values are known; otherwise nothing could be scaled.
    """

    parent: str
    scaled: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    certain: bool = True

    @property
    def same(self) -> bool:
        """Whether the copy equals its parent in all values that costs depend on."""
        return self.certain and not (self.scaled or self.unread or self.unknown)


def inherited(calibration: SocCalibration, soc: Soc) -> SocCalibration:
    """Return the calibration for a device of the lineage: without units that differ in kind, with the values of the original fit.

    Raises:
        ProblemError: the calibration belongs to no device of the lineage.
    """
    if calibration.soc not in soc.names:
        accepted = f"one of {', '.join(soc.names)}"
        reason = "The calibration is of a device outside the lineage of this one."
        raise ProblemError("inputs.calibration.soc", calibration.soc, accepted, reason=reason)
    figures = reference_figures(calibration, soc)
    known = calibration.device or builtin_figures(calibration.soc)
    covered = {
        unit: kinds
        for unit, kinds in calibration.covered.items()
        if unit not in soc.units or figures.kinds.get(unit, soc.units[unit].kind) == soc.units[unit].kind
    }
    return replace(calibration, covered=covered, device=known)


def reference_figures(calibration: SocCalibration, soc: Soc) -> DeviceFigures:
    """Return the device values (peaks, clocks, bandwidth) that the calibration's parameters refer to.

    These are the values of the fit; if its document lacks them, those of the built-in device of that name, else the device's own.
    """
    if calibration.device is not None:
        return calibration.device
    return builtin_figures(calibration.soc) or device_figures(soc)


@cache
def builtin_figures(slug: str) -> DeviceFigures | None:
    """Return the values of a built-in device; None for any other name."""
    parent = _builtin(slug)
    return None if parent is None else device_figures(parent)


def nearest_builtin(soc: Soc) -> DeviceFigures | None:
    """Return the values of the first built-in device of a lineage; None without one."""
    return next((found for name in soc.names if (found := builtin_figures(name)) is not None), None)


def inheritance_of(calibration: SocCalibration, soc: Soc) -> Inheritance | None:
    """Return the inheritance of a calibration by a copy of its device; None for the device itself."""
    figures = reference_figures(calibration, soc)
    scaled, unknown = tuple(_scaled(calibration, soc, figures)), tuple(_unknown(soc, figures))
    if calibration.soc == soc.slug and not (scaled or unknown):
        return None
    parent = _builtin(calibration.soc)
    certain = calibration.soc == soc.slug or parent is not None or calibration.device is not None
    unread = () if parent is None else tuple(_unread(soc, parent))
    return Inheritance(calibration.soc, scaled, unread, unknown, certain)


@cache
def _builtin(slug: str) -> Soc | None:
    content = builtin_socs().get(slug)
    return None if content is None else load_soc(content)


def _scaled(calibration: SocCalibration, soc: Soc, figures: DeviceFigures) -> Iterator[str]:
    """Yield sentences on differing clocks, peaks and bandwidth of units that costs depend on."""
    now = device_figures(soc)
    counting = [name for name in soc.units if name in calibration.covered or name == calibration.launcher]
    for name in (*counting, MEMORY):
        title = "Memory" if name == MEMORY else unit_title(name)
        old, new = figures.highest_hz.get(name), now.highest_hz.get(name)
        if old is not None and new is not None and old != new:
            yield f"{title}: highest clock {_megahertz(old)}, now {_megahertz(new)}"
    for name in counting:
        old_peak = figures.operations_per_cycle.get(name, {}).get(calibration.precision)
        new_peak = now.operations_per_cycle[name].get(calibration.precision)
        if name in calibration.covered and old_peak != new_peak and old_peak and new_peak:
            words = f"{calibration.precision} operations per cycle {old_peak:g}, now {new_peak:g}"
            yield f"{unit_title(name)}: {words}"
    if figures.bytes_per_cycle is not None and figures.bytes_per_cycle != now.bytes_per_cycle:
        yield f"Memory: {figures.bytes_per_cycle:g} bytes per cycle, now {now.bytes_per_cycle:g}"


def _megahertz(hertz: float) -> str:
    return f"{hertz / _HERTZ_PER_MEGAHERTZ:g} MHz"


def _unknown(soc: Soc, figures: DeviceFigures) -> Iterator[str]:
    for name, unit in soc.units.items():
        kind = figures.kinds.get(name)
        if kind is None:
            yield f"{unit_title(name)} (not there)"
        elif kind != unit.kind:
            yield f"{unit_title(name)} ({kind} there, {unit.kind} here)"


def _unread(soc: Soc, parent: Soc) -> Iterator[str]:
    """Yield sentences on differences of the documents that costs by a calibration do not use."""
    if soc.process_node_nm != parent.process_node_nm:
        yield "process node"
    for name, unit in soc.units.items():
        old = parent.units.get(name)
        if old is None:
            continue
        if unit.count != old.count:
            yield f"count of {unit_title(name)}"
        if unit.on_chip_memory_bytes != old.on_chip_memory_bytes:
            yield f"on-chip memory of {unit_title(name)}"
        if unit.power != old.power:
            yield f"power of {unit_title(name)}"
    if soc.memory is not None and parent.memory is not None:
        if soc.memory.power != parent.memory.power:
            yield "power of the memory"
        if soc.memory.capacities_bytes != parent.memory.capacities_bytes:
            yield "capacity of the memory"
    if soc.design_power_w != parent.design_power_w or soc.idle_rails_w != parent.idle_rails_w:
        yield "power of the board"
