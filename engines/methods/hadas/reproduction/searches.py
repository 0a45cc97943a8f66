"""Figures 2.3 to 2.5: what the nested search finds on four units, and what dissimilarity is worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray
from engines.contract.designs import Designs
from engines.methods.hadas.comparison import PLANE, SPACE
from engines.methods.hadas.quantities import QUANTITIES
from engines.methods.hadas.reproduction.published import PUBLICATION, UNITS, problem_of
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import Case, NumberCase, OutcomeReader
from engines.reproduction.rows import row
from engines.running.inspection import designs_of_run
from engines.search.indicators import coverage, hypervolume, reference_point

_PUBLISHED = {"inner": "nsga2_published", "compare": False}
_MODEL = "Costs and accuracies are of models, and the seed is another."


@dataclass(frozen=True)
class SearchOutcome:
    """The outcome of a nested search on a unit.

    Attributes:
        dominates: share of the optimised a0 to a6 that a design found dominates.
        dominated: share of the designs found that one of theirs dominates.
        volume: hypervolume over that of a0 to a6.
        gain, baseline_gain: most energy saved by a design found, and by one of a0 to a6.
        less_energy: energy saved without exits against a6 by a backbone that is at least as accurate.
        more_accuracy: points gained without exits over a1 by a backbone that needs no more energy.
    """

    dominates: float
    dominated: float
    volume: float
    gain: float
    baseline_gain: float
    less_energy: float
    more_accuracy: float


@dataclass(frozen=True)
class NestedSearchOutcome(Case[SearchOutcome]):
    """The published nested search on a unit; `unit` is one of `UNITS`."""

    unit: str

    def run(self) -> SearchOutcome:
        """Search, and compare with a0 to a6."""
        designs = designs_of_run(problem_of(UNITS[self.unit], _PUBLISHED))
        columns, label = designs.columns, np.array(designs.label)
        searched = np.array(designs.origin) == "search"
        optimised = ~searched & (columns["exits"] > 0)
        front = designs.front(QUANTITIES)
        ours, theirs = _costs(designs, front), _costs(designs, np.flatnonzero(optimised))
        corner = reference_point(np.concatenate([ours, theirs]), SPACE)
        static = {name: np.flatnonzero(label == f"{name} without exits")[0] for name in ("a1", "a6")}
        accuracy, energy = columns["backbone_accuracy_percent"], columns["static_energy_j"]
        able = searched & (accuracy >= accuracy[static["a6"]])
        cheap = searched & (energy <= energy[static["a1"]])
        return SearchOutcome(
            dominates=coverage(ours, theirs, SPACE),
            dominated=coverage(theirs, ours, SPACE),
            volume=hypervolume(ours, SPACE, corner) / hypervolume(theirs, SPACE, corner),
            gain=float(columns["energy_gain_fraction"][searched].max()),
            baseline_gain=float(columns["energy_gain_fraction"][optimised].max()),
            less_energy=1 - _least(energy[able]) / float(energy[static["a6"]]),
            more_accuracy=-_least(-accuracy[cheap]) - float(accuracy[static["a1"]]),
        )

    def blank(self) -> SearchOutcome:
        """Return NaN for every value, for a reproduction that was not computed."""
        return SearchOutcome(nan, nan, nan, nan, nan, nan, nan)


def _least(values: FloatArray) -> float:
    return float(values.min()) if len(values) else nan


def _costs(designs: Designs, rows: npt.NDArray[np.int64]) -> FloatArray:
    points = designs.matrix(("accuracy_percent", "latency_s", "energy_j"))[rows]
    return np.column_stack([100 - points[:, 0], points[:, 1:]])


def figures_2_3_and_2_4(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the nested searches on four units."""
    top, bottom = "Figure 2.3, top: backbones without exits", "Figures 2.3 and 2.4: with exits and clocks"
    found = {name: look(NestedSearchOutcome(name)) for name in UNITS}
    agx, pascal, carmel = (found[name] for name in ("agx_volta", "pascal_gpu", "carmel_cpu"))
    line = "Accuracy is a line over the multiply-accumulates: it does not separate backbones of equal work."
    yield row(
        "AGX Volta GPU: energy below a6, as accurate", PUBLICATION.printed("fig2.3.agx_volta.energy_reduction_vs_a6"),
        100 * agx.less_energy, top, same_side=agx.less_energy > 0, why=line,
    )  # fmt: skip
    yield row(
        "AGX Volta GPU: accuracy above a1, points", PUBLICATION.printed("fig2.3.agx_volta.accuracy_gain_vs_a1"),
        agx.more_accuracy, top, same_side=agx.more_accuracy > 0, why=line,
    )  # fmt: skip
    mean = 100 * float(np.mean([each.dominates for each in found.values()]))
    yield row(
        "Share of the optimised baselines that is dominated, mean of four units",
        PUBLICATION.printed("ioe.ratio_of_dominance_avg"), mean, bottom, why=_MODEL,
        same_side=mean > 100 * float(np.mean([each.dominated for each in found.values()])),
    )  # fmt: skip
    sheet = f"{_MODEL} No measurements exist of this unit: its costs are from the data sheet."
    for key, words, gain in (
        ("hadas", "Carmel CPU: most energy saved", carmel.gain),
        ("baseline", "Carmel CPU: most energy saved by a0 to a6", carmel.baseline_gain),
    ):
        yield row(
            words, PUBLICATION.printed(f"fig2.3.carmel_cpu.{key}_extreme_energy_gain"), 100 * gain, bottom, why=sheet,
            same_side=carmel.gain > carmel.baseline_gain,
        )  # fmt: skip
    yield row(
        "TX2 Pascal GPU: hypervolume above that of a0 to a6", PUBLICATION.printed("fig2.4.pascal_gpu.hypervolume_increase"),
        100 * (pascal.volume - 1), bottom, same_side=pascal.volume > 1, why=_MODEL,
    )  # fmt: skip
    yield row(
        "TX2 Pascal GPU: ratio of dominance above that of a0 to a6, points",
        PUBLICATION.printed("fig2.4.pascal_gpu.rod_increase"), 100 * (pascal.dominates - pascal.dominated), bottom,
        same_side=pascal.dominates > pascal.dominated, baseline=0,
        why="Whether 95 % more is of points or of the ratio is not stated; the computed value is in points.",
    )  # fmt: skip


