"""Figures 8 to 10, and how much of the exact hypervolume the published search and random search reach in every case."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import numpy.typing as npt

from engines.builtin import get_builtin
from engines.contract import Executor
from engines.methods.magnas.accelerators import AS_MAESTRO, KEPT, Granularity, accelerator_costs
from engines.methods.magnas.published import ANCHOR, clock_choices, compare, unpublished, value
from engines.methods.magnas.reproduction_runs import ISOTROPIC, PYRAMID, Case, Outcome, run_case
from engines.methods.magnas.reproduction_xavier import (
    BASELINES,
    FIVE_MODELS,
    MEAN,
    NETWORKS,
    SLACKS,
    TABLE,
    Look,
)
from engines.methods.magnas.tables import block_table
from engines.quantities import Sense
from engines.reproductions import Comparison
from engines.search.indicators import hypervolume, reference_point
from engines.search.mapping_evolution import Method, search_mappings
from engines.search.unit_mapping import FrontSearch, MappingFront, MappingLimits, UnitCosts, score
from engines.workloads.loader import load_scenario

FloatArray = npt.NDArray[np.float64]

KEPT_SUMS = "sums kept"
BUDGET_FIGURE_8, BUDGET_FIGURE_9, BUDGET_FIGURE_10 = 20_000, 60_000, 5000  # sections 5.7.1 to 5.7.3
IOE_BUDGET, POPULATION = 2000, 200  # section 5.1.3
SEEDS = 3
SENSES: tuple[Sense, Sense] = ("minimise", "minimise")
DSA_Y, DSA_D = 1, 2

GRANULARITIES: tuple[Granularity, ...] = ("blocks", "layers")
Task = tuple[Granularity, str, Method, int]

ARRAYS = (
    "Size and bandwidth of the accelerators and what a change between them costs are not published. By the dataflow model "
    "DSA-d needs least energy for nearly every layer, so that what there is to gain over DSA-y depends on its partial sums."
)
NO_TRADE = (
    "The publication prints 31.9 and 28.6 mJ at 2.2e8 cycles. Under the assumed arrays there is hardly anything to trade near"
    " the latency of DSA-y: DSA-d is ahead in both."
)
FRACTION = (
    "Published: shares of the largest volume that was met (Figure 10), which is not the exact one; reference point and, for "
    "random search, what is counted are not said."
)
_ENGINE_METHODS = {"nsga2_published": "NSGA-II as published", "nsga2": "NSGA-II tuned", "random": "Random search"}
_METHODS: dict[Method, str] = {"published": "NSGA-II as published", "tuned": "NSGA-II tuned", "random": "Random search"}


def figure_8(look: Look) -> Iterator[Comparison]:
    """How far fronts bow below the line between single units: isotropic and pyramid."""
    group = "Figure 8: isotropic and pyramid"
    bows = {}
    for network, words in ((ISOTROPIC, "Isotropic"), (PYRAMID, "Pyramid")):
        found = look(Case(network))
        bows[network] = _bow(found)
        place = "Figure 8"
        yield unpublished(
            f"{words}: mappings on the exact front", float(len(found.latency_s)), "mappings", group, place
        )
        yield unpublished(f"{words}: bow of the front", bows[network], "", group, place, why=BOW)
    agrees = bows[PYRAMID] > bows[ISOTROPIC]
    words = "The publication says that the pyramid's front is the more convex one."
    ours = bows[PYRAMID] - bows[ISOTROPIC]
    yield unpublished(
        "Bow of the pyramid's front above the isotropic one's",
        ours,
        "",
        group,
        "Section 5.7.1",
        why=words,
        agrees=agrees,
    )


BOW = (
    "Area below the front as a share of the rectangle between GPU alone and DLA alone that it leaves out: 0.5 is the straight"
    " line of mappings that only trade, 1 a corner."
)


def table_4_by_blocks() -> Iterator[Comparison]:
    """Table 4 with costs per block from the publication's own totals."""
    group = "Table 4 and Figure 6, left: share on the GPU by allowed increase of latency"
    for slack in SLACKS:
        shares = []
        for name in NETWORKS:
            costs = published_table(name)
            alone = _alone(costs)[:, 0]
            limits = MappingLimits(latency_s=float(alone[0]) * (1 + slack / 100))
            shares.append(float((FrontSearch(costs, limits).front([0]).units == 0).mean()))
        key = f"table4.latency_increase.avg_gpu_utilization.p{slack}"
        name = f"Latency at most {slack} % above GPU alone"
        yield compare(name, key, float(np.mean(shares)), group, reading=TABLE, why=FIVE_MODELS)


