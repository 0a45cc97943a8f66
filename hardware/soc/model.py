"""Systems on a chip: processing units with tables of clocks, the memory they share, power modes, and what is known of power.

Published figures of a board are kept apart from the fitted power model of a unit, and both may be absent: what nobody published
is not made up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from hardware.bits import UNPACK_OPERATIONS_PER_WEIGHT

PRECISIONS = ("int8", "fp16", "fp32")
# The one operating point of what has a published rate and no published clock.
NOMINAL_CLOCK_HZ = 1e9
# Name of the power mode with the clocks that a device holds for long; without a mode, clocks are the highest (burst) ones.
SUSTAINED = "sustained"


@dataclass(frozen=True)
class ActivePower:
    """Power of a busy unit by its clock: P(f) = idle + dynamic (f / f_max) ** exponent, in W.

    Attributes:
        dynamic_w: additional power at full load and the highest clock.
    """

    idle_w: float
    dynamic_w: float
    exponent: float

    def watts(self, clock_share: float, load: float = 1.0) -> float:
        """Return the mean power at `clock_share` = f / f_max, busy for the share `load` of the time (both from 0 to 1)."""
        return self.idle_w + load * self.dynamic_w * math.pow(clock_share, self.exponent)


@dataclass(frozen=True)
class DataflowArray:
    """An accelerator that the dataflow cost model prices.

    Attributes:
        mapping: name of the dataflow ("kcp_ws").
        processing_elements: processing elements of the array.
        bandwidth_elements_per_cycle: between the shared buffer and the array.
        mac_energy_pj: energy of one multiply-accumulate in pJ.
        off_chip_bandwidth_elements_per_cycle: for MAESTRO's off-chip rule; None: that rule is off.
    """

    mapping: str
    processing_elements: int
    bandwidth_elements_per_cycle: float
    mac_energy_pj: float
    off_chip_bandwidth_elements_per_cycle: float | None = None


@dataclass(frozen=True)
class ProcessingUnit:
    """One kind of unit of a system on a chip.

    Attributes:
        kind: "cpu", "gpu", "npu" (neural accelerator), "dsp" or "mcu".
        count: identical units of that kind; every other figure is of one of them.
        cores: cores of one unit, None where they are not published.
        frequencies_hz: the clocks that can be set, ascending; one alone is the highest (or only) known; empty: none known.
        operations_per_cycle: precision -> operations of all cores in a cycle; a multiply-accumulate is two.
        on_chip_memory_bytes: None where it is not published.
        supported_operations: kinds of operations that the unit runs itself; None: all. What it lacks may fall back to another.
        dataflow: dataflow of an accelerator of the dataflow cost model; None if its costs come from measurements.
        unpack_operations_per_weight: operations to unpack a weight below 8 bits without arithmetic for it.
        label: name by the vendor; "" if the document does not state it.
        clock_known: False: its one clock is nominal (`NOMINAL_CLOCK_HZ`) and carries the published peaks; no page shows it.
        vendor_claim: the vendor's number with its wording.
        note: further remark on its values.
    """

    name: str
    kind: str
    count: int
    cores: int | None
    frequencies_hz: tuple[float, ...]
    operations_per_cycle: Mapping[str, float]
    on_chip_memory_bytes: int | None
    power: ActivePower | None
    supported_operations: frozenset[str] | None = None
    dataflow: DataflowArray | None = None
    unpack_operations_per_weight: float = UNPACK_OPERATIONS_PER_WEIGHT
    label: str = ""
    clock_known: bool = True
    vendor_claim: str = ""
    note: str = ""

    @property
    def known_clocks_hz(self) -> tuple[float, ...]:
        """The clocks that pages show: none where the one clock is nominal."""
        return self.frequencies_hz if self.clock_known else ()

    def peak_operations_per_s(self, precision: str, frequency_hz: float | None = None) -> float:
        """Return the peak of one unit at `frequency_hz`, its highest clock by default.

        Raises:
            KeyError: no peak is known in that precision.
            ValueError: no clock is known.
        """
        if frequency_hz is None and not self.frequencies_hz:
            raise ValueError(f"The clock of {self.name} must be given: none is known.")
        return self.operations_per_cycle[precision] * (frequency_hz or self.frequencies_hz[-1])

    def nearest_step_hz(self, frequency_hz: float) -> float:
        """Return the step of the table nearest to a clock (power modes name round figures), the lower of two equally near.

        Raises:
            ValueError: the unit has no table.
        """
        if not self.frequencies_hz:
            raise ValueError(f"The table of {self.name} must have a clock: none is known.")
        return min(self.frequencies_hz, key=lambda step: (abs(step - frequency_hz), step))


@dataclass(frozen=True)
class SharedMemory:
    """The DRAM that all units share.

    Attributes:
        capacities_bytes: sold memory capacities of the device.
        bytes_per_cycle: at the memory's clock, both edges counted.
        access_energy_pj_per_byte: energy of transfers between accelerators with a dataflow; None if calibrations state it.
        clock_known: False: its one clock is nominal and carries the published bandwidth.
    """

    frequencies_hz: tuple[float, ...]
    bytes_per_cycle: float
    capacities_bytes: tuple[int, ...]
    power: ActivePower | None
    access_energy_pj_per_byte: float | None = None
    clock_known: bool = True

    @property
    def known_clocks_hz(self) -> tuple[float, ...]:
        """The clocks that pages show, as of a unit."""
        return self.frequencies_hz if self.clock_known else ()

    @property
    def capacity_bytes(self) -> int | None:
        """The largest capacity that the device is sold with; None where none is known."""
        return max(self.capacities_bytes, default=None)

    def bandwidth_bytes_per_s(self, frequency_hz: float | None = None) -> float:
        """Return the peak bandwidth at that clock, the highest by default."""
        return self.bytes_per_cycle * (frequency_hz or self.frequencies_hz[-1])


@dataclass(frozen=True)
class UnitLimit:
    """The limits of a power mode on a unit: cores in use and highest clock, as the mode writes them; None: no limit.

    Attributes:
        further_highest_hz: highest clocks of the further units of the kind, where they differ from the first.
    """

    active_cores: int | None
    highest_frequency_hz: float | None
    further_highest_hz: tuple[float, ...] = ()


@dataclass(frozen=True)
class PowerMode:
    """A named set of limits; `units` has an entry for each unit that the mode names, `is_default`: devices start in it.

    Attributes:
        other_clocks_hz: highest clocks of parts that are no units, such as the control processor of a DLA; no estimate uses them.
    """

    name: str
    budget_w: float | None
    memory_highest_frequency_hz: float | None
    units: Mapping[str, UnitLimit]
    is_default: bool = False
    other_clocks_hz: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Soc:
    """A system on a chip, or a part next to one (a receiver, a camera) of which only power states are known.

    Attributes:
        design_power_w: design power of the whole board.
        peak_operations_per_s: precision -> published peak of the whole device.
        power_states_w: state -> power of the whole device in it.
        idle_rails_w: supply rail -> power measured in idle.
        sources: dotted key of a figure -> where the figure is from.
        lineage: slugs of the devices that this one was copied from, nearest first; its own may stand in front.
        confidence: dotted key of a figure -> "solid", "derived", "approx" or "community", where the document says.
        not_published: dotted keys of figures that were looked for without success.
        memory_type, bus_bits, sold_capacities_bytes: of the DRAM, also where no bandwidth is known and `memory` is None.
        aliases: other slugs under which the device is found.
    """

    slug: str
    title: str
    units: Mapping[str, ProcessingUnit]
    memory: SharedMemory | None
    power_modes: Mapping[str, PowerMode]
    process_node_nm: float | None
    design_power_w: float | None
    peak_operations_per_s: Mapping[str, float]
    power_states_w: Mapping[str, float]
    idle_rails_w: Mapping[str, float]
    sources: Mapping[str, str] = field(default_factory=dict)
    lineage: tuple[str, ...] = ()
    confidence: Mapping[str, str] = field(default_factory=dict)
    not_published: tuple[str, ...] = ()
    vendor: str = ""
    year: int | None = None
    price_usd: str = ""
    memory_type: str = ""
    bus_bits: int | None = None
    sold_capacities_bytes: tuple[int, ...] = ()
    aliases: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Slugs under which calibrations of this device are stored: its own, then those of its ancestors, without duplicates."""
        return tuple(dict.fromkeys((self.slug, *self.lineage)))

    @property
    def by_dataflow(self) -> bool:
        """Whether the dataflow cost model prices the units; a document has all of them that way, or none."""
        return any(unit.dataflow is not None for unit in self.units.values())

    def active_share(self, unit: str, mode: str | None = None) -> float:
        """Return the share of the unit's cores that a power mode leaves on, from 0 (off) to 1.

        Raises:
            KeyError: no such unit or mode.
        """
        limit = self.power_modes[mode].units.get(unit) if mode else None
        cores = self.units[unit].cores
        if limit is None or limit.active_cores is None or not cores:
            return 1.0
        return limit.active_cores / cores

    def mode_named(self, words: str) -> str:
        """Return the power mode that people call so, "15 W" or "MODE_15W" for `mode-15w`; `words` where there is none."""
        same = [name for name in self.power_modes if _mode_letters(name) == _mode_letters(words)]
        return words if words in self.power_modes else next(iter(same), words)

    def steps_hz(self, unit: str, mode: str | None = None) -> tuple[float, ...]:
        """Return the clocks of the first unit of a kind under a power mode: its table up to the step nearest to the mode's limit.

        Raises:
            KeyError: no such unit or mode.
        """
        table = self.units[unit].frequencies_hz
        limit = self.power_modes[mode].units.get(unit) if mode else None
        if limit is None or limit.highest_frequency_hz is None or not table:
            return table
        highest = self.units[unit].nearest_step_hz(limit.highest_frequency_hz)
        return tuple(step for step in table if step <= highest)

    def peak_in_mode(self, unit: str, precision: str, mode: str | None = None) -> float:
        """Return the dense peak of all `count` units under a power mode, in operations per second; 0 where the unit is off.

        Raises:
            KeyError: no such unit or mode, or no peak in that precision.
        """
        found = self.units[unit]
        steps = self.steps_hz(unit, mode)
        limit = self.power_modes[mode].units.get(unit) if mode else None
        further = [found.nearest_step_hz(clock) for clock in limit.further_highest_hz] if limit else []
        highest = steps[-1] if steps else 0.0
        clocks = sum(further) + highest * (found.count - len(further))
        return found.operations_per_cycle[precision] * clocks * self.active_share(unit, mode)

    def memory_clock_in_mode(self, mode: str | None = None) -> float | None:
        """Return the highest clock of the memory under a power mode; None without a memory.

        Raises:
            KeyError: no such mode.
        """
        if self.memory is None:
            return None
        highest = self.power_modes[mode].memory_highest_frequency_hz if mode else None
        if highest is None:
            return self.memory.frequencies_hz[-1]
        return min(self.memory.frequencies_hz, key=lambda step: (abs(step - highest), step))


def _mode_letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower())).removeprefix("mode")
