"""Figures 9 and 10: mapping to three accelerators of different dataflows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import nan

from engines.contract import Executor
from engines.methods.magnas.accelerators import AS_MAESTRO, KEPT, Granularity, accelerator_costs
from engines.methods.magnas.published import ANCHOR, compare, unpublished, value
from engines.methods.magnas.reproduction_searches import (
    BUDGET_FIGURE_10,
    DSA_D,
    DSA_Y,
    GRANULARITIES,
    KEPT_SUMS,
    METHODS,
    Task,
    accelerator_share,
    alone,
    least_energy,
)
from engines.methods.magnas.reproduction_shared import MEAN
from engines.reproductions import Comparison
from engines.search.mapping_evolution import Method
from engines.search.unit_mapping import FrontSearch, MappingFront, MappingLimits

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
MAPPINGS: Mapping[str, str] = {MEAN: AS_MAESTRO, KEPT_SUMS: KEPT}  # of DSA-y, by reading
_SEARCHES: tuple[Method, ...] = ("published", "random")
# Whoever maps layers may map blocks as well, so ours is never below one: only more than the printed digits tell is a gain.
_EVEN = 0.005


@dataclass(frozen=True)
class Accelerated:
    """What mapping to three accelerators gives.

    Attributes:
        gain: energy of DSA-y alone over the least at its latency, by blocks.
        blocks_over_layers: least energy by blocks over that by layers, as fast as the fastest by blocks.
        k_over_d: energy of DSA-k alone over that of DSA-d alone.
        d_dominates_k: whether DSA-d alone is better in both.
        mappings: on the exact front.
        shares: of the exact hypervolume, in %, by granularity and search.
    """

    gain: float
    blocks_over_layers: float
    k_over_d: float
    d_dominates_k: bool
    mappings: Mapping[Granularity, int]
    shares: Mapping[tuple[Granularity, Method], float]


_PAIRS = tuple((granularity, method) for granularity in GRANULARITIES for method in _SEARCHES)
BLANK = Accelerated(nan, nan, nan, False, dict.fromkeys(GRANULARITIES, 0), dict.fromkeys(_PAIRS, nan))


def map_to_accelerators(reading: str, executor: Executor) -> Accelerated:
    """Exact fronts by blocks and by layers, and what searches reach of them."""
    output_stationary = MAPPINGS[reading]
    fronts: dict[Granularity, MappingFront] = {}
    for granularity in GRANULARITIES:
        costs = accelerator_costs(granularity, output_stationary)
        fronts[granularity] = FrontSearch(costs, MappingLimits()).front([0])
    single = alone(accelerator_costs("blocks", output_stationary))
    fastest = fronts["blocks"].scores.latency_s[0]
    tasks: list[Task] = [(granularity, output_stationary, method, BUDGET_FIGURE_10) for granularity, method in _PAIRS]
    return Accelerated(
        gain=float(single[DSA_Y, 1] / least_energy(fronts["blocks"], single[DSA_Y, 0])),
        blocks_over_layers=float(least_energy(fronts["blocks"], fastest) / least_energy(fronts["layers"], fastest)),
        k_over_d=float(single[0, 1] / single[DSA_D, 1]),
        d_dominates_k=bool((single[DSA_D] < single[0]).all()),
        mappings={granularity: len(front.setting) for granularity, front in fronts.items()},
        shares=dict(zip(_PAIRS, executor.map(accelerator_share, None, tasks), strict=True)),
    )


def figures_9_and_10(reading: str, found: Accelerated) -> Iterator[Comparison]:
    """What mapping gains, blocks against layers, evolution against random search."""
    group = "Figure 9: three accelerators of different dataflows"
    yield compare(
        "Energy of DSA-y over the least at its latency, blocks", "fig9.blockwise_energy_gain_over_DSA_y", found.gain, group,
        reading=reading, why=ARRAYS, side=(True, found.gain > 1),
    )  # fmt: skip
    ours, published = found.blocks_over_layers, value("fig9.blockwise_energy") / value("fig9.layerwise_energy")
    why = NO_TRADE if abs(ours / published - 1) > 0.05 else ""
    yield Comparison(
        "Energy by blocks over that by layers, as fast as the fastest by blocks", reading, published, ours, "x",
        "predicted", ANCHOR, "Section 5.7.2 / Fig 9", bool(ours > 1 + _EVEN), why, group,
    )  # fmt: skip
    words = "The publication says that DSA-d alone dominates DSA-k alone."
    yield unpublished(
        "Energy of DSA-k over DSA-d, alone", found.k_over_d, "x", group, "Section 5.7.2", reading=reading, why=words,
        agrees=found.d_dominates_k,
    )  # fmt: skip
    for granularity in GRANULARITIES:
        count = float(found.mappings[granularity])
        name = f"Mappings on the exact front, {granularity}"
        yield unpublished(name, count, "mappings", group, "Figure 9", reading=reading)
    group = "Figure 10: share of the exact hypervolume after 5,000 mappings on three accelerators"
    for granularity, method in _PAIRS:
        key = "ea" if method == "published" else "random"
        ours = found.shares[granularity, method]
        words = f"{METHODS[method]}, {granularity}"
        yield compare(words, f"fig10.{key}_normalised_hypervolume", ours, group, reading=reading, why=FRACTION)