@cache
def published_table(name: str) -> UnitCosts:
    """Costs per block of b0 to b3 or a3 from the totals that are printed of it."""
    network = load_scenario(get_builtin("workload", NETWORKS[name]).content).models[0].network
    if name in BASELINES:
        key = f"table3.3.baselines.{name}"
        totals = {unit: (f"{key}.lat_{unit.upper()}", f"{key}.energy_{unit.upper()}") for unit in ("gpu", "dla")}
    else:
        keys = {unit: f"table3.4.{unit.upper()}-only" for unit in ("gpu", "dla")}
        totals = {unit: (f"{key}.latency", f"{key}.energy") for unit, key in keys.items()}
    return block_table(network, {unit: (1e-3 * value(t), 1e-3 * value(e)) for unit, (t, e) in totals.items()})


def figures_9_and_10(executor: Executor) -> Iterator[Comparison]:
    """Three accelerators: what mapping gains, blocks against layers, evolution against random search."""
    for reading, output_stationary in ((MEAN, AS_MAESTRO), (KEPT_SUMS, KEPT)):
        group = "Figure 9: three accelerators of different dataflows"
        fronts: dict[Granularity, MappingFront] = {}
        for granularity in GRANULARITIES:
            costs = accelerator_costs(granularity, output_stationary)
            fronts[granularity] = FrontSearch(costs, MappingLimits()).front([0])
        alone = _alone(accelerator_costs("blocks", output_stationary))
        gains = {name: alone[DSA_Y, 1] / _least_energy(front, alone[DSA_Y, 0]) for name, front in fronts.items()}
        name = "Energy of DSA-y over the least at its latency, blocks"
        yield compare(
            name,
            "fig9.blockwise_energy_gain_over_DSA_y",
            gains["blocks"],
            group,
            reading=reading,
            why=ARRAYS,
            side=(True, gains["blocks"] > 1),
        )
        fastest = fronts["blocks"].scores.latency_s[0]
        ours = _least_energy(fronts["blocks"], fastest) / _least_energy(fronts["layers"], fastest)
        published = value("fig9.blockwise_energy") / value("fig9.layerwise_energy")
        why = NO_TRADE if abs(ours / published - 1) > 0.05 else ""
        yield Comparison(
            "Energy by blocks over that by layers, as fast as the fastest by blocks", reading, published, float(ours), "x",
            "predicted", ANCHOR, "Section 5.7.2 / Fig 9", bool(ours > 1 - 1e-12), why, group,
        )  # fmt: skip
        agrees = bool((alone[DSA_D] < alone[0]).all())
        words = "The publication says that DSA-d alone dominates DSA-k alone."
        yield unpublished(
            "Energy of DSA-k over DSA-d, alone",
            alone[0, 1] / alone[DSA_D, 1],
            "x",
            group,
            "Section 5.7.2",
            reading=reading,
            why=words,
            agrees=agrees,
        )
        for granularity, front in fronts.items():
            count = float(len(front.setting))
            yield unpublished(
                f"Mappings on the exact front, {granularity}", count, "mappings", group, "Figure 9", reading=reading
            )
        group = "Figure 10: share of the exact hypervolume after 5,000 mappings on three accelerators"
        compared: tuple[Method, ...] = ("published", "random")
        tasks: list[Task] = [(g, output_stationary, m, BUDGET_FIGURE_10) for g in GRANULARITIES for m in compared]
        for (granularity, _, method, _), ours in zip(tasks, executor.map(_accelerator_share, None, tasks), strict=True):
            key = "ea" if method == "published" else "random"
            words = f"{_METHODS[method]}, {granularity}"
            yield compare(words, f"fig10.{key}_normalised_hypervolume", ours, group, reading=reading, why=FRACTION)


