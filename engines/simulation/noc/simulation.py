"""A simulation that can be stopped, saved and gone on with, and the measurement of one load as BookSim does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.integer_format import counted
from engines.simulation.noc import columns as c
from engines.simulation.noc.state import NO_WORK, State, Work, clear_sums, new_state
from engines.simulation.noc.topology import Topology
from engines.simulation.noc.traffic import Traffic, fitting

_LONGEST_PERIOD_CYCLES = 10_000_000  # ten such samples take about a minute
_POLL_CYCLES = 500  # about a hundredth of a second of 64 routers


@dataclass(frozen=True)
class Sampling:
    """How long is measured (BookSim's rules).

    Attributes:
        period_cycles: a sample; where too few packets are made in that time, as long as `packets` take.
        packets: in a period, at least.
        warm_up_periods: before the measurement.
        steady_periods: one after the other in which latency and throughput change by less than `change`.
        change: relative.
        most_periods: in all.
        latency_limit_cycles: a mean above says that the load is beyond saturation.
    """

    period_cycles: int = 2000
    packets: int = 500
    warm_up_periods: int = 3
    steady_periods: int = 3
    change: float = 0.05
    most_periods: int = 10
    latency_limit_cycles: float = 500.0


@dataclass(frozen=True, eq=False)
class Outcome:
    """The outcome of one load.

    Attributes:
        mean_latency_cycles: of packets, from when they are made (so with the wait at the source) to the last flit; NaN: none came.
        p99_latency_cycles: 99 of 100 packets take no longer; infinite where it is above 4095.
        mean_network_latency_cycles: from when the head leaves its source.
        minimum_latency_cycles: minimum latency in cycles of the quickest packet.
        mean_routers: mean number of routers that a packet passes.
        offered_throughput: flits per cycle and terminal.
        accepted_throughput: the same, as arrived.
        link_load: flits per cycle of each of `Topology.links`.
        chain_load: of each mini-chain, flits per cycle on a segment, on average.
        saturated: the load is beyond saturation: latencies grow as long as one measures, and stand for nothing.
        cycles: simulated.
        packets: measured.
        flit_hops: flits over routers, in all.
    """

    mean_latency_cycles: float
    p99_latency_cycles: float
    mean_network_latency_cycles: float
    minimum_latency_cycles: float
    mean_routers: float
    offered_throughput: float
    accepted_throughput: float
    link_load: FloatArray
    chain_load: FloatArray
    saturated: bool
    cycles: int
    packets: int
    flit_hops: int

    def describe(self) -> str:
        """Return the result in a sentence."""
        if self.saturated:
            return (
                f"{self.offered_throughput:.3g} flits per cycle and terminal are beyond saturation;"
                f" the network takes {self.accepted_throughput:.3g}."
            )
        return f"{self.mean_latency_cycles:.4g} cycles on average at {self.accepted_throughput:.3g} flits per cycle and terminal."


class Simulation:
    """A network, cycle by cycle."""

    def __init__(
        self,
        topology: Topology,
        traffic: Traffic,
        *,
        seed: int = 0,
        ordered: bool = False,
        log_rows: int = 0,
        queue_rows: int = 0,
        work: Work | None = None,
    ) -> None:
        """See `state.new_state`.

        Raises:
            ValueError: traffic for another number of terminals, or more than a packet a cycle of one.
        """
        fitting(topology, traffic)
        self.topology, self.traffic = topology, traffic
        self.state: State = new_state(topology, traffic, seed, ordered, log_rows, queue_rows, work or NO_WORK)

    @property
    def now(self) -> int:
        """Cycles simulated."""
        return int(self.state["clock"][c.NOW])

    @property
    def flits_made(self) -> int:
        """Flits of all packets made."""
        return int(self.state["clock"][c.MADE_FLITS])

    @property
    def flits_arrived(self) -> int:
        """Flits at their destinations."""
        return int(self.state["clock"][c.GOT_FLITS])

    @property
    def flit_hops(self) -> int:
        """Flits over routers."""
        return int(self.state["clock"][c.FLIT_HOPS])

    @property
    def steps(self) -> IntArray:
        """`n x 6`: cycle, number of the packet, source, destination, output that its head crossed to (-1: made, -2: in), errand.

        The errand is that of an application's packet, see `application.errands`; 0 for all others.
        """
        return self.state["log"][: int(self.state["clock"][c.LOGGED])]

    def advance(self, cycles: int, poll: Callable[[], None] | None = None) -> int:
        """Run so many cycles, or until all measured packets are home; the cycles run. `poll` may raise, between two cycles."""
        from engines.simulation.noc import kernel  # numba takes a second to import

        advance = kernel.advance_applications if len(self.state["stages"]) else kernel.advance

        done = 0
        while done < cycles:
            if poll is not None:
                poll()
            part = min(_POLL_CYCLES, cycles - done)
            ran = int(advance(self.state.memory, part))
            done += ran
            if ran < part:
                break
        return done

    def snapshot(self) -> IntArray:
        """Return a copy of all there is; `restore` continues from there."""
        return self.state.memory.copy()

    def restore(self, saved: IntArray) -> None:
        """Go on where `snapshot` was taken.

        Raises:
            ValueError: it is of another network, or traffic.
        """
        memory, same = self.state.memory, slice(0, c.HEADER)
        if np.shape(saved) != memory.shape or (saved[same] != memory[same]).any():
            raise ValueError("The saved state is of another network.")
        memory[:] = saved


@dataclass
class _Progress:
    """Where a measurement stands; with the network's arrays it is all that is needed to continue."""

    periods: int = 0
    steady: int = 0
    latency: float = 0.0
    throughput: float = 0.0
    measured_from: int = 0
    over: bool = False
    saturated: bool = False


class Measurement:
    """Latency and throughput of one load: warm-up, samples until they are steady, then until all measured packets are home."""

    def __init__(
        self,
        topology: Topology,
        traffic: Traffic,
        *,
        seed: int = 0,
        sampling: Sampling | None = None,
        ordered: bool = False,
    ) -> None:
        """See `Simulation`.

        Raises:
            ValueError: as there; a trace, traffic without packets, or so little that a sample takes too many cycles.
        """
        offered = float(traffic.injection_rate.sum())
        if traffic.trace is not None or offered == 0:
            raise ValueError("A load is measured with traffic by rates, above 0. Use `Simulation` for a trace.")
        self.sampling = sampling or Sampling()
        self.simulation = Simulation(topology, traffic, seed=seed, ordered=ordered)
        self.offered = offered / topology.terminals
        slow = self.sampling.packets * traffic.packet_flits / offered
        if slow > _LONGEST_PERIOD_CYCLES:
            packets, cycles = self.sampling.packets, counted(_LONGEST_PERIOD_CYCLES)
            least = packets * traffic.packet_flits / _LONGEST_PERIOD_CYCLES
            raise ValueError(
                f"A load must offer at least {least:.3g} flits per cycle in all, for {packets} packets in {cycles} cycles. "
                f"Got {offered:.3g} instead. `Sampling(packets=...)` takes fewer packets."
            )
        self.period = max(self.sampling.period_cycles, int(np.ceil(slow)))
        self.progress = _Progress()

    def run(self, poll: Callable[[], None] | None = None) -> Outcome:
        """Run to the end; `poll` is called often and may raise. After an exception `run` can be called again."""
        while not self.progress.over:
            self._period(poll)
        if not self.progress.saturated:
            self._drain(poll)
        return self._outcome()

    def snapshot(self) -> dict[str, Any]:
        """Return the complete state, for `restore`."""
        return {"progress": asdict(self.progress), "network": self.simulation.snapshot()}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Go on where `snapshot` was taken."""
        self.simulation.restore(saved["network"])
        self.progress = _Progress(**saved["progress"])

    def _period(self, poll: Callable[[], None] | None) -> None:
        progress, rules, state = self.progress, self.sampling, self.simulation.state
        warming = state["clock"][c.PHASE] == c.WARMING
        end = (progress.periods + 1) * self.period
        if self.simulation.now % self.period == 0 and warming and progress.periods % 2 == 0:
            self._clear()
        self.simulation.advance(end - self.simulation.now, poll)
        latency, throughput = self._latency(), self._throughput()
        if not latency <= rules.latency_limit_cycles:
            progress.saturated = True
        change = max(_change(latency, progress.latency), _change(throughput, progress.throughput))
        progress.latency, progress.throughput = latency, throughput
        progress.periods += 1
        if warming:
            if progress.periods >= rules.warm_up_periods:
                state["clock"][c.PHASE] = c.RUNNING
                self._clear()
            return
        # Beyond saturation the latencies never get steady; the throughput is measured over as many periods all the same.
        progress.steady = progress.steady + 1 if progress.saturated or change < rules.change else 0
        progress.over = progress.steady >= rules.steady_periods or progress.periods >= rules.most_periods

    def _drain(self, poll: Callable[[], None] | None) -> None:
        """Run until all measured packets are home; as long again as everything before, at most."""
        clock, progress = self.simulation.state["clock"], self.progress
        if clock[c.PHASE] == c.RUNNING:
            clock[c.PHASE], clock[c.DRAIN_TIME] = c.DRAINING, clock[c.NOW]
            progress.latency, progress.throughput = self._latency(), self._throughput()
        end = progress.periods * self.period + self.sampling.most_periods * self.period
        self.simulation.advance(end - self.simulation.now, poll)
        progress.saturated = self.simulation.now >= end or self._latency() > self.sampling.latency_limit_cycles

    def _clear(self) -> None:
        clear_sums(self.simulation.state)
        self.progress.measured_from = self.simulation.now

    def _latency(self) -> float:
        sums = self.simulation.state["sums"]
        return float(sums[c.SUM_LATENCY]) / int(sums[c.N_PACKETS]) if sums[c.N_PACKETS] else float("nan")

    def _throughput(self) -> float:
        state, cycles = self.simulation.state, self.simulation.now - self.progress.measured_from
        return float(state["accepted"].sum()) / cycles / len(state["accepted"])

    def _outcome(self) -> Outcome:
        state, topology = self.simulation.state, self.simulation.topology
        cycles = max(1, self.simulation.now - self.progress.measured_from)
        sums = state["sums"]
        count = max(1, int(sums[c.N_PACKETS]))
        latency = self._latency()
        throughput = self.progress.throughput
        links = state["outputs"][:, c.P_FLITS][link_outputs(topology)] / cycles
        rings = np.array([len(chain.members) + 1 for chain in topology.chains], dtype=np.float64)
        return Outcome(
            mean_latency_cycles=latency,
            p99_latency_cycles=percentile(state["histogram"], 0.99),
            mean_network_latency_cycles=float(sums[c.SUM_NETWORK]) / count,
            minimum_latency_cycles=float(sums[c.LEAST]) if sums[c.N_PACKETS] else float("nan"),
            mean_routers=float(sums[c.SUM_HOPS]) / count,
            offered_throughput=self.offered,
            accepted_throughput=throughput,
            link_load=links,
            chain_load=state["passed"].sum(axis=1) / cycles / rings,
            saturated=self.progress.saturated,
            cycles=self.simulation.now,
            packets=int(sums[c.N_PACKETS]),
            flit_hops=self.simulation.flit_hops,
        )


def simulate(
    topology: Topology,
    traffic: Traffic,
    *,
    seed: int = 0,
    sampling: Sampling | None = None,
    ordered: bool = False,
    poll: Callable[[], None] | None = None,
) -> Outcome:
    """Return the latency and throughput of a network under a load; see `Measurement`.

    Raises:
        ValueError: traffic that does not fit, a trace, no or hardly any packets, or more than a packet a cycle of one terminal.
    """
    return Measurement(topology, traffic, seed=seed, sampling=sampling, ordered=ordered).run(poll)


def link_outputs(topology: Topology) -> IntArray:
    """Return the output of each link in the simulation's numbering (`Simulation.steps` and loads)."""
    starts = np.concatenate([[0], np.cumsum(topology.router_ports)[:-1]])
    seen = np.zeros(topology.routers, dtype=np.int64)
    found = np.empty(len(topology.links), dtype=np.int64)
    for number, link in enumerate(topology.links):
        found[number] = starts[link.source] + seen[link.source]
        seen[link.source] += 1
    return found


def percentile(histogram: IntArray, share: float) -> float:
    """Return the smallest value that so large a share of the samples does not exceed.

    Infinite beyond the last bin, NaN without samples.
    """
    total = int(histogram.sum())
    if not total:
        return float("nan")
    value = int(np.searchsorted(np.cumsum(histogram), np.ceil(share * total)))
    return float(value) if value < len(histogram) - 1 else float("inf")


def _change(now: float, before: float) -> float:
    return abs(now - before) / now if now else float("inf")