@dataclass(frozen=True)
class Inner(NumberCase):
    """The published inner search of a0 with and without dissimilarity: by how much the one dominates more of the other, 0 to 1."""

    seeds: int = 5

    def run(self) -> float:
        """Return the mean over seeds."""
        gains = []
        for seed in range(self.seeds):
            fronts = []
            for fitness in ("dissimilarity", "accuracy"):
                params = {"inner": "nsga2_published", "fitness": fitness, "baselines": False}
                designs = designs_of_run(problem_of(UNITS["pascal_gpu"], params, "attentivenas-a0", seed))
                front = designs.front(QUANTITIES)
                fronts.append(designs.matrix(("latency_s", "energy_j"))[front])
            gains.append(coverage(fronts[0], fronts[1], PLANE) - coverage(fronts[1], fronts[0], PLANE))
        return float(np.mean(gains))


def figure_2_5(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the dissimilarity on and off."""
    ours = look(Inner())
    yield row(
        "Ratio of dominance gained by dissimilarity, points", PUBLICATION.printed("dissim_rod_improvement"), 100 * ours,
        "Figure 2.5: dissimilarity of exits", same_side=ours > 0,
        why=(
            "Backbone and gamma are not published. The computed value is a0 with gamma 1, mean of five seeds, with "
            "assumed accuracies of exits."
        ),
    )  # fmt: skip
