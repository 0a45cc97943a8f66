"""Runs of the engine soc-mapping behind the reproduction: Jetson AGX Xavier under the calibration of the publication."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.designs import Designs
from engines.contract.engine import Document, Problem
from engines.contract.results import Curve
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.registry import get_engine
from engines.reproduction import frame
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import evaluate
from engines.workloads.vision_graph import Superblock, pyramid_operations, superblock_operations

ENGINE = "soc-mapping"
ISOTROPIC, PYRAMID = "magnas-figure-8-isotropic", "magnas-figure-8-pyramid"
PYRAMID_M_CHANNELS = (96, 192, 384, 768)
DEPTHS = (4, 4, 4, 4)  # section 5.1.5: four blocks within each superblock, also in the pyramid
_FIGURE_8_HIDDEN = 192


@dataclass(frozen=True)
class Outcome:
    """The designs that a run found: `k` non-dominated mappings within the limits, by rising latency.

    Attributes:
        latency_s, energy_j: shape `k`.
        gpu_share: GPU share of the blocks of each, shape `k`.
        decisions: decisions of each.
        gpu, dla: latency and energy of the network on one unit alone, at the highest clocks.
        share_percent: share in per cent of the exact hypervolume, for a heuristic; else NaN.
    """

    latency_s: FloatArray
    energy_j: FloatArray
    gpu_share: FloatArray
    decisions: tuple[Mapping[str, Any], ...]
    gpu: tuple[float, float]
    dla: tuple[float, float]
    share_percent: float

    @property
    def points(self) -> FloatArray:
        """Latency and energy, shape `k x 2`."""
        return np.column_stack([self.latency_s, self.energy_j])


@dataclass(frozen=True)
class Scores:
    """Latency and energy of mappings, shape `n` each."""

    latency_s: FloatArray
    energy_j: FloatArray

    @property
    def points(self) -> FloatArray:
        """Latency and energy, shape `n x 2`."""
        return np.column_stack([self.latency_s, self.energy_j])


_ONE = np.ones(1)
NOTHING = Outcome(_ONE, _ONE, _ONE, ({"units": ["gpu"] * 34},), (1.0, 1.0), (1.0, 1.0), 100.0)


@dataclass(frozen=True)
class Case(frame.Case[Outcome]):
    """A run to its end.

    Attributes:
        network: slug of a built-in network, `ISOTROPIC` or `PYRAMID`.
        params: parameters as (name, value) pairs.
        seed: seed of everything random.
        no_slower_than: units of a mapping whose latency is the limit; () for none.
    """

    network: str
    params: tuple[tuple[str, Any], ...] = ()
    seed: int = 1
    no_slower_than: tuple[str, ...] = ()

    def run(self) -> Outcome:
        """Return the feasible, non-dominated designs of the run."""
        if not self.no_slower_than:
            return _run(problem_of(self))
        latency_s = float(scores(self.network, [{"units": list(self.no_slower_than)}]).latency_s[0])
        # A hair more: the mapping itself must stay within.
        return Case(self.network, (*self.params, ("latency_limit_s", latency_s * (1 + 1e-9))), self.seed).run()

    def blank(self) -> Outcome:
        """Return one mapping without metrics."""
        return NOTHING


@dataclass(frozen=True)
class MappingScores(frame.Case[Scores]):
    """Mappings of one's own, scored by the engine; `mappings` are the units of the blocks of each."""

    network: str
    mappings: tuple[tuple[str, ...], ...]

    def run(self) -> Scores:
        """Return their latencies and energies."""
        return scores(self.network, [{"units": list(units)} for units in self.mappings])

    def blank(self) -> Scores:
        """Return scores of NaN for every mapping, before they are computed."""
        missing = np.full(len(self.mappings), np.nan)
        return Scores(missing, missing)


def _run(problem: Problem) -> Outcome:
    found: list[Designs] = []
    share = float("nan")
    engine = get_engine(ENGINE)
    for step in drive(engine, problem, LocalContext(problem)):
        if step.designs is not None:
            found.append(step.designs)
        curve = next((result for result in step.results if isinstance(result, Curve)), None)
        share = float(curve.series[0].y[-1]) if curve is not None else share
    designs = Designs.concatenate(found)
    alone = {label: row for row, label in enumerate(designs.label) if label}
    points = designs.matrix(("latency_s", "energy_j"))
    rows = designs.front(engine.quantities_of(problem.params))
    rows = rows[np.argsort(points[rows, 0], kind="stable")]
    decisions = tuple(designs.decisions[row] for row in rows.tolist())
    return Outcome(
        points[rows, 0], points[rows, 1],
        np.array([np.mean([unit == "gpu" for unit in decision["units"]]) for decision in decisions]),
        decisions, _pair(points[alone["GPU alone"]]), _pair(points[alone["DLA alone"]]), share,
    )  # fmt: skip


def scores(network: str, decisions: Sequence[Mapping[str, Any]]) -> Scores:
    """Return latency and energy that the engine computes for given decisions."""
    problem = problem_of(Case(network))
    designs = evaluate(problem, decisions)
    return Scores(designs.columns["latency_s"], designs.columns["energy_j"])


@cache
def problem_of(case: Case) -> Problem:
    """Return the problem of a case."""
    inputs = {
        "hardware": get_builtin("hardware", "jetson-agx-xavier"),
        "workload": _workload(case.network),
        "calibration": get_builtin("calibration", "xavier-magnas"),
    }
    return make_problem(ENGINE, inputs, dict(case.params), seed=case.seed)


def _workload(network: str) -> Document:
    if network == ISOTROPIC:
        operations = superblock_operations([Superblock("gin", depth, True, _FIGURE_8_HIDDEN) for depth in DEPTHS])
    elif network == PYRAMID:
        operations = pyramid_operations(DEPTHS, PYRAMID_M_CHANNELS, "gin")
    else:
        return get_builtin("workload", network)
    content = {
        "schema": "network/1", "slug": network, "title": network, "short_title": "Figure 8",
        "source": "odema-2023 section 5.7.1", "operations": operations,
    }  # fmt: skip
    return Document("workload", network, 1, content)


def _pair(point: FloatArray) -> tuple[float, float]:
    return float(point[0]), float(point[1])
