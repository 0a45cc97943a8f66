"""The network of one package, cycle by cycle: latency over load compared with a single packet, and the sustained load."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.results import Curve, Note, Result, Series
from engines.methods.neksus.dataflow import Traffic as PackageTraffic
from engines.methods.neksus.instance import NeksusInstance
from engines.simulation.noc.bounds import channel_load, zero_load_latency
from engines.simulation.noc.curve import latency_curve
from engines.simulation.noc.simulation import Outcome, Sampling
from engines.simulation.noc.topology import Topology
from engines.simulation.noc.traffic import Traffic

# Shares of the load at which the busiest channel would always be busy.
SHARES = (0.05, 0.3, 0.5, 0.7, 0.8, 0.9, 1.1)
_PERIOD_CYCLES, _PACKETS, _PERIODS = 1000, 200, 4
_SLOW = 10.0  # times the latency without contention: beyond saturation
_MOST_WORK = 100_000_000  # cycles times routers and terminals, at most: about two seconds of a processor
_TITLE = "Network simulated"


def simulated_network(instance: NeksusInstance, traffic: PackageTraffic) -> tuple[Result, ...]:
    """Return the latency of a packet over load and a note, or the note alone that says why nothing was simulated."""
    if not instance.params.simulate_network:
        return ()
    topology, hz = traffic.network.topology, instance.system.router.hz
    sent = packets_of(instance, traffic)
    if sent is None:
        return (_note("Nothing was simulated: no transfer leaves its chiplet."),)
    factors = _factors(topology, sent)
    if _work(topology, sent, factors) > _MOST_WORK:
        return (
            _note(
                "The network was not simulated: its traffic is too sparse, or it has too many routers, for a short run."
            ),
        )
    outcomes = simulated_loads(topology, sent, factors, instance.seed)
    alone = zero_load_latency(topology, sent)
    return (_curve(factors, outcomes, alone, hz), _note(_words(factors, outcomes, alone, hz)))


def packets_of(instance: NeksusInstance, traffic: PackageTraffic) -> Traffic | None:
    """Return the flits per cycle between chiplets at the frames that are asked for; None: nothing leaves a chiplet."""
    topology = traffic.network.topology
    rates = np.zeros((topology.terminals, topology.terminals))
    flits = 0
    for leg in (leg for chain in traffic.legs for hop in chain for leg in hop):
        if leg.use is not None:
            flits = leg.packet_flits
            rates[leg.ends] += leg.packets_per_s * flits / instance.system.router.hz
    return Traffic("applications", rates, flits) if flits else None


def simulated_loads(topology: Topology, sent: Traffic, factors: Sequence[float], seed: int) -> list[Outcome]:
    """Return the short measurements; `factors` multiply the traffic."""
    limit = _SLOW * zero_load_latency(topology, sent)
    sampling = Sampling(_PERIOD_CYCLES, _PACKETS, 1, 2, 0.05, _PERIODS, limit)
    return latency_curve(topology, sent, factors, seed=seed, sampling=sampling, threads=1)


def _factors(topology: Topology, sent: Traffic) -> list[float]:
    # A source makes one packet in a cycle at most.
    most = sent.packet_flits / float(sent.injection_rate.max())
    full = channel_load(topology, sent).saturation_factor
    return [min(share * full, most) for share in SHARES]


def _work(topology: Topology, sent: Traffic, factors: Sequence[float]) -> float:
    """Return the cycles at most, without the way home of the last packets, times what moves in each."""
    packet_cycles = _PACKETS * sent.packet_flits / float(sent.injection_rate.sum())
    cycles = sum(_PERIODS * max(_PERIOD_CYCLES, packet_cycles / factor) for factor in factors)
    return cycles * (topology.routers + topology.terminals)


def _curve(factors: Sequence[float], outcomes: Sequence[Outcome], alone: float, hz: float) -> Curve:
    latency = [np.nan if one.saturated else one.mean_latency_cycles / hz for one in outcomes]
    return Curve(
        "packet-over-load", "Latency of a packet over load, simulated (ends where packets pile up)", np.array(factors),
        "Frames, of those asked for", "x",
        (
            Series("Alone, analytic", np.full(len(factors), alone / hz), "s"),
            Series("Mean, simulated", np.array(latency), "s"),
        ),
    )  # fmt: skip


def _words(factors: Sequence[float], outcomes: Sequence[Outcome], alone: float, hz: float) -> str:
    first = outcomes[0]
    text = f"A packet alone takes {alone / hz * 1e9:.3g} ns by the formula; "
    if first.saturated:
        return text + f"simulated, packets pile up even at {factors[0]:.3g} times the frames asked for."
    text += f"simulated {first.mean_latency_cycles / hz * 1e9:.3g} ns on average at {factors[0]:.3g} times the frames asked for, "
    text += "queues included. "
    beyond = next((number for number, one in enumerate(outcomes) if one.saturated), None)
    bound = factors[0] / SHARES[0]
    if beyond is None:
        text += f"Saturation was not reached at {factors[-1]:.3g} times"
    else:
        text += f"Saturation, simulated: between {factors[beyond - 1]:.3g} and {factors[beyond]:.3g} times"
    text += f" the frames asked for; by its loads a channel is always busy at {bound:.3g} times. "
    return text + "Packets are sent at random here, and each point is a short run."


def _note(text: str) -> Note:
    return Note("network-simulated", _TITLE, text)
