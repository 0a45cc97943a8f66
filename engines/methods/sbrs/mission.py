"""A mission: what an application spends and answers while its power budget changes, under three policies.

Source: minakova-2022 section 4 and Figure 2. Policies:

- static: one network, the most accurate one that keeps the least budget of the mission;
- data-driven: hard inputs are given to larger networks, whatever the budget says. How hard inputs are is drawn at random and
  held for a while; as the text has it, its accuracy stays alike: that of its most accurate network;
- SBRS: the most accurate network within the budget; near the minimum level of the battery the thriftiest.

Where no network keeps a budget, the thriftiest runs and the time counts as over budget. A switch takes milliseconds and costs
nothing here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.errors import ProblemError
from engines.simulation.fleet import GivenSurroundings, Modes, Policy, ProfileSurroundings, equal_fleet
from engines.simulation.outcome import Outcome
from engines.simulation.simulate import Clock, simulate
from hardware.battery.model import EnergyStore
from hardware.environment.model import Environment, Profile

STATIC, DATA_DRIVEN, SBRS = "Static, worst case", "Data-driven", "SBRS"
POLICIES = (SBRS, STATIC, DATA_DRIVEN)
_MOST_STEPS = 200_000


@dataclass(frozen=True, eq=False)
class Scenario:
    """The networks that run in a mission.

    Attributes:
        names: names of the networks.
        powers_w: while each runs.
        accuracies_percent: NaN where unknown.
    """

    names: tuple[str, ...]
    powers_w: FloatArray
    accuracies_percent: FloatArray

    @property
    def thriftiest(self) -> int:
        """Number of the network with the least power."""
        return int(np.argmin(self.powers_w))

    def best_within(self, budget_w: float) -> int:
        """Return the most accurate network within a budget; of unknown or equal accuracies the one with most power."""
        able = np.flatnonzero(self.powers_w <= budget_w * (1 + 1e-12))
        if not able.size:
            return self.thriftiest
        known = np.nan_to_num(self.accuracies_percent[able], nan=-1.0)
        return int(able[np.lexsort((self.powers_w[able], known))[-1]])


@dataclass(frozen=True, eq=False)
class Mission:
    """The surroundings of the application.

    Attributes:
        budget: the profile in W that may be spent.
        reserve_share: charge above the minimum level from which on SBRS runs the thriftiest network.
        complexity: complexity of the inputs in each interval, from 0 to below 1.
        complexity_hold_s: duration of each interval.
    """

    environment: Environment
    budget: Profile
    battery: EnergyStore
    reserve_share: float
    complexity: FloatArray
    complexity_hold_s: float

    @property
    def clock(self) -> Clock:
        """Steps of a second, or longer ones where a mission has very many."""
        steps = int(np.ceil(min(self.environment.duration_s, _MOST_STEPS)))
        return Clock(self.environment.duration_s / steps, steps)


@dataclass(frozen=True, eq=False)
class MissionResult:
    """The outcome of a policy: the simulation, and the mean accuracy over the working time (NaN where unknown)."""

    outcome: Outcome
    accuracies_percent: FloatArray
    mean_accuracy_percent: float
    life_s: float


def budget_of(environment: Environment, name: str) -> Profile:
    """Return the profile of that name; without a name the one in W with "budget" in its own, or the only one in W.

    Raises:
        ProblemError: there is none in W, or several that may be meant.
    """
    powers = {key: profile for key, profile in environment.profiles.items() if profile.unit == "W"}
    if name and name in powers:
        return powers[name]
    if name or not powers:
        accepted = f"one of: {', '.join(powers)}" if powers else "an environment with a profile in W"
        raise ProblemError(
            "params.budget_profile" if name else "inputs.environment", name or environment.slug, accepted
        )
    budgets = [key for key in powers if "budget" in key] or list(powers)
    if len(budgets) > 1:
        raise ProblemError("params.budget_profile", "", f"the name of the power budget, one of: {', '.join(budgets)}")
    return powers[budgets[0]]


def fly(mission: Mission, scenario: Scenario, policy: str) -> MissionResult:
    """Simulate one policy out of `POLICIES`."""
    accuracies = scenario.accuracies_percent
    surroundings: ProfileSurroundings | GivenSurroundings
    edges = np.unique(scenario.powers_w)
    surroundings = ProfileSurroundings(mission.budget, edges, mission.clock.step_s)
    if policy == STATIC:
        table = np.full((edges.size + 1, 1), _static(mission, scenario))
        rule = Policy(table)
    elif policy == SBRS:
        rule = _switching(mission, scenario, edges)
    else:
        surroundings = _inputs(mission, len(scenario.names))
        rule = Policy(np.argsort(scenario.powers_w, kind="stable")[:, None])
        accuracies = np.full_like(accuracies, np.nanmax(accuracies) if np.isfinite(accuracies).any() else np.nan)
    first = int(rule.table[0, -1])
    rule = Policy(rule.table, rule.charge_edges, first)
    outcome = simulate(
        equal_fleet(mission.battery, 1), Modes(scenario.names, scenario.powers_w), rule, surroundings, mission.clock
    )
    mean = float(outcome.means({"accuracy": accuracies})["accuracy"][0])
    return MissionResult(outcome, accuracies, mean, float(outcome.life_s(mission.environment.duration_s)[0]))


def _static(mission: Mission, scenario: Scenario) -> int:
    times = np.arange(mission.clock.steps) * mission.clock.step_s
    return scenario.best_within(float(mission.budget.at(times).min()))


def _switching(mission: Mission, scenario: Scenario, edges: FloatArray) -> Policy:
    within = [scenario.thriftiest, *(scenario.best_within(float(edge)) for edge in edges)]
    low = mission.battery.minimum_share + mission.reserve_share
    if not 0 < low < 1:
        return Policy(np.array(within)[:, None])
    return Policy(np.stack([np.full(len(within), scenario.thriftiest), np.array(within)], axis=1), np.array([low]))


def _inputs(mission: Mission, networks: int) -> GivenSurroundings:
    clock = mission.clock
    times = np.arange(clock.steps) * clock.step_s
    hold = np.minimum((times // mission.complexity_hold_s).astype(np.int64), mission.complexity.size - 1)
    levels = np.minimum((mission.complexity[hold] * networks).astype(np.int64), networks - 1)
    return GivenSurroundings(levels[None], networks, mission.budget.at(times)[None])


def scenario_of(
    names: Sequence[str], powers_w: Mapping[str, float], accuracies: Mapping[str, float | None]
) -> Scenario:
    """Return the running scenario by the names of the networks."""
    known = [accuracies.get(name) for name in names]
    return Scenario(
        tuple(names),
        np.array([powers_w[name] for name in names]),
        np.array([np.nan if value is None else value for value in known], dtype=np.float64),
    )
