"""Latency and throughput over the offered load, and the load that a network takes at most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from engines.simulation.noc.bounds import channel_load, zero_load_latency
from engines.simulation.noc.simulation import Outcome, Sampling, simulate
from engines.simulation.noc.topology import Topology
from engines.simulation.noc.traffic import Traffic


def latency_curve(
    topology: Topology,
    traffic: Traffic,
    factors: Sequence[float],
    *,
    seed: int = 0,
    sampling: Sampling | None = None,
    threads: int = 2,
    poll: Callable[[], None] | None = None,
) -> list[Outcome]:
    """Return one outcome for each factor by which the traffic's rates are multiplied; the same with any number of threads.

    Raises:
        ValueError: see `simulate`.
    """
    with ThreadPoolExecutor(max_workers=threads) as pool:
        loads = [traffic.scaled(factor) for factor in factors]
        return list(pool.map(lambda load: simulate(topology, load, seed=seed, sampling=sampling, poll=poll), loads))


def saturation_throughput(
    topology: Topology, traffic: Traffic, *, seed: int = 0, poll: Callable[[], None] | None = None
) -> float:
    """Return the flits per cycle and terminal that arrive when far more traffic of the pattern is offered than fits.

    The rates are raised to twice what the busiest channel takes (at most one packet in each cycle and terminal).

    Raises:
        ValueError: the traffic has no packets, or is a trace.
    """
    if not traffic.injection_rate.any():
        raise ValueError(
            "The throughput at saturation must be asked of traffic with a rate above 0. Got no traffic instead."
        )
    load = channel_load(topology, traffic)
    most = traffic.packet_flits / float(traffic.injection_rate.max())
    outcome = simulate(topology, traffic.scaled(min(2 * load.saturation_factor, most)), seed=seed, poll=poll)
    return outcome.accepted_throughput


def knee(topology: Topology, traffic: Traffic, outcomes: Sequence[Outcome]) -> float | None:
    """Return offered throughput at which the mean latency is three times the one without contention, between two points of a curve.

    None: no point of the curve is that slow. Beyond saturation the latency counts as endless: the last good point's load.
    """
    limit = 3 * zero_load_latency(topology, traffic)
    before: Outcome | None = None
    for outcome in sorted(outcomes, key=lambda one: one.offered_throughput):
        slow = outcome.saturated or outcome.mean_latency_cycles >= limit
        if slow and (before is None or outcome.saturated):
            return before.offered_throughput if before else outcome.offered_throughput
        if slow and before:
            share = (limit - before.mean_latency_cycles) / (outcome.mean_latency_cycles - before.mean_latency_cycles)
            return before.offered_throughput + share * (outcome.offered_throughput - before.offered_throughput)
        before = outcome
    return None
