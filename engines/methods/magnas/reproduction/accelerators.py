"""Figures 9 and 10: mapping to three accelerators of different dataflows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import nan

from engines.mapping.solver.genetic import Method
from engines.mapping.solver.unit_mapping import FrontSearch, MappingFront, MappingLimits
from engines.methods.magnas.reproduction.common import MEAN
from engines.methods.magnas.reproduction.published import PUBLICATION, value
from engines.methods.magnas.reproduction.searches import (
    BOTH,
    BUDGET_FIGURE_10,
    DSA_D,
    DSA_Y,
    GRANULARITIES,
    KEPT_SUMS,
    METHODS,
    OFF_CHIP_RULE,
    AcceleratorShare,
    alone,
    least_energy,
)
from engines.methods.magnas.search.accelerators import (
    AS_MAESTRO,
    KEPT,
    OFF_CHIP,
    OFF_CHIP_KEPT,
    Granularity,
    accelerator_costs,
)
from engines.reproduction.comparisons import Comparison, Kind
from engines.reproduction.frame import Case, OutcomeReader, Part

ARRAYS = (
    "Size and bandwidths of the accelerators and the costs of a transition between them are not published. By the "
    "dataflow model DSA-d needs least energy for nearly every layer. The possible gain over DSA-y therefore depends "
    "on its partial sums. Under MAESTRO's off-chip rule at its example hardware, it also depends on what is as fast "
    "as DSA-y."
)
NO_TRADE = (
    "The publication prints 31.9 and 28.6 mJ at 2.2e8 cycles. Under the assumed arrays there is hardly anything to trade near"
    " the latency of DSA-y: DSA-d is ahead in both."
)
FRACTION = (
    "Published: shares of the largest volume that was met (Figure 10), which is not the exact one. The publication "
    "does not state the reference point, nor what counts for random search."
)
DEVICES: Mapping[str, str] = {
    MEAN: AS_MAESTRO,
    KEPT_SUMS: KEPT,
    OFF_CHIP_RULE: OFF_CHIP,
    BOTH: OFF_CHIP_KEPT,
}  # by reading
_SEARCHES: tuple[Method, ...] = ("nsga2_published", "random")
# Anyone who maps layers may map blocks as well, so ours is never below one: only more than the printed digits tell is a gain.
_EVEN = 0.005


@dataclass(frozen=True)
class AcceleratorOutcome:
    """The outcome of mapping to three accelerators.

    Attributes:
        gain: energy of DSA-y alone over the least at its latency, by blocks.
        blocks_over_layers: least energy by blocks over that by layers, as fast as the fastest by blocks.
        k_over_d: energy of DSA-k alone over that of DSA-d alone.
        d_dominates_k: whether DSA-d alone is better in both.
        mappings: on the exact front.
    """

    gain: float
    blocks_over_layers: float
    k_over_d: float
    d_dominates_k: bool
    mappings: Mapping[Granularity, int]


PAIRS = tuple((granularity, method) for granularity in GRANULARITIES for method in _SEARCHES)
BLANK = AcceleratorOutcome(nan, nan, nan, False, dict.fromkeys(GRANULARITIES, 0))


@dataclass(frozen=True)
class Accelerators(Case[AcceleratorOutcome]):
    """Exact fronts by blocks and by layers under a dataflow model of the accelerators."""

    device: str

    def run(self) -> AcceleratorOutcome:
        """Return the fronts of the accelerators."""
        fronts: dict[Granularity, MappingFront] = {
            granularity: FrontSearch(accelerator_costs(granularity, self.device), MappingLimits()).front([0])
            for granularity in GRANULARITIES
        }
        single = alone(accelerator_costs("blocks", self.device))
        fastest = fronts["blocks"].scores.latency_s[0]
        return AcceleratorOutcome(
            gain=float(single[DSA_Y, 1] / least_energy(fronts["blocks"], single[DSA_Y, 0])),
            blocks_over_layers=float(least_energy(fronts["blocks"], fastest) / least_energy(fronts["layers"], fastest)),
            k_over_d=float(single[0, 1] / single[DSA_D, 1]),
            d_dominates_k=bool((single[DSA_D] < single[0]).all()),
            mappings={granularity: len(front.setting) for granularity, front in fronts.items()},
        )

    def blank(self) -> AcceleratorOutcome:
        """Return NaN for every value, for a reproduction that was not computed."""
        return BLANK


def part(reading: str) -> Part:
    """Return the rows under a reading."""
    device = DEVICES[reading]

    def rows(look: OutcomeReader) -> Iterator[Comparison]:
        shares = {pair: look(AcceleratorShare(pair[0], device, pair[1], BUDGET_FIGURE_10)) for pair in PAIRS}
        return figures_9_and_10(reading, look(Accelerators(device)), shares)

    return Part(f"Figures 9 and 10, {reading}", rows)


def figures_9_and_10(
    reading: str, found: AcceleratorOutcome, shares: Mapping[tuple[Granularity, Method], float]
) -> Iterator[Comparison]:
    """Yield what mapping gains, blocks against layers, evolution against random search."""
    rows = PUBLICATION.rows("Figure 9: three accelerators of different dataflows", reading=reading)
    # No side: DSA-y alone is among the mappings, so that a gain below one cannot come out.
    yield rows(
        "Energy of DSA-y over the least at its latency, blocks",
        "fig9.blockwise_energy_gain_over_DSA_y",
        found.gain,
        why=ARRAYS,
    )
    sources = ("fig9.blockwise_energy", "fig9.layerwise_energy")
    theirs, ours = value(sources[0]) / value(sources[1]), found.blocks_over_layers
    name = "Energy by blocks over that by layers, as fast as the fastest by blocks"
    yield rows(name, PUBLICATION.derived(theirs, "x", *sources), ours, same_side=ours > 1 + _EVEN, why=NO_TRADE)
    words = "The publication says that DSA-d alone dominates DSA-k alone."
    yield rows(
        "Energy of DSA-k over DSA-d, alone",
        PUBLICATION.unprinted("x", "Section 5.7.2"),
        found.k_over_d,
        same_side=found.d_dominates_k,
        why=words,
    )
    for granularity in GRANULARITIES:
        count = float(found.mappings[granularity])
        name = f"Mappings on the exact front, {granularity}"
        yield rows(name, PUBLICATION.unprinted("mappings", "Figure 9"), count)
    rows = PUBLICATION.rows(
        "Figure 10: share of the exact hypervolume after 5,000 mappings on three accelerators", reading=reading
    )
    for granularity, method in PAIRS:
        key = "ea" if method == "nsga2_published" else "random"
        ours = shares[granularity, method]
        words = f"{METHODS[method]}, {granularity}"
        # The text says that layers converge to about the same share: one fact.
        kind: Kind = "predicted" if granularity == GRANULARITIES[0] else "repeated"
        yield rows(words, f"fig10.{key}_normalised_hypervolume", ours, why=FRACTION, kind=kind, baseline=100)
