"""Sensor nodes: one sensor that takes much power, sensors that take little, a processor, a radio and a battery.

Source of the model: goyal-2023, section 3.3 (equations 3.1 to 3.3). A node's board figures and what was measured of the whole
device are kept apart: they need not agree, and which of them counts is for an engine to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hardware.battery.model import EnergyStore


@dataclass(frozen=True)
class RatedSensor:
    """The sensor whose rate can be set (the image sensor of a camera, the receiver of a tracker).

    Attributes:
        rates_hz: the rates that can be set, ascending.
        sample_bits: bits of one stored or sent sample.
        active_power_w, standby_power_w: None where they are not published.
    """

    name: str
    rates_hz: tuple[float, ...]
    sample_bits: float
    active_power_w: float | None
    standby_power_w: float | None


@dataclass(frozen=True)
class SteadySensor:
    """A sensor that takes little power and is always on.

    Attributes:
        rate_hz: samples per second, None where it does not matter.
        power_w: None where it is not published.
    """

    name: str
    rate_hz: float | None
    power_w: float | None


@dataclass(frozen=True)
class NodeProcessor:
    """The processor of a node with the memory that it writes samples to.

    Attributes:
        write_power_w: while it writes; None where writing is told by its energy.
        write_j_per_bit: None where writing is told by its power.
        flash_bytes, ram_bytes: None where they are not published.
    """

    clock_hz: float | None
    active_power_w: float
    idle_power_w: float
    write_power_w: float | None
    write_j_per_bit: float | None
    flash_bytes: int | None
    ram_bytes: int | None


@dataclass(frozen=True)
class MeasuredNode:
    """Values of the whole device at one rate, measured or estimated by the source.

    Attributes:
        rate_hz: rate of the rated sensor.
        battery_life_s: None where it is not published.
        power_shares: part -> share of the whole power; they add up to 1.
    """

    rate_hz: float
    battery_life_s: float | None
    power_shares: Mapping[str, float]


@dataclass(frozen=True)
class SensorNode:
    """A battery-powered device that samples.

    Attributes:
        steady_sensors: name -> sensor.
        transfer_j_per_bit: energy per bit of the radio; None without a radio.
        sources: dotted key of a figure -> where the figure is from.
    """

    slug: str
    title: str
    rated_sensor: RatedSensor
    steady_sensors: Mapping[str, SteadySensor]
    processor: NodeProcessor
    transfer_j_per_bit: float | None
    battery: EnergyStore | None
    measured: MeasuredNode | None
    sources: Mapping[str, str] = field(default_factory=dict)

    def sample_energy_j(self, active_s: float, idle_s: float, write_s: float = 0.0, sent_bits: float = 0.0) -> float:
        """Return the energy of the board for one sample: P_act T_act + P_idle T_idle + P_wr T_wr + E_radio bits (goyal-2023 eq.

        3.1).

        A node that tells writing by its energy takes that of one sample in place of P_wr T_wr.

        Raises:
            ValueError: a time or `sent_bits` is negative, or something is to be sent without a radio.
        """
        if min(active_s, idle_s, write_s, sent_bits) < 0:
            raise ValueError(f"Times and bits must be from 0 on. Got {(active_s, idle_s, write_s, sent_bits)} instead.")
        if sent_bits and self.transfer_j_per_bit is None:
            raise ValueError(f"sent_bits must be 0: {self.slug} has no radio. Got {sent_bits!r} instead.")
        board = self.processor
        computed_j = board.active_power_w * active_s + board.idle_power_w * idle_s
        written_j = (board.write_power_w or 0.0) * write_s + (
            board.write_j_per_bit or 0.0
        ) * self.rated_sensor.sample_bits
        return computed_j + written_j + (self.transfer_j_per_bit or 0.0) * sent_bits

    def measured_powers_w(self) -> dict[str, float]:
        """Return part -> mean power at the measured rate: share x capacity / battery life (goyal-2023 eq. 3.3, solved for power).

        Raises:
            ValueError: the node has no battery, or no battery life was measured.
        """
        if self.battery is None or self.measured is None or self.measured.battery_life_s is None:
            raise ValueError(f"{self.slug} must have a battery and a measured battery life.")
        mean_w = self.battery.capacity_j / self.measured.battery_life_s
        return {part: share * mean_w for part, share in self.measured.power_shares.items()}
