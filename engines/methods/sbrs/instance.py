"""A problem made ready: networks with costs, ranks and choices, the mission."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.engine import Problem, require
from engines.contract.limits import Allowed, allowed_by
from engines.contract.numeric.random_streams import random_stream
from engines.cost.calibration.unmeasured import CalibrationCoverage, estimates_as_remedies
from engines.cost.memory_capacity import within_capacity
from engines.cost.soc.model import bits_of
from engines.cost.soc_networks import NetworkPricer, covered_networks
from engines.methods.sbrs.cnn import TimedCnn
from engines.methods.sbrs.equality import ADAPTABLE
from engines.methods.sbrs.mission import Mission, budget_of
from engines.methods.sbrs.params import SbrsParams
from engines.methods.sbrs.quantities import LIMITS, MEMORY
from engines.methods.sbrs.ranking import Choice, Requirements, choose
from engines.methods.sbrs.reading import timed
from engines.methods.sbrs.texts import figures_of_networks, requirement_sets
from engines.recordings.recording import Recording
from engines.workloads.network import Network, Scenario
from engines.workloads.unknown_operators import require_priced
from hardware.battery.model import Battery
from hardware.calibration.model import SocCalibration
from hardware.environment.model import Environment
from hardware.soc.model import Soc

MOST_DESIGNS = 20_000
_FIXED_SETS = {"io_par": ("I", "O", "par"), "io": ("I", "O"), "none": ()}
Candidate = tuple[tuple[int, ...], tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class Instance:
    """The problem of the search.

    Attributes:
        networks: all of the workload, `n`.
        values: accuracy in % (0 where unknown), throughput in fps, memory in bytes, energy in J, shape `n x 4`.
        choices: for each requirement set.
        powers_w: powers in watts of each network while it runs: measured, else modelled.
        mission: None where no environment is given.
        covered: the device, its calibration, and what of it nobody measured.
        measured: a recording to lay over the mission; None where none is given.
    """

    networks: tuple[TimedCnn, ...]
    values: FloatArray
    requirements: tuple[Requirements, ...]
    choices: tuple[Choice, ...]
    powers_w: Mapping[str, float]
    mission: Mission | None
    measured: Recording | None
    params: SbrsParams
    unit: str
    covered: CalibrationCoverage
    bytes_per_element: int
    chosen: bool = False

    @property
    def allowed(self) -> Allowed:
        """The limits of the parameters, and the memory of the device, which holds all networks of an application."""
        most = sum(network.cnn.memory_bytes(self.bytes_per_element) for network in self.networks)
        return within_capacity(allowed_by(LIMITS, self.params), MEMORY, self.covered.soc, most)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the networks."""
        return tuple(network.cnn.name for network in self.networks)

    @property
    def selected(self) -> tuple[int, ...]:
        """Numbers of the networks that requirement sets select, ascending."""
        return tuple(sorted({choice.network for choice in self.choices}))

    def candidates(self) -> list[Candidate]:
        """Return the networks and adaptive attributes of every application that is scored."""
        return [(networks, adaptive) for networks in self._network_sets() for adaptive in self._adaptive_sets()]

    @property
    def candidate_count(self) -> int:
        """The number of `candidates`, without listing them: of many networks there are billions."""
        sets = [math.comb(len(self.networks), size) for size in self._sizes] if self._every_set else [1]
        return sum(sets) * len(self._adaptive_sets())

    @property
    def _every_set(self) -> bool:
        return self.params.scenario_sets != "selected"

    @property
    def _sizes(self) -> range:
        largest = min(self.params.largest_set, len(self.networks))
        return range(min(self.params.smallest_set, largest), largest + 1)

    def _adaptive_sets(self) -> list[tuple[str, ...]]:
        names = self.params.adaptive
        if names in _FIXED_SETS:
            return [_FIXED_SETS[names]]
        return [chosen for size in range(len(ADAPTABLE) + 1) for chosen in combinations(ADAPTABLE, size)]

    def _network_sets(self) -> list[tuple[int, ...]]:
        if not self._every_set:
            return [self.selected]
        return [chosen for size in self._sizes for chosen in combinations(range(len(self.networks)), size)]


def _covered(problem: Problem[SbrsParams], networks: Sequence[Network]) -> CalibrationCoverage:
    given = problem.optional("calibration", SocCalibration)
    return covered_networks(
        problem.value("hardware", Soc), given, networks, problem.params.unmeasured, problem.params.precision
    )


@estimates_as_remedies
def build_instance(problem: Problem[SbrsParams]) -> Instance:
    """Return everything of a problem.

    Raises:
        ProblemError: names what cannot be: networks without an estimate, texts, profiles.
    """
    params = problem.params
    workload = problem.value("workload", Scenario)
    require(len(workload.models) > 0, "inputs.workload.models", 0, "a list of at least one network")
    require_priced(workload)
    models = {model.network.slug: model.network for model in workload.models}
    names = tuple(models)
    accuracies = figures_of_networks(params.accuracies, names, "params.accuracies", "%", 100.0)
    costs = _covered(problem, list(models.values()))
    mode = params.power_mode.strip() or None
    pricer = NetworkPricer(costs.soc, costs.calibration, params.unit.strip(), params.precision, mode)
    unit = pricer.choose_unit(list(models.values()))
    networks = tuple(timed(network, pricer, accuracies.get(name)) for name, network in models.items())
    word = int(bits_of(params.precision).weight_bytes)
    values = np.array([
        [network.accuracy_percent or 0.0, network.throughput_fps, network.cnn.memory_bytes(word), network.frame_j]
        for network in networks
    ])  # fmt: skip
    requirements = requirement_sets(params.requirements)
    measured = figures_of_networks(params.powers_w, names, "params.powers_w", "W", 1e6)
    powers = {name: measured.get(name, network.power_w) for name, network in zip(names, networks, strict=True)}
    choices = tuple(choose(values, each) for each in requirements)
    return Instance(
        networks,
        values,
        requirements,
        choices,
        powers,
        mission_of(problem),
        problem.optional("measured", Recording),
        params,
        unit,
        costs.of(unit),
        word,
        "calibration" not in problem.inputs,
    )


def mission_of(problem: Problem[SbrsParams]) -> Mission | None:
    """Return the mission; None without an environment.

    Raises:
        ProblemError: an environment without battery or without a profile in W.
    """
    if "environment" not in problem.inputs:
        return None
    params = problem.params
    reason = "The mission of the environment drains a battery."
    require("battery" in problem.inputs, "inputs.battery", None, "a battery", reason=reason)
    environment = problem.value("environment", Environment)
    battery = problem.value("battery", Battery)
    holds = max(1, int(np.ceil(environment.duration_s / params.complexity_hold_s)))
    reason = "A run samples at most a million complexities."
    accepted = f"at least {environment.duration_s / 1e6:.3g} s"
    require(holds <= 1_000_000, "params.complexity_hold_s", params.complexity_hold_s, accepted, reason=reason)
    complexity = random_stream(problem.seed, "complexity of inputs").random(holds)
    return Mission(
        environment,
        budget_of(environment, params.budget_profile.strip()),
        battery,
        params.reserve_percent / 100,
        complexity,
        params.complexity_hold_s,
    )
