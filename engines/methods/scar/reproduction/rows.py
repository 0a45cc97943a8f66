"""How a comparison of SCAR is made: the readings, the published values, and runs by what they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engines.methods.scar.reproduction.runs import Case, Figures, Outcome
from engines.reproduction.comparisons import Comparison, Kind
from engines.reproduction.frame import OutcomeReader
from engines.reproduction.rows import Publication, PublishedRow, row

THESIS, ARTICLE = (Publication(Path(__file__).parent, anchor) for anchor in ("odema-2024", "micro-2024"))
SIDES, CHECKERBOARD, LARGE = "simba-3x3-het-sides", "simba-3x3-het-checkerboard", "simba-6x6-het-cross"
DATACENTRE, EXTENDED_REALITY = range(1, 6), range(6, 11)
AS_GOOD = 0.005  # published figures have two or three digits
DEFAULT_SPLITS = 4
WINDOWS = 5

OTHER_MAPPINGS = (
    "The mappings behind the published figures are not available. MAESTRO's output-stationary form writes partial sums back "
    "at every step, which makes a Shi-diannao chiplet expensive in time and energy."
)
OTHER_AVERAGE = "The text leaves open which packages are compared and how they are averaged. " + OTHER_MAPPINGS
BEYOND_BOUND = (
    "No schedule of the stated model reaches the published factor, whatever the search. Separate lower bounds of latency and "
    "energy exclude it."
)
OTHER_SECONDS = (
    "Absolute times depend on mappings and clocks that are not published. GPT-L and BERT-L are GPT-2 Large and BERT-Large here; "
    "120 and 60 layers have no source. ResNet-50 and U-Net are MAESTRO's own tables, with the published number of layers."
)
OTHER_WINDOWS = (
    "The published search takes the best of every window by itself. Other cuts or packings of the windows therefore move its "
    "result up and down. The exact search over all windows depends on them much less."
)


@dataclass(frozen=True)
class Reading:
    """Choices that the text leaves open.

    Attributes:
        words: differences from the defaults.
        params: params of the engine.
        packages: slugs of packages that stand for others.
    """

    words: str
    params: Mapping[str, Any] = field(default_factory=dict)
    packages: Mapping[str, str] = field(default_factory=dict)


_KEPT = {"output_stationary_mapping": "ykp_os_kept"}
_OFF_CHIP = {"dram_rule": "maestro"}
READINGS: Mapping[str, Reading] = {
    "default": Reading(
        "Search as published (greedy), fill and drain, Shi-diannao as MAESTRO's ykp_os, off-chip time by the package's equations"
    ),
    "slowest segment": Reading(
        "Latency of a pipeline is that of its slowest segment", {"latency_reading": "pipelined_maximum"}
    ),
    "end to end": Reading("Latency of a pipeline is the sum of its segments", {"latency_reading": "end_to_end"}),
    "exact": Reading("The best schedule over all windows instead of the greedy one", {"search": "exact"}),
    "exact, any number of chiplets": Reading(
        "The best schedule without equation 4.2: models take any number of chiplets (scenario 4 on Het-Sides alone). The other "
        "readings take the effort in equation 4.2 as a sum over layers",
        {"search": "exact", "node_rule": "free"},
    ),
    "free starts": Reading("Models may start at any chiplet", {"root_rule": "free"}),
    "traffic conflicts": Reading(
        "Models wait for each other's transfers over the same links and interfaces", {"contention": "between_models"}
    ),
    "left and right": Reading(
        "Het-Sides is two NVDLA columns and one of Shi-diannao", packages={SIDES: f"{SIDES}-left-right"}
    ),
    "two-dimensional": Reading(
        "Shi-diannao spreads rows and columns of outputs (yxp_os, not checked against MAESTRO)",
        {"output_stationary_mapping": "yxp_os"},
    ),
    "sums kept": Reading("Shi-diannao keeps partial sums in its elements (not checked against MAESTRO)", _KEPT),
    "off-chip rule": Reading("MAESTRO's off-chip rule for the time of layers", _OFF_CHIP),
    "sums kept, off-chip rule": Reading("Both: sums kept and the off-chip rule", {**_KEPT, **_OFF_CHIP}),
    "sums kept, off-chip rule, slowest segment": Reading(
        "All three", {**_KEPT, **_OFF_CHIP, "latency_reading": "pipelined_maximum"}
    ),
}
DEFAULT_READING = next(iter(READINGS))
# Equation 4.2's effort is a sum over layers elsewhere. Exact searches without it take minutes, so that only scenario 4 has it.
ANY_NUMBER = "exact, any number of chiplets"


class Rows:
    """Makes comparisons under one reading.

    Args:
        reading: name of the reading.
        look: the outcome of a run.
    """

    def __init__(self, reading: str, look: OutcomeReader) -> None:
        """Keep the reading; nothing is evaluated yet."""
        self.reading, self._look = reading, look

    def heterogeneous(self, scenario: int, metric: str) -> list[float]:
        """Return the metric on both heterogeneous packages."""
        return [self.outcome(scenario, package).package[metric] for package in (SIDES, CHECKERBOARD)]

    def speedup_by_latency(self, scenario: int) -> float:
        """Return the latency of Standalone NVDLA over that of Simba NVDLA, searched for latency."""
        found = self.outcome(scenario, SIDES, objective="latency")
        return found.figures("Standalone NVDLA")["latency_s"] / found.figures("Simba NVDLA")["latency_s"]

    def split_gain(self, fewer: int, more: int) -> float:
        """Return the energy-delay product with `fewer` window boundaries over that with `more`."""
        one, other = (self.outcome(4, SIDES, n_splits=n).package["edp_js"] for n in (fewer, more))
        return one / other

    def large(self) -> Outcome:
        """Return the outcome as published: evolutionary search, three boundaries; a reading may select another search."""
        search = READINGS[self.reading].params.get("search", "evolutionary")
        return self.outcome(4, LARGE, n_splits=3, search=search)

    def outcome(self, scenario: int, package: str, **params: Any) -> Outcome:
        """Return scenarios 1 to 5 at 4096 PEs per chiplet, 6 to 10 at 256 (section 4.5.1)."""
        if scenario in DATACENTRE:
            return self.run(f"mlperf-scenario-{scenario}", package, **params)
        return self.run(f"xrbench-scenario-{scenario}", package, "-256", **params)

    def run(self, workload: str, package: str, size: str = "", **params: Any) -> Outcome:
        """Return a run of a workload on a package under the reading."""
        reading = READINGS[self.reading]
        default = {"objective": "edp", "search": "greedy", "n_splits": DEFAULT_SPLITS, "packing": "greedy"}
        chosen = {**default, **reading.params, **params}
        return self._look(Case(workload, reading.packages.get(package, package) + size, tuple(sorted(chosen.items()))))

    def sided(
        self,
        name: str,
        published: PublishedRow,
        ours: float,
        group: str,
        why: str = OTHER_MAPPINGS,
        kind: Kind = "predicted",
    ) -> Comparison:
        """Return a row of which side is better: the second of two names with a ratio above one or a saving above 0 per cent."""
        side = _saves if published.unit == "%" else _winner
        same = side(published.value) == side(ours)
        return row(name, published, ours, group, reading=self.reading, same_side=same, why=why, kind=kind)

    def second(self, name: str, key: str, ours: float, group: str, kind: Kind = "predicted") -> Comparison:
        """Return a row of Table 4.3."""
        return row(
            name, THESIS.printed(f"table4.3.{key}"), ours, group, reading=self.reading, why=OTHER_SECONDS, kind=kind
        )


Group = Callable[[Rows], Iterator[Comparison]]


def percent_less(one: Figures, other: Figures, metric: str) -> float:
    """Return by how many per cent `one` has less of a metric than `other`."""
    return 100 * (1 - one[metric] / other[metric])


def _winner(ratio: float) -> int:
    """Return 1 where the second of the two names is better, -1 where the first is, 0 where they are as good."""
    return 0 if abs(ratio - 1) <= AS_GOOD else 1 if ratio > 1 else -1


def _saves(percent: float) -> bool:
    return percent > 0
