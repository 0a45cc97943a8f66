"""Applications in a closed loop with the network: chiplets work on subframes and pass them on (goyal-2023 6.2.3, 6.4.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.simulation.noc import columns as c
from engines.simulation.noc.simulation import Simulation, link_outputs
from engines.simulation.noc.topology import Topology
from engines.simulation.noc.traffic import Traffic

DataFlow = Literal["direct", "via buffer", "via memory"]
_CODES: dict[str, int] = {"direct": c.DIRECT, "via buffer": c.VIA_BUFFER, "via memory": c.VIA_MEMORY}
_SETTLE_SHARE = 0.2  # of the cycles, before anything is measured


@dataclass(frozen=True)
class Stage:
    """A chiplet's part in a chain.

    Attributes:
        terminal: the chiplet.
        cycles_per_subframe: it works on each; where it expands, on each that it puts out.
        inputs_per_output: subframes that it takes in for each that it puts out: more than 1 where it compresses.
        outputs_per_input: the other way round; one of the two is 1.
        hands_on: way of its subframes to the next stage; "" for that of its chain.
        unit: what works, from 0 on; -1: the chiplet. One that stands in several chains works on one subframe after the other.
    """

    terminal: int
    cycles_per_subframe: int
    inputs_per_output: int = 1
    outputs_per_input: int = 1
    hands_on: DataFlow | Literal[""] = ""
    unit: int = -1

    @property
    def worker(self) -> tuple[bool, int]:
        """Return the executor of the stage: whether it has its own unit, and its number."""
        return (False, self.terminal) if self.unit < 0 else (True, self.unit)


@dataclass(frozen=True)
class Flow:
    """A chain of an application, as CAM - VE - MMC.

    Attributes:
        name: name on pages.
        stages: from the source, which always has something to work on, to the end.
        data_flow: way of subframes from one stage to the next.
        cycles_between_starts: cycles between starts of the source, at least: 0 for as fast as it can.
    """

    name: str
    stages: tuple[Stage, ...]
    data_flow: DataFlow = "direct"
    cycles_between_starts: int = 0


@dataclass(frozen=True)
class MemoryController:
    """The chiplet that the memory hangs on; cycles are the network's.

    Attributes:
        terminal: the chiplet.
        queue_entries: requests under way or waiting, in all (goyal-2023 table 6.5: 64).
        bank_entries: the same, of a bank (24).
        banks: banks of the memory.
        access_cycles: that 64 bytes hold the memory's bus. 6 cycles at 2 GHz are 21 GB/s; the paper does not say.
        bank_cycles: from one access of a bank to its next.
    """

    terminal: int
    queue_entries: int = 64
    bank_entries: int = 24
    banks: int = 8
    access_cycles: int = 6
    bank_cycles: int = 30


@dataclass(frozen=True)
class Application:
    """Chains that run at once, on what they share.

    Attributes:
        flows: the chains.
        memory: memory for data that does not move between chiplets.
        subframe_bytes: bytes that pass from stage to stage at once.
        part_bytes: part in bytes of a request to the memory controller.
        flit_bytes: bytes of a flit; a packet has an additional head flit.
        stored_subframes: that may wait at the memory controller for a stage before the one before it is held up.
    """

    flows: tuple[Flow, ...]
    memory: MemoryController | None = None
    subframe_bytes: int = 1024
    part_bytes: int = 64
    flit_bytes: int = 16
    stored_subframes: int = 8

    @property
    def subframe_flits(self) -> int:
        """Return the flits of a subframe as one packet."""
        return 1 + -(-self.subframe_bytes // self.flit_bytes)


@dataclass(frozen=True, eq=False)
class ApplicationOutcome:
    """The throughput of the chains, per cycle of the network, once they had settled.

    Attributes:
        subframes_per_cycle: of each flow, at its last stage.
        source_subframes_per_cycle: of each flow, at its first one.
        bytes_per_cycle: of each flow, that its last stage took in; times the clock in GHz it is GB/s.
        busy: busy of each flow, each stage's share of the cycles at work.
        memory_accesses_per_cycle: of 64 bytes each.
        memory_busy: share of the cycles in which the memory's bus is at work.
        flit_hops_per_cycle: flits over routers.
        link_load: flits per cycle of each link.
        terminal_load: of each terminal's own port (shape `terminals x 2`), flits per cycle into the network and out of it.
        segment_load: segment load of each mini-chain (shape `chains x most segments`), flits per cycle on each segment of its ring.
        cycles: measured.
        steps: see `Simulation.steps`, of the cycles that were measured; packets have their errand (see `errands`) in the last
            column. Rows with -3 (a stage starts a subframe) or -4 (it ends one) have the cycle, how many it has done, the stage
            (counted over all flows) and its chiplet; rows with -5 (the memory begins an access) its kind and the stage.
    """

    subframes_per_cycle: tuple[float, ...]
    source_subframes_per_cycle: tuple[float, ...]
    bytes_per_cycle: tuple[float, ...]
    busy: tuple[tuple[float, ...], ...]
    memory_accesses_per_cycle: float
    memory_busy: float
    flit_hops_per_cycle: float
    link_load: FloatArray
    terminal_load: FloatArray
    segment_load: FloatArray
    cycles: int
    steps: IntArray


def run_application(
    topology: Topology,
    application: Application,
    cycles: int = 50_000,
    *,
    log_rows: int = 0,
    poll: Callable[[], None] | None = None,
) -> ApplicationOutcome:
    """Run the chains for so many cycles; the first fifth, in which buffers fill, does not count.

    There is no chance in it: packets of a pair keep their order, and sources work as fast as they can or at their own pace.

    Raises:
        ValueError: a chiplet that is not there, a chain with a loop, no memory controller where one is needed, numbers below 1.
    """
    simulation = application_simulation(topology, application, log_rows)
    settle = int(cycles * _SETTLE_SHARE)
    simulation.advance(settle, poll)
    simulation.state["clock"][c.LOGGED] = 0
    before = _counts(simulation)
    simulation.advance(cycles - settle, poll)
    counts = {name: (after - before[name]) / (cycles - settle) for name, after in _counts(simulation).items()}
    ends = np.cumsum([len(flow.stages) for flow in application.flows])
    done, busy = counts["done"], np.minimum(counts["busy"], 1.0)
    last = [float(done[end - 1]) for end in ends]
    first = [float(done[end - len(flow.stages)]) for flow, end in zip(application.flows, ends, strict=True)]
    access = application.memory.access_cycles if application.memory else 0
    own = topology.chain_of < 0
    return ApplicationOutcome(
        subframes_per_cycle=tuple(last),
        source_subframes_per_cycle=tuple(first),
        bytes_per_cycle=tuple(value * application.subframe_bytes for value in last),
        busy=tuple(
            tuple(float(one) for one in busy[end - len(flow.stages) : end])
            for flow, end in zip(application.flows, ends, strict=True)
        ),
        memory_accesses_per_cycle=float(counts["served"][0]),
        memory_busy=min(1.0, float(counts["served"][0]) * access),
        flit_hops_per_cycle=float(counts["hops"][0]),
        link_load=counts["outputs"][link_outputs(topology)],
        terminal_load=np.stack(
            [counts["sent"], counts["outputs"][simulation.state["sources"][:, c.S_OUTPUT]] * own], axis=1
        ),
        segment_load=counts["rings"],
        cycles=cycles - settle,
        steps=simulation.steps,
    )


def application_simulation(topology: Topology, application: Application, log_rows: int = 0) -> Simulation:
    """Return the network with the chains on it at cycle 0, to be advanced, saved and gone on with.

    Raises:
        ValueError: see `run_application`.
    """
    _check(topology, application)
    nothing = Traffic("application", np.zeros((topology.terminals,) * 2), application.subframe_flits)
    tables, sizes = _tables(topology, application)
    return Simulation(topology, nothing, ordered=True, log_rows=log_rows, queue_rows=256, work=(tables, sizes))


def _counts(simulation: Simulation) -> dict[str, FloatArray]:
    state = simulation.state
    memory, stages = state["memory"], state["stages"]
    return {
        "done": stages[:, c.A_DONE].astype(np.float64),
        "busy": stages[:, c.A_BUSY].astype(np.float64),
        "served": memory[:, c.M_SERVED].astype(np.float64),
        "hops": np.array([simulation.flit_hops], dtype=np.float64),
        "outputs": state["outputs"][:, c.P_FLITS].astype(np.float64),
        "sent": state["sources"][:, c.S_SENT].astype(np.float64),
        "rings": state["passed"].astype(np.float64),
    }


def errands(steps: IntArray) -> tuple[IntArray, IntArray]:
    """Return the content (`columns.DIRECT`, `WRITE`, `READ`, `REPLY`) and stage of rows of packets in `ApplicationOutcome.steps`.

    Stages are counted over all flows; of a whole subframe and of what is read, it is the one that gets it.
    """
    return steps[:, 5] // c.MOST_STAGES % 4, steps[:, 5] % c.MOST_STAGES


def _tables(topology: Topology, application: Application) -> tuple[dict[str, IntArray], dict[int, int]]:
    memory = application.memory or MemoryController(0)
    parts = -(-application.subframe_bytes // application.part_bytes)
    controller = np.zeros((1, c.W_MEMORY), dtype=np.int64)
    controller[0, : c.M_BANK_CYCLES + 1] = (
        memory.terminal,
        memory.queue_entries,
        memory.bank_entries,
        memory.banks,
        memory.access_cycles,
        memory.bank_cycles,
    )
    controller[0, c.M_SERVING] = -1
    stages = _stage_rows(application.flows)
    tables = {
        "stages": stages,
        "busy": np.full(len(stages), -1, dtype=np.int64),
        "memory": controller,
        "banks": np.zeros((memory.banks, c.W_BANK), dtype=np.int64),
        "bank_queues": np.zeros((memory.banks, memory.bank_entries), dtype=np.int64),
    }
    sizes = {
        c.STAGES: len(stages),
        c.PARTS: parts,
        c.MOST_STORED: application.stored_subframes,
        c.PART_FLITS: 1 + -(-application.part_bytes // application.flit_bytes),
    }
    return tables, sizes


def _stage_rows(flows: Sequence[Flow]) -> IntArray:
    rows = np.zeros((sum(len(flow.stages) for flow in flows), c.W_STAGE), dtype=np.int64)
    number, units = 0, dict[tuple[bool, int], int]()
    for flow in flows:
        for place, stage in enumerate(flow.stages):
            row = rows[number]
            row[c.A_TERMINAL], row[c.A_CYCLES] = stage.terminal, stage.cycles_per_subframe
            row[c.A_RATIO], row[c.A_SPREAD] = stage.inputs_per_output, stage.outputs_per_input
            row[c.A_UNIT] = units.setdefault(stage.worker, len(units))
            row[c.A_BEFORE] = number - 1 if place else -1
            row[c.A_NEXT] = number + 1 if place + 1 < len(flow.stages) else -1
            row[c.A_FLOW], row[c.A_PERIOD] = _CODES[stage.hands_on or flow.data_flow], flow.cycles_between_starts
            number += 1
    return rows


def _check(topology: Topology, application: Application) -> None:
    if not application.flows or sum(len(flow.stages) for flow in application.flows) >= c.MOST_STAGES:
        raise ValueError(f"An application has 1 to {c.MOST_STAGES - 1} stages in its chains.")
    for flow in application.flows:
        chiplets, workers = [stage.terminal for stage in flow.stages], {stage.worker for stage in flow.stages}
        if len(workers) < len(flow.stages):
            raise ValueError(
                f"{flow.name}: a chiplet appears twice in the chain {chiplets}; a chain must not have loops."
            )
        if not chiplets:
            raise ValueError(f"{flow.name}: a chain has at least one stage.")
        if flow.data_flow not in _CODES:
            raise ValueError(
                f"{flow.name}: data_flow must be one of {', '.join(_CODES)}. Got {flow.data_flow!r} instead."
            )
        if flow.data_flow != "direct" and len(chiplets) > 1 and application.memory is None:
            raise ValueError(f"{flow.name}: data {flow.data_flow} need a memory controller.")
        for stage in flow.stages:
            names = ("cycles_per_subframe", "inputs_per_output", "outputs_per_input")
            _at_least_one(flow.name, **{name: getattr(stage, name) for name in names})
        for chiplet in chiplets:
            _is_there(topology, f"{flow.name}: chiplet", chiplet)
    sizes = {
        name: getattr(application, name) for name in ("subframe_bytes", "part_bytes", "flit_bytes", "stored_subframes")
    }
    _at_least_one("application", **sizes)
    if application.memory:
        memory = application.memory
        _is_there(topology, "memory controller", memory.terminal)
        counts = {
            name: getattr(memory, name)
            for name in ("queue_entries", "bank_entries", "banks", "access_cycles", "bank_cycles")
        }
        _at_least_one("memory controller", **counts)


def _is_there(topology: Topology, what: str, chiplet: int) -> None:
    if not 0 <= chiplet < topology.terminals:
        raise ValueError(f"{what} {chiplet} is not there. {topology.name} has 0 to {topology.terminals - 1}.")


def _at_least_one(what: str, **values: int) -> None:
    for name, value in values.items():
        if value < 1:
            raise ValueError(f"{what}: {name} must be at least 1. Got {value} instead.")
