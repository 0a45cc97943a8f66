"""A simulated fleet: devices with their batteries, the modes that they can be in, and their surroundings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray
from engines.contract.engine import require
from engines.contract.integer_format import counted
from hardware.battery.model import EnergyStore
from hardware.environment.model import Profile

IntArray = npt.NDArray[np.integer]


@dataclass(frozen=True, eq=False)
class Modes:
    """The `S` modes of a device.

    Attributes:
        names: S names.
        powers_w: from 0 on, S.
        figures: name -> value per mode (accuracy, rate), S.
        switch_j: energy of going from one mode to another, S x S, 0 on the diagonal; None: going is free.
    """

    names: tuple[str, ...]
    powers_w: FloatArray
    figures: Mapping[str, FloatArray] = field(default_factory=dict)
    switch_j: FloatArray | None = None

    def __post_init__(self) -> None:
        count = len(self.names)
        require(0 < count < 2**15, "modes", count, f"from 1 to {counted(2**15 - 1)} modes")
        powers_right = self.powers_w.shape == (count,) and bool(
            np.all(np.isfinite(self.powers_w) & (self.powers_w >= 0))
        )
        require(powers_right, "modes.powers_w", self.powers_w, f"{count} powers from 0 on, in W")
        for name, values in self.figures.items():
            require(
                values.shape == (count,), f"modes.figures.{name}", values.shape, f"one value for each of {count} modes"
            )
        if self.switch_j is not None:
            free = self.switch_j.shape == (count, count) and bool(
                np.all(self.switch_j >= 0) and not np.diag(self.switch_j).any()
            )
            require(
                free, "modes.switch_j", self.switch_j, f"{count} x {count} energies from 0 on, 0 on the diagonal, in J"
            )


@dataclass(frozen=True, eq=False)
class Policy:
    """Which mode a device takes at the begin of every step.

    Attributes:
        table: index of the mode; shape `L x C` by level of the surroundings and bin of charge, or `L x C x S` by the mode
            before as well (hysteresis).
        charge_edges: shares that part the C bins of charge, ascending, above 0, C - 1. A charge equal to an edge is below.
        first_mode: the mode before the first step.
    """

    table: IntArray
    charge_edges: FloatArray = field(default_factory=lambda: np.empty(0))
    first_mode: int = 0

    def check(self, modes: int, levels: int) -> None:
        """Refuse a policy table of the wrong shape.

        Raises:
            ProblemError: names what does not.
        """
        edges = self.charge_edges
        ascending = bool(np.all(np.diff(edges) > 0)) and (not edges.size or (edges[0] > 0 and edges[-1] < 1))
        require(ascending, "policy.charge_edges", edges, "ascending shares between 0 and 1")
        shapes = ((levels, edges.size + 1), (levels, edges.size + 1, modes))
        require(self.table.shape in shapes, "policy.table", self.table.shape, f"of shape {shapes[0]} or {shapes[1]}")
        inside = bool(np.all((self.table >= 0) & (self.table < modes)))
        require(inside, "policy.table", self.table, f"indices of {modes} modes, from 0 on")
        require(0 <= self.first_mode < modes, "policy.first_mode", self.first_mode, f"an index of {modes} modes")


class Surroundings(Protocol):
    """The conditions that devices meet, step by step; `D` devices, or 1 row where all meet the same."""

    @property
    def levels(self) -> int:
        """How many levels there are."""
        ...

    def levels_in(self, first: int, last: int) -> IntArray:
        """Return the level of every step from `first` to before `last`, `D x n` or `1 x n`."""
        ...

    def budgets_w_in(self, first: int, last: int) -> FloatArray | None:
        """Return the power that may be spent in these steps, `D x n` or `1 x n`; None where there is no budget."""
        ...


@dataclass(frozen=True, eq=False)
class GivenSurroundings:
    """Levels written out.

    Attributes:
        values: level of every step, `D x T` or `1 x T`; small integer types keep many devices small.
        levels: number of levels.
        budgets_w: power that may be spent, `D x T` or `1 x T`.
    """

    values: IntArray
    levels: int
    budgets_w: FloatArray | None = None

    def levels_in(self, first: int, last: int) -> IntArray:
        """See `Surroundings`; `D x n` or `1 x n`."""
        return self.values[:, first:last]

    def budgets_w_in(self, first: int, last: int) -> FloatArray | None:
        """See `Surroundings`; `D x n` or `1 x n`."""
        return None if self.budgets_w is None else self.budgets_w[:, first:last]


@dataclass(frozen=True, eq=False)
class ProfileSurroundings:
    """Levels of a profile: how many edges its value exceeds or equals.

    Attributes:
        profile: what changes over time; in W it is the budget as well.
        edges: ascending, in the profile's unit; one level more than edges.
        step_s: step in seconds of the simulation.
        shifts_s: by how much later each device meets the profile, D; empty: all meet it at once.
    """

    profile: Profile
    edges: FloatArray
    step_s: float
    shifts_s: FloatArray = field(default_factory=lambda: np.empty(0))

    @property
    def levels(self) -> int:
        """How many levels there are."""
        return int(self.edges.size) + 1

    def levels_in(self, first: int, last: int) -> IntArray:
        """See `Surroundings`; `D x n` or `1 x n`."""
        return np.searchsorted(self.edges, self._values(first, last), side="right").astype(np.int16)

    def budgets_w_in(self, first: int, last: int) -> FloatArray | None:
        """See `Surroundings`; `D x n` or `1 x n`."""
        return self._values(first, last) if self.profile.unit == "W" else None

    def _values(self, first: int, last: int) -> FloatArray:
        times = np.arange(first, last)[None, :] * self.step_s
        return self.profile.at(times - self.shifts_s[:, None] if self.shifts_s.size else times)


@dataclass(frozen=True, eq=False)
class Fleet:
    """Devices of one kind that differ by what each has got.

    Attributes:
        capacities_j: energy of each full battery, above 0, D.
        charge_shares: charge of each at the begin, D.
        power_factors: by which each takes more or less than its modes say, D.
        minimum_share: charge below which a device must not go, as a share of its capacity.
        ends_at_minimum: whether a device stops working there; else it works until nothing is left.
    """

    capacities_j: FloatArray
    charge_shares: FloatArray
    power_factors: FloatArray
    minimum_share: float = 0.0
    ends_at_minimum: bool = False

    def __post_init__(self) -> None:
        shape = self.capacities_j.shape
        require(len(shape) == 1 and shape[0] > 0, "fleet.capacities_j", shape, "one capacity per device")
        for name in ("charge_shares", "power_factors"):
            require(getattr(self, name).shape == shape, f"fleet.{name}", getattr(self, name).shape, f"of shape {shape}")
        require(bool(np.all(self.capacities_j > 0)), "fleet.capacities_j", self.capacities_j, "energies above 0, in J")
        inside = bool(np.all((self.charge_shares >= 0) & (self.charge_shares <= 1)))
        require(inside, "fleet.charge_shares", self.charge_shares, "shares from 0 to 1")
        finite = bool(np.all(np.isfinite(self.power_factors) & (self.power_factors >= 0)))
        require(finite, "fleet.power_factors", self.power_factors, "finite factors of at least 0")
        require(0 <= self.minimum_share < 1, "fleet.minimum_share", self.minimum_share, "a share from 0 to below 1")

    def __len__(self) -> int:
        return int(self.capacities_j.size)

    @property
    def end_share(self) -> float:
        """Charge at which a device stops working, as a share of its capacity."""
        return self.minimum_share if self.ends_at_minimum else 0.0


def equal_fleet(store: EnergyStore, devices: int, *, ends_at_minimum: bool = False) -> Fleet:
    """Return the devices that are all alike, with full batteries."""
    full = np.ones(devices)
    return Fleet(store.capacity_j * full, full, full.copy(), store.minimum_share, ends_at_minimum)


def varied_fleet(
    store: EnergyStore,
    devices: int,
    random: np.random.Generator,
    *,
    capacity_spread: float = 0.05,
    power_spread: float = 0.05,
    ends_at_minimum: bool = False,
) -> Fleet:
    """Return the devices whose capacities and powers scatter about those given (normal, cut at three standard deviations).

    The first is exact.

    Args:
        store: the battery as its document says.
        devices: number of devices.
        random: the stream that the scatter is drawn from.
        capacity_spread: standard deviation of the capacity, as a share of it, below 1/3.
        power_spread: the same of all powers.
        ends_at_minimum: see `Fleet`.
    """
    capacity, power = (
        1.0 + spread * np.clip(random.standard_normal(devices), -3, 3) for spread in (capacity_spread, power_spread)
    )
    capacity[:1], power[:1] = 1.0, 1.0
    return Fleet(store.capacity_j * capacity, np.ones(devices), power, store.minimum_share, ends_at_minimum)