def shares_of_hypervolume(executor: Executor) -> Iterator[Comparison]:
    """Evolutionary and random search as fractions of the exact front, for every case that is reproduced."""
    group = "Share of the exact hypervolume, mean of 3 seeds"
    clocks = (("clocks", "searched"), ("clock_choices", clock_choices()))
    cases: list[tuple[str, Case, int]] = [
        *((f"{name}, 2,000 mappings", Case(NETWORKS[name]), IOE_BUDGET) for name in NETWORKS),
        ("b2 with the 24 clock settings, 2,000", Case(NETWORKS["b2"], clocks), IOE_BUDGET),
        ("a3 at most 20 % above GPU alone, 2,000", Case(NETWORKS["a3"], (("latency_slack_percent", 20),)), IOE_BUDGET),
        ("a3 at most 2 changes of unit, 2,000", Case(NETWORKS["a3"], (("transition_limit", 2),)), IOE_BUDGET),
        ("a3 within 12 W, 2,000", Case(NETWORKS["a3"], (("power_limit_w", 12.0),)), IOE_BUDGET),
        ("Figure 8, isotropic, 20,000", Case(ISOTROPIC), BUDGET_FIGURE_8),
        ("Figure 8, pyramid, 20,000", Case(PYRAMID), BUDGET_FIGURE_8),
    ]
    jobs = [(case, method, evaluations) for _, case, evaluations in cases for method in _ENGINE_METHODS]
    found = iter(executor.map(_engine_share, None, jobs))
    for words, _, _ in cases:
        for title in _ENGINE_METHODS.values():
            yield unpublished(f"{words}: {title}", next(found), "%", group, "Sections 5.3 to 5.7")
    tasks: list[Task] = [(g, AS_MAESTRO, m, BUDGET_FIGURE_9) for g in GRANULARITIES for m in _METHODS]
    for (granularity, _, method, _), ours in zip(tasks, executor.map(_accelerator_share, None, tasks), strict=True):
        yield unpublished(f"Figure 9, {granularity}, 60,000: {_METHODS[method]}", ours, "%", group, "Figure 9")
    for name in BASELINES:
        for method, title in _METHODS.items():
            ours = float(np.mean([_share(published_table(name), method, IOE_BUDGET, seed) for seed in range(SEEDS)]))
            yield unpublished(
                f"{name}, 2,000 mappings: {title}", ours, "%", group, "Sections 5.3 to 5.7", reading=TABLE
            )


def _engine_share(_: None, job: tuple[Case, str, int]) -> float:
    case, method, evaluations = job
    shares = []
    for seed in range(SEEDS):
        params = (*case.params, ("method", method), ("evaluations", evaluations), ("population", POPULATION))
        shares.append(run_case(None, Case(case.network, params, seed)).share_percent)
    return float(np.mean(shares))


def _accelerator_share(_: None, task: Task) -> float:
    granularity, output_stationary, method, evaluations = task
    costs = accelerator_costs(granularity, output_stationary)
    return float(np.mean([_share(costs, method, evaluations, seed) for seed in range(SEEDS)]))


def _share(costs: UnitCosts, method: Method, evaluations: int, seed: int) -> float:
    """Hypervolume of everything that a search scored, in % of the exact front's."""
    front = FrontSearch(costs, MappingLimits()).front([0])
    exact = np.column_stack([front.scores.latency_s, front.scores.energy_j])
    corner = reference_point(np.concatenate([exact, _alone(costs)]), SENSES)
    found = search_mappings(costs, method, evaluations, POPULATION, np.random.default_rng(seed)).costs
    return 100 * hypervolume(found, SENSES, corner) / hypervolume(exact, SENSES, corner)


def _alone(costs: UnitCosts) -> FloatArray:
    """Latency and energy on each unit alone, shape `u x 2`."""
    units = np.repeat(np.arange(costs.units)[:, None], costs.blocks, axis=1)
    scores = score(costs, units, np.zeros(costs.units, np.int64))
    return np.column_stack([scores.latency_s, scores.energy_j])


def _least_energy(front: MappingFront, latency: float) -> float:
    return float(front.scores.energy_j[front.scores.latency_s <= latency * (1 + 1e-12)].min())


def _bow(found: Outcome) -> float:
    """Share of the rectangle between both single units that lies above the front."""
    ends = np.array([found.gpu, found.dla])
    low, high = ends.min(axis=0), ends.max(axis=0)
    if not (high > low).all():
        return float("nan")
    inside = np.concatenate([np.maximum(found.points, low), ends])
    return float(hypervolume(inside, SENSES, high) / np.prod(high - low))
