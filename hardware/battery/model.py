"""Batteries: how much energy there is, and down to which level it may be used.

A battery is an energy store without losses of its own, as goyal-2023 equation 3.3 takes it (life = capacity / mean power).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class EnergyStore:
    """The energy of a full battery.

    Attributes:
        capacity_j: energy of the full battery.
        nominal_voltage_v: None where it is not published.
        minimum_share: level, as a share of the capacity, below which the device must not go.
    """

    capacity_j: float
    nominal_voltage_v: float | None = None
    minimum_share: float = 0.0

    @property
    def usable_j(self) -> float:
        """Energy between full and the minimum level."""
        return self.capacity_j * (1.0 - self.minimum_share)


@dataclass(frozen=True)
class Battery(EnergyStore):
    """A battery of the catalogue.

    Attributes:
        sources: dotted key of a figure -> where the figure is from.
    """

    slug: str = ""
    title: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)
