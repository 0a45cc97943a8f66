"""Blocks, transfers and memory of the simulated package over the same time under each data flow."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engines.contract.arrays import IntArray
from engines.contract.results import Lane, Schedule, ScheduleWindow
from engines.contract.schedules import Bar, busy_shares, schedule_of
from engines.methods.neksus.closed_loop import ChainRun, ClosedLoop
from engines.methods.neksus.instance import NeksusInstance
from engines.methods.neksus.params import FLOWS
from engines.simulation.noc import columns as c
from engines.simulation.noc.application import errands

_SUBFRAMES = 12  # of the heaviest chain, under its slowest data flow
_COMPUTE, _TRANSFER, _MEMORY = range(3)
_GAP = 1.05
_SAME = 0.01  # of a window: bars of a lane that are closer are one
_MADE, _ARRIVED, _STARTS, _ACCESS = -1, -2, -3, -5

Spans = dict[tuple[int, int, int], list[tuple[float, float]]]  # by lane, kind and chain, in cycles


def closed_loop_schedule(instance: NeksusInstance, loop: ClosedLoop) -> Schedule:
    """Return the first cycles that count of each data flow's heaviest chain, with what the others do in them."""
    runs = loop.heaviest(instance)
    heaviest = runs[0].number
    cycles = window_cycles(runs, heaviest)
    lanes, hop_lane = _lanes(instance)
    hz = instance.system.router.hz
    bars: list[Bar] = []
    windows, begin = [], 0.0
    for window, run in enumerate(runs):
        for (lane, kind, chain), spans in _spans(
            run, instance, hop_lane, len(lanes) - len(instance.chains), cycles
        ).items():
            label = lanes[lane][0].removeprefix(f"{instance.chains[chain].title}: ")
            for start, end in _joined(spans, _SAME * cycles):
                first, last = begin + start / hz, begin + end / hz
                bars.append(Bar(lane, first, last, label, kind, chain, window))
        windows.append(ScheduleWindow(FLOWS[run.flow], begin, begin + cycles / hz))
        begin += _GAP * cycles / hz
    shown = sorted({bar.lane for bar in bars})  # chains that hand on little have no subframe in so short a time
    bars = [bar._replace(lane=shown.index(bar.lane)) for bar in bars]
    busy = busy_shares(bars, len(shown), len(windows) * cycles / hz)
    words = ", ".join(f"W{number} {window.title.lower()}" for number, window in enumerate(windows, 1))
    return schedule_of(
        bars, [Lane(*lanes[lane], float(share)) for lane, share in zip(shown, busy, strict=True)], windows,
        [f"{chain.title} ({number + 1})" for number, chain in enumerate(instance.chains)],
        kinds=("compute", "transfer", "memory"),
        title=f"Simulated: {instance.chains[heaviest].title} in the middle of a frame, by data flow",
        bar_words=f"{words}; one bar is one or more subframes",
    )  # fmt: skip


def window_cycles(runs: tuple[ChainRun, ...], chain: int) -> float:
    """Return a few subframes of the chain where it is slowest, and no more than the log holds."""
    slowest = min(run.outcome.source_subframes_per_cycle[chain] for run in runs)
    logged = min(int(run.outcome.steps[-1, 0]) - run.settled for run in runs)
    return float(min(_SUBFRAMES / slowest if slowest > 0 else np.inf, max(1, logged)))


def _lanes(instance: NeksusInstance) -> tuple[list[tuple[str, str, str]], Mapping[int, int]]:
    """Return blocks and transfers of each chain, at the end its accesses to memory.

    Stage -> lane, that behind it its transfer.
    """
    lanes: list[tuple[str, str, str]] = []
    lane_of: dict[int, int] = {}
    for chain in instance.chains:
        titles = [instance.system.blocks[name].title for name in chain.blocks]
        for place, title in enumerate(titles):
            lane_of[len(lane_of)] = len(lanes)
            words = f"{chain.title}: {title.lower()}"
            lanes.append((words, words, "npu"))
            if place < len(titles) - 1:
                words = f"{chain.title}: to {titles[place + 1].lower()}"
                lanes.append((words, words, "dram"))
    memory = [(f"{chain.title}: memory", f"{chain.title}: memory", "dram") for chain in instance.chains]
    return [*lanes, *memory], lane_of


def _spans(run: ChainRun, instance: NeksusInstance, lane_of: Mapping[int, int], memory: int, cycles: float) -> Spans:
    """Return spans of the first cycles that count: subframes in blocks, packets on their way, accesses to memory."""
    found: Spans = {}
    steps = run.outcome.steps
    chain_of = [number for number, chain in enumerate(instance.chains) for _ in chain.blocks]
    place_of = [place for chain in instance.chains for place in range(len(chain.blocks))]

    def add(lane: int, kind: int, chain: int, start: int, end: float) -> None:
        first, last = max(0.0, float(start - run.settled)), min(cycles, float(end - run.settled))
        if last > first:
            found.setdefault((lane, kind, chain), []).append((first, last))

    for stage, cycle in _rows(steps, _STARTS, 2):
        flow, place = run.application.flows[chain_of[stage]], place_of[stage]
        add(lane_of[stage], _COMPUTE, chain_of[stage], cycle, cycle + flow.stages[place].cycles_per_subframe)
    made = dict(_rows(steps, _MADE, 1))
    arrived = steps[steps[:, 4] == _ARRIVED]
    for row, kind, stage in zip(arrived.tolist(), *(each.tolist() for each in errands(arrived)), strict=True):
        hop = stage if kind == c.WRITE else stage - 1
        add(lane_of[hop] + 1, _TRANSFER, chain_of[stage], made.get(row[1], run.settled), row[0])
    access = run.application.memory.access_cycles if run.application.memory else 0
    for stage, cycle in _rows(steps, _ACCESS, 2):
        add(memory + chain_of[stage], _MEMORY, chain_of[stage], cycle, cycle + access)
    return found


def _rows(steps: IntArray, what: int, column: int) -> list[tuple[int, int]]:
    """Return a column and the cycle of the rows of a kind."""
    rows = steps[steps[:, 4] == what]
    return list(zip(rows[:, column].tolist(), rows[:, 0].tolist(), strict=True))


def _joined(spans: list[tuple[float, float]], near: float) -> list[tuple[float, float]]:
    """Return the spans that overlap or nearly touch, as one."""
    found: list[tuple[float, float]] = []
    for start, end in sorted(spans):
        if found and start - found[-1][1] <= near:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found
