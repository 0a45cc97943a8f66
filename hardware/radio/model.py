"""Radios: power while data are moved, by throughput, and the states around a transfer.

Source of the model: Huang et al., "A Close Examination of Performance and Power Characteristics of 4G LTE Networks", MobiSys
2012, section 5.3: P = alpha_u t_u + alpha_d t_d + beta, with t the throughput up and down. A slope in mW per Mbit/s is an energy
in nJ per bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Direction = Literal["uplink", "downlink"]


@dataclass(frozen=True)
class RadioState:
    """A state that the radio passes through around a transfer (promotion before it, tail after it), or waits in.

    Attributes:
        duration_s: how long it lasts; None where it lasts as long as nothing happens.
    """

    power_w: float
    duration_s: float | None = None

    @property
    def energy_j(self) -> float:
        """Return the energy in joules of one pass through the state; 0 for a state without duration."""
        return self.power_w * (self.duration_s or 0.0)


@dataclass(frozen=True)
class Radio:
    """A radio of a device.

    Attributes:
        technology: "wifi", "umts", "lte", "nr" (5G) or "bluetooth".
        base_power_w: while data are moved, whatever the throughput (beta).
        uplink_j_per_bit, downlink_j_per_bit: energy per bit on top of the base power (alpha); None if unknown.
        typical_bits_per_s: direction -> throughput that the source measured or names; what is not known is left out.
        round_trip_s: time of a small packet to a server and back, as the source states it; None if unknown.
        states: name -> state.
        sources: dotted key of a figure -> where the figure is from.
    """

    slug: str
    title: str
    technology: str
    base_power_w: float
    uplink_j_per_bit: float | None
    downlink_j_per_bit: float | None
    typical_bits_per_s: Mapping[str, float] = field(default_factory=dict)
    round_trip_s: float | None = None
    states: Mapping[str, RadioState] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)

    def power_w(self, uplink_bits_per_s: float = 0.0, downlink_bits_per_s: float = 0.0) -> float:
        """Return the power while data are moved at these throughputs (Huang et al. 2012, section 5.3).

        Raises:
            ValueError: a throughput is negative, or the radio has no figure for its direction.
        """
        up = self._slope_power_w("uplink", self.uplink_j_per_bit, uplink_bits_per_s)
        return self.base_power_w + up + self._slope_power_w("downlink", self.downlink_j_per_bit, downlink_bits_per_s)

    def transfer_energy_j(self, bits: float, bits_per_s: float, direction: Direction = "uplink") -> float:
        """Return the energy of moving `bits` one way at a constant throughput; promotion and tail are not in it.

        Raises:
            ValueError: `bits` is negative, the throughput is not above 0, or the radio has no figure for the direction.
        """
        if not (bits >= 0 and bits_per_s > 0):
            raise ValueError(f"bits must be from 0 on and bits_per_s above 0. Got {bits!r} and {bits_per_s!r} instead.")
        power_w = self.power_w(bits_per_s) if direction == "uplink" else self.power_w(0.0, bits_per_s)
        return power_w * bits / bits_per_s

    def _slope_power_w(self, direction: Direction, j_per_bit: float | None, bits_per_s: float) -> float:
        if not bits_per_s >= 0:
            raise ValueError(f"The {direction} throughput must be from 0 on, in bit/s. Got {bits_per_s!r} instead.")
        if bits_per_s and j_per_bit is None:
            raise ValueError(f"The {direction} throughput must be 0: no power is known for it of {self.slug}.")
        return (j_per_bit or 0.0) * bits_per_s
