"""Figures 1, 5 and 7: what distributing, the inner engine and clocks gain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.contract.fronts.non_dominated import non_dominated
from engines.methods.magnas.reproduction.common import (
    ACCURACY_TOO,
    BASELINES,
    GOVERNORS,
    NETWORKS,
    NO_SAVING,
    TOTALS,
    published_units,
)
from engines.methods.magnas.reproduction.published import CLOCKS, PUBLICATION, value
from engines.methods.magnas.reproduction.runs import Case as Mapped
from engines.methods.magnas.reproduction.runs import scores
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import Case, OutcomeReader
from engines.search.indicators import hypervolume, reference_point

_CLOCKS = {"cpu": "cpu", "gpu": "gpu", "memory": "emc", "dla": "dla"}  # as the engine names them -> as Table 1 does
_OTHERS = ("MinN", "MaxN", "default")


def figure_1(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the energy that distributing saves over max-relative on the GPU alone."""
    rows = PUBLICATION.rows("Figure 1: distributing over GPU and DLA", why=TOTALS)
    base = look(Mapped(NETWORKS["b0"])).gpu
    gin = look(Mapped(NETWORKS["b2"]))
    ours = 100 * (1 - gin.gpu[1] / base[1])
    yield rows("GIN on GPU, energy saved", "fig1.gin_energy_gain", ours, kind="fitted", same_side=ours > 0)
    for key, name, words in (("gin", "b2", "GIN"), ("mrc", "b0", "Max-relative")):
        found = look(Mapped(NETWORKS[name]))
        cost = value(f"fig1.distributed_latency_cost_{key}")
        within = found.latency_s <= found.gpu[0] * (1 + cost / 100)
        ours = 100 * (1 - float(found.energy_j[within].min()) / base[1])
        label = f"{words} distributed, {cost} % slower than on GPU: energy saved"
        allowed = (f"fig1.distributed_latency_cost_{key}",)
        yield rows(label, f"fig1.distributed_energy_gain_{key}", ours, inputs=allowed)


def figure_5(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the hypervolume with and without the inner engine, and what the joint front is made of."""
    rows = PUBLICATION.rows("Figure 5: with and without the inner engine")
    accuracy = {name: value(_accuracy_key(name)) for name in NETWORKS}
    whole: list[tuple[float, ...]] = []
    alone: dict[str, list[tuple[float, ...]]] = {"GPU": [], "DLA": []}
    for name, network in NETWORKS.items():
        found = look(Mapped(network))
        whole += [(-accuracy[name], *point) for point in found.points.tolist()]
        alone["GPU"].append((-accuracy[name], *found.gpu))
        alone["DLA"].append((-accuracy[name], *found.dla))
    senses: tuple[Any, ...] = ("minimise",) * 3
    corner = reference_point(np.array([*whole, *alone["GPU"], *alone["DLA"]]), senses)
    together = hypervolume(np.array([*whole, *alone["GPU"], *alone["DLA"]]), senses, corner)
    ours = 100 * (together / hypervolume(np.array(alone["GPU"]), senses, corner) - 1)
    accuracies = [_accuracy_key(name) for name in NETWORKS]
    name = "Hypervolume gained over GPU alone"  # a side cannot be told: the larger set never has less
    yield rows(name, "fig5.hypervolume_gain_over_ooe_gpu", ours, why=ACCURACY_TOO, inputs=accuracies)
    points = np.array([*whole, *alone["GPU"], *alone["DLA"]])
    best = non_dominated(points, senses)
    ours = 100 * float(best[: len(whole)].sum() / best.sum())
    words = "The exact search lists every best mapping of a network, the published one what it met."
    name = "Distributed mappings on the joint front"
    yield rows(name, "fig5.distributed_share_of_pareto", ours, why=words, inputs=accuracies)


def _accuracy_key(name: str) -> str:
    """Return the published accuracy of a network on CIFAR-100."""
    return f"table3.3.baselines.{name}.acc_C100" if name in BASELINES else f"table3.3.CIFAR-100.{name}.top1"


def figure_7(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the clocks for fixed mappings: highest, lowest, governors, and the best of 24 settings by equation 14.

    Two parameters of the calibration are fitted to the change from MaxN to MinN, which follows from these very values.
    """
    rows = PUBLICATION.rows("Figure 7: clocks, medians of five networks")
    changes: dict[str, list[tuple[float, float]]] = {other: [] for other in _OTHERS}
    for name in NETWORKS:
        for other, pair in look(ClockSweep(name)).items():
            changes[other].append(pair)
    median = {other: np.median(np.array(pairs), axis=0) for other, pairs in changes.items()}
    for other, kind in (("MinN", "latency"), ("MinN", "energy"), ("MaxN", "energy")):
        index = 0 if kind == "latency" else 1
        ours = 0.0 - 100 * float(median[other][index])
        side = ours > 0 if kind == "energy" else None  # the lowest clocks are the slowest: never below
        yield rows(
            f"{kind.capitalize()} at searched clocks below that at {other}",
            f"fig7.searched_vs_{other}_median_{kind}",
            ours,
            kind="fitted",
            same_side=side,
            why=NO_SAVING,
            inputs=CLOCKS,
        )
    ours = 100 * float(median["MaxN"][0])
    yield rows(
        "Latency at searched clocks above that at MaxN",
        "fig7.searched_vs_MaxN_median_latency",
        ours,
        kind="fitted",
        why=NO_SAVING,
        inputs=CLOCKS,
    )
    ours = -100 * float(median["default"][0])
    yield rows(
        "Latency at searched clocks below that under default governors",
        "fig7.searched_vs_default_latency",
        ours,
        same_side=ours > 0,
        why=GOVERNORS,
        inputs=CLOCKS,
    )


@dataclass(frozen=True)
class ClockSweep(Case[Mapping[str, tuple[float, float]]]):
    """A fixed mapping of a network under all clocks; `name` is one of `NETWORKS`."""

    name: str

    def run(self) -> Mapping[str, tuple[float, float]]:
        """Return the relative change of latency and energy from other clocks to those of least equation 14."""
        table = {ours: value(f"dvfs.{theirs}") for ours, theirs in _CLOCKS.items()}
        grid = [
            dict(zip(table, setting, strict=True))
            for setting in np.stack(np.meshgrid(*table.values()), -1).reshape(-1, len(table)).tolist()
        ]
        lowest, highest = ({name: pick(steps) for name, steps in table.items()} for pick in (min, max))
        units = _mapping_of(self.name)
        decisions = [{"units": units, "clocks_mhz": clocks} for clocks in (*grid, lowest, highest, "governor")]
        points = scores(NETWORKS[self.name], decisions).points
        searched = points[: len(grid)][points[: len(grid)].prod(axis=1).argmin()]
        return {other: tuple(searched / points[len(grid) + at] - 1) for at, other in enumerate(_OTHERS)}

    def blank(self) -> Mapping[str, tuple[float, float]]:
        """Return NaN for every value, for a reproduction that was not computed."""
        return dict.fromkeys(_OTHERS, (np.nan, np.nan))


def _mapping_of(name: str) -> list[str]:
    """Return the published mapping of a3; for others the one of least energy that is as much slower than GPU alone."""
    if name == "a3":
        return published_units("Ours_IOE")
    slower = value("table3.4.Ours_IOE.latency") / value("table3.4.GPU-only.latency")
    found = Mapped(NETWORKS[name]).run()
    within = np.flatnonzero(found.latency_s <= slower * found.gpu[0])
    best = within[found.energy_j[within].argmin()]
    return list(found.decisions[int(best)]["units"])
