"""Applications on the simulated package: blocks, memory controller and network, cycle by cycle, under each data flow.

One chain after the other is in the middle of a frame and as quick as it can, while the others keep the pace of the frames that are
asked for. Blocks work on subframes; unlike in `dataflow`, via memory the next block begins once a subframe is stored, not a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from engines.contract.quantities import SHARE
from engines.contract.results import Note, Table, TableColumn
from engines.methods.neksus.dataflow import ChainTiming, Traffic
from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.instance import NeksusInstance
from engines.methods.neksus.network import network_of
from engines.methods.neksus.params import FLOWS
from engines.simulation.noc.application import (
    Application,
    ApplicationOutcome,
    DataFlow,
    Flow,
    MemoryController,
    Stage,
    run_application,
)
from hardware.chiplet_system.model import ApplicationChain, ChipletSystem

DATA_FLOWS: Mapping[str, DataFlow] = {"memory": "via memory", "buffer": "via buffer", "direct": "direct"}
_CYCLES, _COUNTED_SHARE = 60_000, 0.8  # `run_application` does not count the first fifth
_ENOUGH = 40  # subframes of a source in the cycles that count: 2.5 % between two counts
_MOST_CYCLES = 1_600_000
_LOG_ROWS = 60_000
_MOST_RUNS = 60
_GIGA = 1e9


@dataclass(frozen=True, eq=False)
class ChainRun:
    """One chain in the middle of a frame, the others at their pace.

    Attributes:
        flow: a key of `FLOWS`.
        number: number of the chain.
        frames_per_s: that it would end if its frames never ended.
        outcome: outcome of all chains.
        application: application of the run.
        settled: cycles before those that the outcome counts.
    """

    flow: str
    number: int
    frames_per_s: float
    outcome: ApplicationOutcome
    application: Application
    settled: int


@dataclass(frozen=True, eq=False)
class ClosedLoop:
    """All runs: of each data flow in the order of `FLOWS`, of each chain."""

    runs: Mapping[str, tuple[ChainRun, ...]]

    def heaviest(self, instance: NeksusInstance) -> tuple[ChainRun, ...]:
        """Return the run of the chain with the most bytes per second, for each data flow."""
        weights = [sum(chain.bytes_handed_on) * chain.frames_per_s for chain in instance.chains]
        return tuple(runs[int(np.argmax(weights))] for runs in self.runs.values())


def closed_loop(
    instance: NeksusInstance, design: PackageDesign, poll: Callable[[], None] | None = None
) -> ClosedLoop | None:
    """Return every chain under every data flow; None: too many chains for a page."""
    if len(FLOWS) * len(instance.chains) > _MOST_RUNS:
        return None
    topology = network_of(instance.system, design).topology
    found: dict[str, tuple[ChainRun, ...]] = {}
    for flow in FLOWS:
        runs = []
        for number in range(len(instance.chains)):
            application = application_of(instance, design, flow, number)
            cycles = _cycles(application.flows[number])
            outcome = run_application(topology, application, cycles, log_rows=_LOG_ROWS, poll=poll)
            rate = outcome.source_subframes_per_cycle[number] * instance.system.router.hz
            frames = rate / _subframes(instance.system, instance.chains[number], 0)
            runs.append(ChainRun(flow, number, frames, outcome, application, cycles - outcome.cycles))
        found[flow] = tuple(runs)
    return ClosedLoop(found)


def _cycles(flow: Flow) -> int:
    slowest = max(
        stage.cycles_per_subframe * (stage.outputs_per_input if place else 1) for place, stage in enumerate(flow.stages)
    )
    return int(min(_MOST_CYCLES, max(_CYCLES, _ENOUGH * slowest / _COUNTED_SHARE)))


def application_of(instance: NeksusInstance, design: PackageDesign, flow: str, burst: int) -> Application:
    """Return the chains on a package; the one with the number `burst` is in the middle of a frame, the others keep their pace."""
    system = instance.system
    place, units = design.chiplet_of, {name: number for number, name in enumerate(system.blocks)}
    flows = []
    for number, chain in enumerate(instance.chains):
        stages = tuple(
            _stage(system, chain, position, place[name], units[name], flow)
            for position, name in enumerate(chain.blocks)
        )
        period = system.router.hz / (chain.frames_per_s * _subframes(system, chain, 0))
        pace = 0 if number == burst else round(period)
        flows.append(Flow(chain.title, stages, DATA_FLOWS[flow], pace))
    access = round(system.packet_bytes * system.router.hz / system.memory.bytes_per_s)
    controller = MemoryController(place[system.memory.block], access_cycles=max(1, access))
    return Application(
        tuple(flows), controller, system.subframe_bytes, system.packet_bytes, system.router.flit_bytes
    )  # fmt: skip


def _stage(system: ChipletSystem, chain: ApplicationChain, position: int, chiplet: int, unit: int, flow: str) -> Stage:
    """Return a block of a chain; it works on subframes of what it gets or hands on, whichever is more."""
    before = chain.bytes_handed_on[position - 1] if position else 0.0
    after = chain.bytes_handed_on[position] if position < len(chain.bytes_handed_on) else 0.0
    taken = round(before / after) if after and before > after else 1
    made = round(after / before) if before and after > before else 1
    cycles = system.blocks[chain.blocks[position]].seconds_per_byte * system.subframe_bytes * system.router.hz
    to_memory = system.memory.block in chain.blocks[position : position + 2]
    hands_on: DataFlow = "direct" if to_memory else DATA_FLOWS[flow]
    return Stage(chiplet, max(1, round(cycles)), max(1, taken), max(1, made), hands_on, unit)


def _subframes(system: ChipletSystem, chain: ApplicationChain, position: int) -> float:
    """Return the subframes of a frame that a block hands on."""
    return max(1.0, chain.bytes_handed_on[position] / system.subframe_bytes)


def closed_loop_table(instance: NeksusInstance, traffic: Mapping[str, Traffic], loop: ClosedLoop) -> Table:
    """Return a table of the largest simulated rate of each chain under each data flow, next to the formula."""
    runs = [run for runs in loop.runs.values() for run in runs]
    chains = [instance.chains[run.number] for run in runs]
    asked = np.array([chain.frames_per_s for chain in chains])
    handed_on = [run.frames_per_s * max(chain.bytes_handed_on) for run, chain in zip(runs, chains, strict=True)]
    formula = [_frames_at_most(traffic[run.flow].chains[run.number]) for run in runs]
    return Table(
        "closed-loop", "Blocks, memory and network simulated: what a chain gets at most",
        (
            TableColumn("Data flow", tuple(FLOWS[run.flow] for run in runs)),
            TableColumn("Chain", tuple(chain.title for chain in chains)),
            TableColumn("Frames asked for", asked, "1/s"),
            TableColumn("At most, by formula", np.array(formula) / asked, "x"),
            TableColumn("At most, simulated", np.array([run.frames_per_s for run in runs]) / asked, "x"),
            TableColumn("Handed on", np.array(handed_on) / _GIGA, "GB/s"),
            TableColumn("Busiest block", np.array([max(run.outcome.busy[run.number]) for run in runs]), SHARE),
            TableColumn("Memory", np.array([run.outcome.memory_busy for run in runs]), SHARE),
        ),
    )  # fmt: skip


def _frames_at_most(timing: ChainTiming) -> float:
    """Return the frame rate by the slowest block or transfer; blocks work on different frames at the same time."""
    slowest = max(float(timing.active_s.max()), float(timing.transfer_s.max(initial=0.0)))
    return 1.0 / slowest if slowest > 0 else float("inf")


def closed_loop_note(instance: NeksusInstance, loop: ClosedLoop | None) -> Note:
    """Return the note on the scope of the simulation."""
    title = "Blocks and memory simulated"
    if loop is None:
        return Note("closed-loop-note", title, "Not simulated: more chains than a page has time for.")
    memory = instance.system.memory
    bus = round(instance.system.packet_bytes * instance.system.router.hz / memory.bytes_per_s)
    text = "One chain at a time runs as fast as it can in the middle of a frame. The others keep the requested frame "
    text += f"rate. Blocks work on subframes of {instance.system.subframe_bytes:,} bytes with room for two before and behind them; "
    text += "the memory controller has 64 entries, 24 for each of 8 banks, and an access holds its bus "
    text += f"{max(1, bus)} cycles. Via memory the next block begins with the first subframe that is stored; the formula has it "
    text += "wait for the whole frame, and counts no queues."
    return Note("closed-loop-note", title, text, belongs_to="closed-loop")
