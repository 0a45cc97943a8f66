"""The figures of a device that the parameters of a calibration stand for.

A share is of a peak, a time per launch is at the highest clock: on a device with other figures the same parameters mean the same
only next to those that they were fitted at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hardware.soc.model import Soc

MEMORY = "memory"


@dataclass(frozen=True)
class DeviceFigures:
    """The state of a device when it was measured.

    Attributes:
        highest_hz: unit, or "memory" -> its highest clock; units of which none is known are left out.
        kinds: unit -> "cpu", "gpu", "npu" or "mcu".
        operations_per_cycle: unit -> precision -> operations of all cores in a cycle.
        bytes_per_cycle: bandwidth of the shared memory; None without one.
    """

    highest_hz: Mapping[str, float] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    operations_per_cycle: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    bytes_per_cycle: float | None = None


def device_figures(soc: Soc) -> DeviceFigures:
    """Return the peak rates, bandwidth and power of a device as its document says."""
    highest = {name: unit.frequencies_hz[-1] for name, unit in soc.units.items() if unit.frequencies_hz}
    if soc.memory is not None:
        highest[MEMORY] = soc.memory.frequencies_hz[-1]
    return DeviceFigures(
        highest,
        {name: unit.kind for name, unit in soc.units.items()},
        {name: dict(unit.operations_per_cycle) for name, unit in soc.units.items()},
        None if soc.memory is None else soc.memory.bytes_per_cycle,
    )
