"""Networks by their bounds (Figures 6.7 and 6.8), and what one transfer can carry (Figure 6.9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import nan

from engines.methods.neksus.dataflow import traffic_of
from engines.methods.neksus.reproduction.common import PUBLICATION, SHARE, published_package, system
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import Case, OutcomeReader
from engines.simulation.noc.bounds import channel_load, pair_latency, zero_load_latency
from engines.simulation.noc.butter_donut import butter_donut
from engines.simulation.noc.networks import crossbar_hub, mesh, star
from engines.simulation.noc.topology import Topology
from engines.simulation.noc.traffic import chained, uniform

_CHIPLETS, _MEMORY_FLITS = 64, 5  # 64 bytes in flits of 16, and a head
_NETWORKS: dict[str, tuple[str, Callable[[], Topology]]] = {
    "xbar": ("crossbar with mini-chains", lambda: crossbar_hub(_CHIPLETS)),
    "mesh": ("8 x 8 mesh", lambda: mesh(8, 8)),
    "star": ("star", lambda: star(_CHIPLETS, 4)),
    "cmesh": ("4 x 4 concentrated mesh", lambda: mesh(4, 4, 4)),
    "butterdonut": ("ButterDonut", lambda: butter_donut(8, 8)),
}
_LATENCY = "Latency without contention; the published curves have loads, and their channels and hand-shake are not all described."
_LOAD = (
    "Load of the busiest channel under uniform traffic, per chiplet. All four chiplets of a mini-chain share a port "
    "and its ring. Therefore 64 chiplets on 16 ports cannot carry more than a concentrated mesh. The published "
    "bandwidths need another normalisation, which is not stated."
)
_CHAINED = "Latency without contention along a chain of four; the published curve has loads."


@dataclass(frozen=True)
class Network(Case[tuple[float, float, float]]):
    """Latency under uniform and chained traffic in cycles, and what each chiplet can offer in flits per cycle."""

    name: str

    def run(self) -> tuple[float, float, float]:
        """Return the values by the bounds of the network simulation."""
        topology = _NETWORKS[self.name][1]()
        traffic = uniform(topology.terminals, 0.01, _MEMORY_FLITS)
        load = channel_load(topology, traffic)
        chains = [range(first, first + 4) for first in range(0, _CHIPLETS, 4)]
        along = chained(chains, topology.terminals, 0.01, 32)
        return zero_load_latency(topology, traffic), zero_load_latency(topology, along), 0.01 * load.saturation_factor

    def blank(self) -> tuple[float, float, float]:
        """Return the published rows with NaN as computed values."""
        return nan, nan, nan


@dataclass(frozen=True)
class HandOver(Case[float]):
    """The most that one transfer of any application can carry with a data flow, in GB/s."""

    flow: str

    def run(self) -> float:
        """Return the bytes over the time that the busiest channel of its way needs for them."""
        most = 0.0
        for name, application in system().applications.items():
            for chain in application.chains:
                traffic = traffic_of(system(), [chain], published_package(name, self.flow))
                moved = max(chain.bytes_handed_on) * chain.frames_per_s
                most = max(most, moved / traffic.busiest / 1e9)
        return most

    def blank(self) -> float:
        """Return NaN for the value, for a reproduction that was not computed."""
        return nan


@dataclass(frozen=True)
class RouterChannel(Case[float]):
    """The throughput of a router's channel for one packet after the other, in GB/s."""

    def run(self) -> float:
        """Return the throughput in GB/s: with four buffers and a credit after five cycles, four of five cycles carry data."""
        topology, flits = _NETWORKS["butterdonut"][1](), 65
        cycles = int(pair_latency(topology, flits)[0, 1] - pair_latency(topology, 1)[0, 1])
        return (flits - 1) * system().router.flit_bytes / (cycles / system().router.hz) / 1e9

    def blank(self) -> float:
        """Return NaN for the value, for a reproduction that was not computed."""
        return nan


def networks(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the crossbar with mini-chains against the others."""
    found = {name: look(Network(name)) for name in _NETWORKS}
    own_latency, own_chained, own_load = found["xbar"]
    rows = PUBLICATION.rows("Figure 6.7: networks under uniform traffic", reading=SHARE, why=_LATENCY)
    for name, (title, _) in _NETWORKS.items():
        if name == "xbar":
            continue
        latency, _, load = found[name]
        less = 100 * (1 - own_latency / latency)
        yield rows(
            f"Latency of the crossbar, less than {title}", f"fig6.7.xbar_latency_vs_{name}", less, same_side=less > 0
        )
        if name == "cmesh":
            more = 100 * (own_load / load - 1)
            yield rows(
                f"Bandwidth of the crossbar, more than {title}",
                f"fig6.7.xbar_bw_vs_{name}",
                more,
                same_side=more > 0,
                why=_LOAD,
            )
        else:
            less = 100 * (1 - own_load / load)
            words = "less than" if name == "butterdonut" else "within that of"
            side = less > 0 if name == "butterdonut" else None
            yield rows(
                f"Bandwidth of the crossbar, {words} {title}",
                f"fig6.7.xbar_bw_vs_{name}",
                less,
                same_side=side,
                why=_LOAD,
                test="at most" if side is None else None,
            )
    rows = PUBLICATION.rows("Figure 6.8: chained traffic", reading=SHARE, why=_CHAINED)
    for name in ("cmesh", "butterdonut"):
        less = 100 * (1 - own_chained / found[name][1])
        key = f"fig6.8.latency_advantage_{name}_32flits"
        yield rows(f"32 flits: latency less than {_NETWORKS[name][0]}", key, less, same_side=less > 0)


def bandwidths(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield what one transfer can carry."""
    rows = PUBLICATION.rows("Figure 6.9: bandwidth of a transfer", reading=SHARE)
    yield rows("Block to block", "fig6.9.neksus_ip_ip", look(HandOver("direct")))
    why = (
        "One chain alone: packets of 64 bytes, each with its head and hand-shake. The published peak has several "
        "blocks that read at once."
    )
    yield rows("Via buffer", "fig6.9.neksus_via_buf", look(HandOver("buffer")), why=why)
    why = (
        "Each byte is written and read, so that a memory of 11 GB/s carries half of it. Its bandwidth is from this "
        "figure."
    )
    yield rows("Via memory", "fig6.9.neksus_via_mem", look(HandOver("memory")), kind="fitted", why=why)
    yield rows(
        "ButterDonut: one packet after the other over a router's channel", "fig6.9.butterdonut", look(RouterChannel())
    )
