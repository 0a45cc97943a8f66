"""Scores of controllers on the same windows, as designs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.designs import Decision
from engines.contract.engine import Context
from engines.data.training_data import require_torch
from engines.methods.split_computing.controllers import (
    EXACT,
    LOCAL,
    ORACLE,
    PRICED,
    R_AGNOSTIC,
    THRESHOLDS,
    Controller,
    controller_of,
    expected_rewards,
)
from engines.methods.split_computing.instance import ControlInstance
from engines.methods.split_computing.windows import Windows
from engines.search.strategies import Columns

BASELINES = (LOCAL, R_AGNOSTIC, ORACLE)
_RISK_PRICES = 16
_MISS_SHARES = (0.0, 0.1, 0.25, 0.5, 2.0)
_BELIEFS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7)
_RATE_FACTORS = (0.5, 0.75, 1.0, 1.5, 2.0)


@dataclass(frozen=True, eq=False)
class Bench:
    """The windows on which all controllers of a problem are measured; `learnt` gives the double DQN."""

    instance: ControlInstance
    windows: Windows
    learnt: Callable[[], Controller]

    def controller(self, decision: Decision) -> Controller:
        """Return the controller of a decision.

        Raises:
            DecisionError: there is no such controller.
        """
        actions, penalty = len(self.instance.system.counts), self.instance.params.penalty
        return controller_of(decision, actions, penalty, self.learnt)

    @cached_property
    def expected(self) -> FloatArray:
        """Expected reward of every action, shape `a x n`."""
        return expected_rewards(self.windows, self.instance.params.penalty)

    @cached_property
    def rewards(self) -> FloatArray:
        """Reward of every action as windows really are, shape `a x n`."""
        windows = self.windows
        risky, robust = windows.system.rewards(windows.energy_j, windows.missed, self.instance.params.penalty)
        return np.where(windows.robust, robust, risky[:, None])

    def columns(self, actions: IntArray, knows_more: bool = False) -> dict[str, float]:
        """Return the columns of a design by its actions, shape `n`.

        `knows_more` says that it sees what others cannot, as the oracle does.
        """
        windows, each = self.windows, np.arange(len(actions))
        away = actions > 0
        energy = float(windows.energy_j[actions, each].mean())
        best = float(self.expected.max(axis=0).mean())
        gained = self.rewards if knows_more else self.expected
        return {
            "energy_j": energy,
            "risky_fraction": float((away & ~windows.robust).mean()),
            "missed_fraction": float(windows.missed[actions, each].mean()),
            "saved_fraction": 1 - energy / float(windows.energy_j[0].mean()),
            "offloaded_fraction": float(away.mean()),
            "latency_s": float(windows.latency_s[actions, each].mean()),
            "quality": float(windows.quality[away].mean()) if away.any() else float("nan"),
            "reward": float(self.rewards[actions, each].mean()),
            "reward_lost": best - float(gained[actions, each].mean()),
        }


def bench_of(instance: ControlInstance, context: Context) -> Bench:
    """Return the windows of a problem: the same for every controller and every process."""

    def learnt() -> Controller:
        require_torch()
        from engines.methods.split_computing.double_dqn import learnt_controller

        return learnt_controller(instance, context)

    return Bench(instance, instance.windows(context, instance.params.windows, "measured"), learnt)


def searched(instance: ControlInstance) -> list[dict[str, Any]]:
    """Return the exact controllers over prices, the exact one of the published reward, and thresholds, as decisions."""
    system = instance.system
    scale = (
        float(system.local_s[0] - system.local_s[-1]) * system.local_power_w
    )  # what most offloading saves in the car
    risk = [0.0, *(scale * np.geomspace(0.05, 50, _RISK_PRICES))]
    found: list[dict[str, Any]] = [{"controller": EXACT}]
    found += [
        {"controller": PRICED, "risk_price_j": _short(price), "miss_price_j": _short(scale * miss)}
        for price in risk
        for miss in _MISS_SHARES
    ]
    least = np.array([system.least_bits_per_s(count, instance.typical_delay_s) for count in system.counts[1:]])
    if not np.isfinite(least).all():
        # With the mean delay some count is never in time: thresholds then go by an idle server, with which every count can be.
        least = np.array([system.least_bits_per_s(count, 0.0) for count in system.counts[1:]])
    rates = np.maximum.accumulate(least).tolist()
    thresholds = [
        {"controller": THRESHOLDS, "bandwidths_mbps": [_short(rate * factor / 1e6) for rate in rates], "belief": belief}
        for factor in _RATE_FACTORS
        for belief in _BELIEFS
    ]
    return found + thresholds


def scored(bench: Bench, decisions: Sequence[Decision]) -> Columns:
    """Return what controllers are judged by."""
    rows = [bench.columns(bench.controller(each)(bench.windows), each["controller"] == ORACLE) for each in decisions]
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def _short(value: float) -> float:
    """Return four digits: what stands in decisions is what is computed with."""
    return float(f"{value:.4g}")
