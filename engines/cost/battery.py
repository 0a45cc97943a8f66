"""The battery model: life at a mean power, and charge along a power trace.

Source: goyal-2023 equation 3.3 (life = capacity / mean power). The charge along a trace is the energy balance that it sums up,
E(t) = E(0) - integral of P: no losses, no ageing, and a capacity that does not depend on the current.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.errors import ProblemError
from hardware.battery.model import EnergyStore


@dataclass(frozen=True, eq=False)
class ChargeTrace:
    """The charge of a battery over time, linear between two times.

    Attributes:
        times_s: start, and end of each of `n` intervals, in s, shape `n + 1`.
        shares: charge at these times as a share of the capacity, shape `n + 1`; 0 once it is empty.
        minimum_reached_at_s: time at which the minimum level is reached, in s; None if never.
    """

    times_s: np.ndarray
    shares: np.ndarray
    minimum_reached_at_s: float | None


def life_s(store: EnergyStore, mean_power_w: float, charge_share: float = 1.0) -> float:
    """Return the battery life in s to its minimum level (goyal-2023 eq. 3.3); infinite at power 0.

    Args:
        store: the battery.
        mean_power_w: mean power in W, from 0 on.
        charge_share: charge at the start as a share of the capacity.

    Raises:
        ProblemError: a figure is out of its bounds.
    """
    _check_share(charge_share)
    if not mean_power_w >= 0:
        raise ProblemError("mean_power_w", mean_power_w, "a power from 0 on, in W")
    usable_j = max(0.0, charge_share - store.minimum_share) * store.capacity_j
    return usable_j / mean_power_w if mean_power_w else float("inf")


def charge_over_time(
    store: EnergyStore, durations_s: Sequence[float], powers_w: Sequence[float], charge_share: float = 1.0
) -> ChargeTrace:
    """Return the charge over intervals of constant power.

    Args:
        store: the battery.
        durations_s: `n` durations in s, from 0 on.
        powers_w: `n` powers in W, from 0 on.
        charge_share: charge at the start as a share of the capacity.

    Raises:
        ProblemError: the numbers of durations and powers differ, or a value is out of its bounds.
    """
    durations, powers = np.asarray(durations_s, np.float64), np.asarray(powers_w, np.float64)
    if durations.ndim != 1 or durations.shape != powers.shape:
        raise ProblemError("powers_w", powers.shape, f"one power per duration, with the shape {durations.shape}")
    for name, values in (("durations_s", durations), ("powers_w", powers)):
        if not np.all(np.isfinite(values) & (values >= 0)):
            wrong = int(np.flatnonzero(~(np.isfinite(values) & (values >= 0)))[0])
            raise ProblemError(f"{name}.{wrong}", float(values[wrong]), "a number from 0 on")
    _check_share(charge_share)
    times = np.concatenate(([0.0], np.cumsum(durations)))
    spent = np.concatenate(([0.0], np.cumsum(durations * powers))) / store.capacity_j
    shares = charge_share - spent
    reached = _first_time_at(store.minimum_share, times, shares)
    return ChargeTrace(times, np.maximum(shares, 0.0), reached)


def _first_time_at(level: float, times: np.ndarray, shares: np.ndarray) -> float | None:
    """Return the first time at which the falling charge reaches `level`, by linear interpolation; None if never."""
    at = np.flatnonzero(shares <= level)
    if not at.size:
        return None
    end = int(at[0])
    if end == 0 or shares[end - 1] == shares[end]:
        return float(times[end])
    part = (shares[end - 1] - level) / (shares[end - 1] - shares[end])
    return float(times[end - 1] + part * (times[end] - times[end - 1]))


def _check_share(charge_share: float) -> None:
    if not 0 <= charge_share <= 1:
        raise ProblemError("charge_share", charge_share, "a share from 0 to 1")
