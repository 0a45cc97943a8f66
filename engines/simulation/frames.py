"""Frame by frame: a discrete-event simulation of one mapping, the judge of `engines.simulation.steady_state`.

Every frame goes through the stages of its network: for each segment first its bytes through the memory, then its layers on the
unit. A resource does one stage at a time, to the end. Of the networks whose frames wait for it, it takes the one that is furthest
behind: least finished frames times D[n] / weight. Some frames of a network are under way at a time, so that its stages work at the
same time.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from engines.contract.arrays import FloatArray
from engines.simulation.board import Board, Mappings

_UNDER_WAY = 4  # frames for each stage
_MOST_EVENTS = 400_000


@dataclass(frozen=True)
class _Stage:
    resource: int
    seconds: float


@dataclass
class _Pipeline:
    """A network: its stages, and where its frames are."""

    stages: tuple[_Stage, ...]
    step: float  # by which a finished frame brings it forward
    period_s: float
    waiting: list[int]  # frames before each stage
    finished: int = 0
    came: int = 0
    counted: int = 0

    @property
    def behind(self) -> float:
        return self.finished * self.step


@dataclass
class _Simulation:
    """Resources, pipelines and what happens next."""

    pipelines: list[_Pipeline]
    busy: list[tuple[int, int] | None]
    now: float = 0.0
    events: list[tuple[float, int, int]] = field(default_factory=list)  # time, resource or -1 - pipeline, order
    order: int = 0

    def later(self, seconds: float, what: int) -> None:
        self.order += 1
        heapq.heappush(self.events, (self.now + seconds, what, self.order))

    def start(self) -> None:
        """Give work to every resource that has none."""
        for resource, held in enumerate(self.busy):
            if held is not None:
                continue
            able = [
                (pipeline.behind, -stage, number)
                for number, pipeline in enumerate(self.pipelines)
                for stage, each in enumerate(pipeline.stages)
                if each.resource == resource and pipeline.waiting[stage]
            ]
            if able:
                _, minus_stage, number = min(able)
                self.pipelines[number].waiting[-minus_stage] -= 1
                self.busy[resource] = (number, -minus_stage)
                self.later(self.pipelines[number].stages[-minus_stage].seconds, resource)

    def end(self, resource: int) -> None:
        """Finish the stage at hand: its frame continues, and a finished one makes room for a new one."""
        held = self.busy[resource]
        assert held is not None  # events are of busy resources
        number, stage = held
        self.busy[resource] = None
        pipeline = self.pipelines[number]
        if stage + 1 < len(pipeline.stages):
            pipeline.waiting[stage + 1] += 1
            return
        pipeline.finished += 1
        if not pipeline.period_s:
            pipeline.waiting[0] += 1


def frame_by_frame(board: Board, mapping: Mappings, frames: int = 300) -> FloatArray:
    """Return the frames per second of every network under the first of `mapping`, shape `n`.

    Args:
        board: units and networks.
        mapping: one that can run.
        frames: number of frames of the slowest network, of which the first third is ignored.
    """
    pipelines = [_pipeline(board, mapping, number) for number in range(len(board.networks))]
    simulation = _Simulation(pipelines, [None] * board.resources)
    for number, pipeline in enumerate(pipelines):
        if pipeline.period_s:
            simulation.later(pipeline.period_s, -1 - number)
        else:
            pipeline.waiting[0] = _UNDER_WAY * len(pipeline.stages)
    begin_s, done = 0.0, 0
    simulation.start()
    while simulation.events and min(each.finished for each in pipelines) < frames and done < _MOST_EVENTS:
        simulation.now, what, _ = heapq.heappop(simulation.events)
        if what >= 0:
            simulation.end(what)
        else:
            pipelines[-1 - what].waiting[0] += 1
            simulation.later(pipelines[-1 - what].period_s, what)
        simulation.start()
        done += 1
        if not begin_s and (min(each.finished for each in pipelines) >= frames // 3 or done == _MOST_EVENTS // 3):
            begin_s = simulation.now
            for each in pipelines:
                each.counted = each.finished
    return np.array([(each.finished - each.counted) / (simulation.now - begin_s) for each in pipelines])


def _pipeline(board: Board, mapping: Mappings, number: int) -> _Pipeline:
    network = board.networks[number]
    ends, units = mapping.ends[0, number].tolist(), mapping.units[0, number].tolist()
    stages: list[_Stage] = []
    before = -1
    for (start, end), unit in zip(pairwise([0, *ends]), units, strict=True):
        if end == start:
            continue
        clock = int(mapping.steps[0, unit]) - 1
        seconds = float(network.latency_s[unit][start:end, clock].sum())
        moved = float(network.moved_bytes[start:end].sum())
        if before not in (-1, unit):
            handed = float(network.cut_bytes[start])
            seconds += board.cut_s + 2 * handed / board.memory_bytes_per_s
            moved += 2 * handed
        stages += [_Stage(len(board.units), moved / board.memory_bytes_per_s), _Stage(unit, seconds)]
        before = unit
    needs = np.bincount([each.resource for each in stages], [each.seconds for each in stages])
    period = 0.0 if np.isinf(network.most_per_s) else 1 / network.most_per_s
    return _Pipeline(tuple(stages), float(needs.max()) / network.weight, period, [0] * len(stages))
