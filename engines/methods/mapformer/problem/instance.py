"""A problem made ready: the board with its networks, the space of mappings, and the bound on first use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engines.contract.bounded_cache import BoundedCache
from engines.contract.engine import Problem, require
from engines.contract.errors import ProblemError
from engines.contract.limits import Allowed, allowed_by
from engines.contract.numeric.memory_size import held_bytes
from engines.cost.calibration.unmeasured import CalibrationCoverage, estimates_as_remedies
from engines.cost.soc.clocks import MEMORY, clock_grid
from engines.cost.soc_networks import covered_networks
from engines.mapping.problem.rules import clock_choices
from engines.methods.mapformer.params import MapFormerParams
from engines.methods.mapformer.problem.bound import ThroughputBound, throughput_bound
from engines.methods.mapformer.problem.fairness import Fairness
from engines.methods.mapformer.problem.networks import board_of
from engines.methods.mapformer.problem.space import Space
from engines.methods.mapformer.quantities import FAIRNESS, LIMITS, POWER
from engines.simulation.board import Board
from engines.workloads.network import Scenario
from hardware.calibration.model import SocCalibration
from hardware.soc.model import Soc

MOST_NETWORKS = 10
_boards: BoundedCache[tuple[tuple[tuple[str, str], ...], str, str, bool, str], tuple[CalibrationCoverage, Board]] = (
    BoundedCache(2, 200_000_000, held_bytes)
)
_MOST_TIMES = 40_000_000  # layers x clocks x networks of a table of costs


@dataclass(frozen=True, eq=False)
class MixInstance:
    """The prepared problem that managers and pages share.

    Attributes:
        names: names of the networks, distinguished where one comes twice.
        power_limit_w: infinite where there is none.
        covered: device with the source of the costs.
    """

    soc: Soc
    scenario: Scenario
    covered: CalibrationCoverage
    board: Board
    space: Space
    names: tuple[str, ...]
    allowed: Allowed

    @property
    def power_limit_w(self) -> float:
        """In W."""
        return self.allowed.get(POWER, np.inf)

    @cached_property
    def fairness(self) -> Fairness:
        """Shares of the networks, with the limit on them."""
        return Fairness.on(self.board, self.space.segments, FAIRNESS.scale * self.allowed.get(FAIRNESS, 0.0))

    @cached_property
    def bound(self) -> ThroughputBound:
        """On mean throughput within the power limit."""
        return throughput_bound(self.board, self.space.segments, self.power_limit_w)


@estimates_as_remedies
def instance_of(problem: Problem[MapFormerParams]) -> MixInstance:
    """Return everything of a problem.

    Raises:
        ProblemError: too many networks, clocks that do not exist, a device without power, an operation that no unit runs.
    """
    params, soc, scenario = problem.params, problem.value("hardware", Soc), problem.value("workload", Scenario)
    count = len(scenario.models)
    require(1 <= count <= MOST_NETWORKS, "inputs.workload.models", count, f"a mix of 1 to {MOST_NETWORKS} networks")
    accepted = "a device whose units a calibration or a data sheet covers"
    require(
        not soc.by_dataflow, "inputs.hardware", soc.slug, accepted, reason="The board is simulated by clocks and load."
    )
    # Studies ask for the same mix under many managers and limits of power, of which its board knows nothing.
    documents = tuple(sorted((slot, document.ordered_hash) for slot, document in problem.inputs.items()))
    key = (documents, params.clock_choices, params.unmeasured, params.ignore_memory, params.bits)
    covered, board = _boards.made(key, lambda: _board(problem, soc, scenario))
    return MixInstance(
        soc, scenario, covered, board, Space(board, params.segments), _names(scenario), allowed_by(LIMITS, params)
    )  # fmt: skip


def _board(problem: Problem[MapFormerParams], soc: Soc, scenario: Scenario) -> tuple[CalibrationCoverage, Board]:
    params = problem.params
    given = problem.value("calibration", SocCalibration) if "calibration" in problem.inputs else None
    covered = covered_networks(soc, given, [each.network for each in scenario.models], params.unmeasured, params.bits)
    covered = covered.within_memory(scenario.models, ignore=params.ignore_memory)
    model = covered.model(fallback=False)
    board = board_of(covered.soc, model, scenario.models, _steps(covered.soc, model.units, params.clock_choices))
    size = board.rows * int(board.layers.max()) * len(scenario.models)
    ways = ["Use fewer clocks."]
    accepted = f"at most {_MOST_TIMES}"
    require(size <= _MOST_TIMES, "params.clock_choices", f"{size} times of layers", accepted, remedies=ways)
    return covered, board


def _steps(soc: Soc, units: tuple[str, ...], text: str) -> dict[str, tuple[float, ...]]:
    """Return the clocks of each unit: those that were chosen, else all of its table."""
    chosen = clock_choices(text)
    require(MEMORY not in chosen, "params.clock_choices", MEMORY, f"units out of: {', '.join(units)}")
    try:
        grid = {name: clock_grid(soc, {name: steps}).frequencies_hz[name] for name, steps in chosen.items()}
    except ProblemError as error:
        raise ProblemError.of(error, "params.clock_choices") from error
    return {
        name: tuple(np.unique(grid[name]).tolist()) if name in grid else soc.units[name].frequencies_hz
        for name in units
    }


def _names(scenario: Scenario) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    names = []
    for model in scenario.models:
        slug = model.network.slug
        seen[slug] = seen.get(slug, 0) + 1
        names.append(slug if seen[slug] == 1 else f"{slug} ({seen[slug]})")
    return tuple(names)
