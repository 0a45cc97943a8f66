"""Controllers: what they do in a window. All but the oracle see channel, queue and belief alone.

Windows are independent and a controller's action changes none of them, so that what is best in one is best altogether: the
optimum of any sum over windows is a table over channel, queue and belief, and is computed here from the model itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.errors import DecisionError
from engines.methods.split_computing.windows import Windows

Controller = Callable[[Windows], IntArray]
LOCAL, R_AGNOSTIC, ORACLE, EXACT, PRICED, THRESHOLDS, DQN = (
    "local", "r-agnostic", "oracle", "exact", "priced", "thresholds", "double-dqn"
)  # fmt: skip
TITLES = {
    LOCAL: "All in the car", R_AGNOSTIC: "R-agnostic", ORACLE: "Oracle", EXACT: "Exact optimum",
    PRICED: "Exact at prices", THRESHOLDS: "Thresholds", DQN: "Double DQN",
}  # fmt: skip
_KINDS = ", ".join(TITLES)


def local(windows: Windows) -> IntArray:
    """Return everything in the car."""
    return np.zeros(len(windows), dtype=np.int64)


def r_agnostic(windows: Windows) -> IntArray:
    """Return the least energy in time, whatever the scene."""
    return windows.system.cheapest_in_time(windows.energy_j, windows.missed)


def oracle(windows: Windows) -> IntArray:
    """Return the least energy in time where the window is robust, which it knows; else in the car."""
    return np.where(windows.robust, r_agnostic(windows), 0)


def expected_rewards(windows: Windows, penalty: float) -> FloatArray:
    """Return the published reward that each action is expected to give by what a controller sees, shape `a x n`."""
    risky, robust = windows.system.rewards(windows.energy_j, windows.missed, penalty)
    return np.asarray((1 - windows.belief) * risky[:, None] + windows.belief * robust)


@dataclass(frozen=True)
class ExactController:
    """The greatest expected reward in every window: no controller that sees the same has more."""

    penalty: float

    def __call__(self, windows: Windows) -> IntArray:  # noqa: D102
        return np.asarray(expected_rewards(windows, self.penalty).argmax(axis=0))


@dataclass(frozen=True)
class PricedController:
    """The least of energy + price x probability of risk + price x missed deadline in every window.

    Of all controllers that see the same none has a smaller mean of that sum, so that it is on the front.
    """

    risk_j: float
    miss_j: float

    def __call__(self, windows: Windows) -> IntArray:  # noqa: D102
        cost = windows.energy_j + np.where(windows.missed, self.miss_j, 0.0)
        cost[1:] += self.risk_j * (1 - windows.belief)
        return np.asarray(cost.argmin(axis=0))


@dataclass(frozen=True)
class ThresholdController:
    """Controller that sends as many pipelines as the bandwidth allows at a typical server delay, if the belief is high enough.

    It does not look at the queue.

    Attributes:
        bits_per_s: from which each action but the first is taken, ascending.
        belief: the least.
    """

    bits_per_s: tuple[float, ...]
    belief: float

    def __call__(self, windows: Windows) -> IntArray:  # noqa: D102
        action = np.searchsorted(np.array(self.bits_per_s), windows.bits_per_s, side="right")
        return np.where(windows.belief >= self.belief, action, 0)


def controller_of(
    decision: Mapping[str, Any], actions: int, penalty: float, learnt: Callable[[], Controller]
) -> Controller:
    """Return the controller that a decision describes; `learnt` gives the double DQN.

    Raises:
        DecisionError: there is no such controller.
    """
    kind = decision.get("controller")
    plain: dict[object, Controller] = {
        LOCAL: local,
        R_AGNOSTIC: r_agnostic,
        ORACLE: oracle,
        EXACT: ExactController(penalty),
    }
    if kind in plain:
        return plain[kind]
    if kind == PRICED:
        return PricedController(*(_number(decision, name) for name in ("risk_price_j", "miss_price_j")))
    if kind == THRESHOLDS:
        rates, field = decision.get("bandwidths_mbps"), "decision.bandwidths_mbps"
        right = isinstance(rates, list) and len(rates) == actions - 1 and all(_is_number(each) for each in rates)
        if not isinstance(rates, list) or not right or sorted(rates) != rates:
            reason = "From each bandwidth on, one more pipeline is sent."
            raise DecisionError(field, rates, f"{actions - 1} bandwidths in Mbit/s, ascending", reason=reason)
        return ThresholdController(tuple(1e6 * float(each) for each in rates), _number(decision, "belief"))
    if kind == DQN:
        return learnt()
    raise DecisionError("decision.controller", kind, f"one of {_KINDS}")


def _number(decision: Mapping[str, Any], name: str) -> float:
    value = decision.get(name)
    if value is None or not _is_number(value):
        raise DecisionError(f"decision.{name}", value, "a number from 0 on")
    return float(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf")
