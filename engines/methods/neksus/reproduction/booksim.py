"""The network simulation next to BookSim 2 under uniform traffic: latency at every load below saturation, throughput beyond it.

BookSim's values are one run each, of a few thousand packets; ours are means of two seeds at the load that was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import inf, isnan, nan

from engines.methods.neksus.reproduction.common import BOOKSIM
from engines.reproduction.comparisons import Along, Comparison
from engines.reproduction.frame import Case, OutcomeReader
from engines.reproduction.rows import Rows
from engines.simulation.noc.bounds import zero_load_latency
from engines.simulation.noc.networks import crossbar, flattened_butterfly, mesh
from engines.simulation.noc.simulation import simulate
from engines.simulation.noc.topology import Topology
from engines.simulation.noc.traffic import uniform

_SEEDS = (0, 1)
_WITHIN = 0.03
_NETWORKS: dict[str, tuple[str, Callable[[], Topology]]] = {
    "mesh": ("8 x 8 mesh", lambda: mesh(8, 8)),
    "cmesh": ("4 x 4 concentrated mesh", lambda: mesh(4, 4, 4)),
    "butterfly": ("flattened butterfly", lambda: flattened_butterfly(4, 4, 4)),
    "crossbar": ("16 x 16 crossbar", lambda: crossbar(16)),
}
_CURVES = [(name, flits) for name in _NETWORKS for flits in (4, 16)]
# BookSim's latency over that without contention -> what such points are called.
_BANDS: dict[tuple[float, float], str] = {
    (0.0, 2.0): "below twice the latency without contention",
    (2.0, 3.0): "from twice to three times that latency",
    (3.0, inf): "near the knee: above three times that latency, not saturated",
}
_LATENCY = (
    "BookSim's value is one run. Its sources happened to send up to 3 % more or less than requested (8 % at the "
    "lightest loads). Their packets happened to go to nearer or further places."
)
_KNEE = (
    "Near the knee a percent of load is several of latency. A run of a few thousand cycles ends there before queues "
    "settle. The seed then decides what BookSim and this simulation measure. Where a seed here passes 500 cycles, "
    "it is beyond saturation and gives no latency."
)
_THROUGHPUT = "Every terminal sends more than arrives; what is left is noise of a few thousand cycles on both sides."
_LOAD = "Offered load (flits/cycle and terminal)"
_COUNTED = f"The others are further than {_WITHIN:.0%} from BookSim's one run: their rows say by how much and why."


@dataclass(frozen=True)
class Latency(Case[float]):
    """Mean latency in cycles at a load in flits per cycle and terminal; NaN where a seed is beyond saturation."""

    name: str
    flits: int
    load: float

    def run(self) -> float:
        """Return the mean of the computed value over the seeds."""
        topology = _NETWORKS[self.name][1]()
        traffic = uniform(topology.terminals, self.load, self.flits)
        outcomes = [simulate(topology, traffic, seed=seed) for seed in _SEEDS]
        if any(each.saturated for each in outcomes):
            return nan
        return sum(each.mean_latency_cycles for each in outcomes) / len(_SEEDS)

    def blank(self) -> float:
        """Return the published row with NaN as computed value."""
        return nan


@dataclass(frozen=True)
class Throughput(Case[float]):
    """Flits per cycle and terminal that arrive at a load beyond saturation."""

    name: str
    flits: int
    load: float

    def run(self) -> float:
        """Return the mean of the computed value over the seeds."""
        topology = _NETWORKS[self.name][1]()
        traffic = uniform(topology.terminals, self.load, self.flits)
        return sum(simulate(topology, traffic, seed=seed).accepted_throughput for seed in _SEEDS) / len(_SEEDS)

    def blank(self) -> float:
        """Return the published row with NaN as computed value."""
        return nan


def booksim(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield how many points agree, then all of them."""
    latencies = [row for curve in _CURVES for row in _latencies(look, *curve)]
    throughputs = [row for curve in _CURVES for row in _throughputs(look, *curve)]
    counts = BOOKSIM.rows(f"BookSim: points within {_WITHIN:.0%}", why=_COUNTED, kind="repeated")
    for limits, words in _BANDS.items():
        yield _count(counts, f"Latency {words}", [row for row in latencies if _band(row) == limits])
    yield _count(counts, "Throughput beyond saturation", throughputs)
    yield from latencies
    yield from throughputs


def _latencies(look: OutcomeReader, name: str, flits: int) -> Iterator[Comparison]:
    title = _NETWORKS[name][0]
    rows = BOOKSIM.rows(f"BookSim: latency, {title}, {flits} flits", kind="cross-check")
    for place, load in enumerate(BOOKSIM.value(f"{name}.{flits}.loads")):
        published = f"{name}.{flits}.latency[{place}]"
        above = BOOKSIM.value(published) / _zero_load(name, flits)
        why = _LATENCY if above < 3 else _KNEE
        ours = look(Latency(name, flits, load))
        along = Along(_LOAD, load, "", "Latency of a packet (cycles)")
        yield rows(f"{title}, {flits} flits, load {load:g}", published, ours, why=why, along=along)


def _throughputs(look: OutcomeReader, name: str, flits: int) -> Iterator[Comparison]:
    rows = BOOKSIM.rows("BookSim: throughput beyond saturation", why=_THROUGHPUT, kind="cross-check")
    for place, load in enumerate(BOOKSIM.value(f"{name}.{flits}.loads_beyond")):
        ours = look(Throughput(name, flits, load))
        curve = f"{_NETWORKS[name][0]}, {flits} flits"
        along = Along(_LOAD, load, curve, "Arrives (flits/cycle and terminal)")
        yield rows(f"{curve}, load {load:g}", f"{name}.{flits}.accepted[{place}]", ours, along=along)


def _count(rows: Rows, title: str, points: Sequence[Comparison]) -> Comparison:
    """Return the number of published points, and of those that the simulation meets."""
    sources = [name for row in points for name in row.sources]
    met = nan if all(isnan(row.ours) for row in points) else sum(abs(row.ratio - 1) <= _WITHIN for row in points)
    return rows(title, BOOKSIM.derived(len(points), "points", *sources), met)


def _band(row: Comparison) -> tuple[float, float]:
    """Return the limits of the band of a row of latencies."""
    name, flits, _ = row.sources[0].split(".")
    above = row.published / _zero_load(name, int(flits))
    return next(limits for limits in _BANDS if limits[0] <= above < limits[1])


@cache
def _zero_load(name: str, flits: int) -> float:
    """Return the mean latency in cycles without contention."""
    topology = _NETWORKS[name][1]()
    return zero_load_latency(topology, uniform(topology.terminals, 1.0, flits))
