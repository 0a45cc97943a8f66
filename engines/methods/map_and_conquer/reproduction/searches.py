"""Cut networks of Table 2.3 and the gains of Figures 2.10 and 2.11, from searches of the published budget."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.designs import Designs
from engines.methods.map_and_conquer.quantities import QUANTITIES
from engines.methods.map_and_conquer.reproduction.published import LIMITS, NETWORKS, PUBLICATION, problem_of
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import Case, OutcomeReader
from engines.reproduction.rows import row
from engines.running.inspection import designs_of_run

_FITTED = "The calibration has five parameters for eight published figures of two networks on two units."
_MODEL = (
    "The published fastest cut networks are slower than the GPU alone, although most inputs leave after the first "
    "stage. The computed value is not slower, because its first stage is a part of the network on the GPU. Its "
    "latency with all stages is nearer to the published one. The search uses GPU and DLA alone, as the CPU was not "
    "measured. Our cost model estimates parts of layers, and accuracies are assumed; the publication measured and "
    "trained. The publication does not say how it chose the networks of the table. The computed values are the "
    "extremes of the designs found."
)
_GAIN = "From our searches; the publication reads it off trained models in a figure."


@dataclass(frozen=True)
class SearchOutcome:
    """The outcome of a search, in ms, mJ and per cent.

    Attributes:
        alone: unit -> latency and energy of the whole network there.
        fastest, cheapest: latency, energy and reuse of the fastest configuration, and of the one that needs the least energy.
        most_accurate: accuracy lost by the most accurate one.
        energy_gain: energy of the GPU over the least of a configuration within the printed latency, that loses no more accuracy
            than the printed share.
        speed_gain: latency of the DLA over the least of a configuration that needs no more energy than it, likewise.
        least_reuse: of a configuration that loses no more accuracy than that.
    """

    alone: dict[str, tuple[float, float]]
    fastest: tuple[float, float, float]
    cheapest: tuple[float, float, float]
    most_accurate: float
    energy_gain: float
    speed_gain: float
    least_reuse: float


@dataclass(frozen=True)
class Search(Case[SearchOutcome]):
    """A network within a limit on reuse, both by their names in the table."""

    network: str
    limit: str

    def run(self) -> SearchOutcome:
        """Search with the budget of the publication."""
        designs = designs_of_run(problem_of(self.network, LIMITS[self.limit][1]))
        return _found(designs, PUBLICATION.value(f"table2.3.{self.network}.baseline_GPU.top1_acc"))

    def blank(self) -> SearchOutcome:
        """Return NaN for every value, for a reproduction that was not computed."""
        none = (nan, nan, nan)
        return SearchOutcome({"gpu": (nan, nan), "dla": (nan, nan)}, none, none, nan, nan, nan, nan)


def _found(designs: Designs, base_percent: float) -> SearchOutcome:
    columns = designs.columns
    latency, energy = 1e3 * columns["latency_s"], 1e3 * columns["energy_j"]
    lost, reuse = base_percent - columns["accuracy_percent"], columns["reuse_percent"]
    alone = {
        str(designs.decisions[int(row)]["units"][0]): (float(latency[row]), float(energy[row]))
        for row in np.flatnonzero(designs.of_origin("baseline"))
    }
    counted = designs.counted(QUANTITIES)
    rows = np.flatnonzero(counted)
    good = counted & (lost <= PUBLICATION.value("accuracy_drop_highlight"))
    within = good & (latency <= PUBLICATION.value("visformer.latency_bound_for_energy_gain"))
    as_cheap = good & (energy <= alone["dla"][1])

    def told(values: FloatArray) -> tuple[float, float, float]:
        best = rows[values[rows].argmin()]
        return float(latency[best]), float(energy[best]), float(reuse[best])

    return SearchOutcome(
        alone, told(latency), told(energy), float(lost[rows].min()),
        alone["gpu"][1] / _least(energy[within]), alone["dla"][0] / _least(latency[as_cheap]), _least(reuse[good]),
    )  # fmt: skip


def _least(values: FloatArray) -> float:
    """Return the smallest value, NaN for an empty array."""
    return float(values.min()) if len(values) else nan


def single_units(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the whole networks on GPU and DLA."""
    for network, (title, _) in NETWORKS.items():
        alone = look(Search(network, "noconstr")).alone
        for unit in ("gpu", "dla"):
            for place, (column, words) in enumerate((("avg_latency", "latency"), ("avg_energy", "energy"))):
                key = f"table2.3.{network}.baseline_{unit.upper()}.{column}"
                yield row(
                    f"{title} on the {unit.upper()}: {words}", PUBLICATION.printed(key), alone[unit][place],
                    "Single units (Table 2.3)", kind="fitted", why=_FITTED,
                )  # fmt: skip


def cut_networks(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the fastest model and that of least energy under each limit."""
    columns = (("avg_latency", "latency"), ("avg_energy", "energy"), ("fmap_reuse", "reuse"))
    for network, (title, _) in NETWORKS.items():
        for limit, (words, most) in LIMITS.items():
            found = look(Search(network, limit))
            for which, model, ours in (
                ("L", "the fastest model", found.fastest),
                ("E", "the model of least energy", found.cheapest),
            ):
                for place, (column, quantity) in enumerate(columns):
                    better = {
                        "avg_latency": ours[0] < found.alone["dla"][0],
                        "avg_energy": ours[1] < found.alone["gpu"][1],
                        "fmap_reuse": most is None or ours[2] <= most,
                    }[column]
                    key = f"table2.3.{network}.{limit}_Ours-{which}.{column}"
                    yield row(
                        f"{title}, {words}: {quantity} of {model}", PUBLICATION.printed(key), ours[place],
                        "Cut networks (Table 2.3)", same_side=better, why=_MODEL,
                    )  # fmt: skip


def gains(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield what cutting gains next to single units, and what it costs in accuracy."""
    group = "Gains (Figures 2.10 and 2.11)"
    free, half = look(Search("visformer", "noconstr")), look(Search("visformer", "c50"))
    bound = ("visformer.latency_bound_for_energy_gain", "accuracy_drop_highlight")
    for words, key, ours, inputs in (
        ("Visformer: energy gained over the GPU within 30 ms", "visformer.energy_gain_vs_gpu", free.energy_gain, bound),
        ("Visformer: speed gained over the DLA for its energy", "visformer.latency_speedup_vs_dla", free.speed_gain, bound[1:]),
        ("Visformer: accuracy lost with at most 50 % reused", "visformer.accuracy_drop_50_constraint", half.most_accurate, ()),
        ("Visformer: reuse for comparable accuracy", "visformer.fmap_reuse_comparable_accuracy", free.least_reuse, bound[1:]),
    ):  # fmt: skip
        side = ours > 1 if "gained" in words else None
        yield row(words, PUBLICATION.printed(key), ours, group, same_side=side, why=_GAIN, inputs=inputs)
