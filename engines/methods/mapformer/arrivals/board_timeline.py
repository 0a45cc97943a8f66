"""A board followed through time while networks come and go.

After every change the manager is asked. Until its answer is there the old mapping continues: networks that left are gone, networks
that came wait. Then every network that got another mapping stands still while its weights are written and read again, and for a
fixed time; the others run on. In between the board is in steady state (`engines.simulation.steady_state`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from engines.contract.arrays import FloatArray
from engines.methods.mapformer.arrivals.answers import Placement, nowhere, part_of
from engines.methods.mapformer.changes import Changes
from engines.methods.mapformer.managers.manager import Task
from engines.simulation.steady_state import steady_state

Answer = Callable[[int], Placement]


@dataclass(frozen=True)
class Move:
    """A mapping that took effect on the board.

    Attributes:
        change: number of the change that it answers.
        time_s: when.
        networks: networks that moved or started.
        longest_s: longest interruption of a network.
    """

    change: int
    time_s: float
    networks: tuple[int, ...]
    longest_s: float


@dataclass
class BoardTimeline:
    """The board over time: values hold from each time to the next; the last time is the end.

    Attributes:
        time_s: ascending, from 0.
        mean_per_s: mean throughput of the networks that are there.
        sum_per_s: total throughput of all networks.
        power_w: power in watts of the board.
        limit_w: infinite where there is none.
        moves: in order of time.
    """

    time_s: list[float] = field(default_factory=list)
    mean_per_s: list[float] = field(default_factory=list)
    sum_per_s: list[float] = field(default_factory=list)
    power_w: list[float] = field(default_factory=list)
    limit_w: list[float] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)

    def seconds(self, end_s: float) -> FloatArray:
        """Return the duration of each value in s."""
        return np.diff([*self.time_s, end_s])

    def violated_s(self, end_s: float) -> float:
        """Return the seconds above the power limit."""
        above = np.array(self.power_w) > np.array(self.limit_w) * (1 + 1e-9)
        return float(self.seconds(end_s)[above].sum())


def still_s(task: Task, weight_bytes: FloatArray, fixed_s: float) -> FloatArray:
    """Return the interruption of a moved network in s, shape `n`: a fixed time, and writing and reading its weights once."""
    return np.asarray(fixed_s + 2 * weight_bytes / task.board.memory_bytes_per_s)


def follow(task: Task, changes: Changes, answer: Answer, answer_s: float, stand_still_s: FloatArray) -> BoardTimeline:
    """Return the timeline with a manager that maps anew after every change.

    Args:
        task: task of the whole mix.
        changes: changes over time.
        answer: number of a change -> what the manager says to it.
        answer_s: seconds from a change until the answer takes effect; one that a further change overtakes is dropped.
        stand_still_s: interruption of a moved network, shape `n`.
    """
    placed, until = nowhere(task), np.zeros(task.space.networks)
    found = BoardTimeline()
    for number, change in enumerate(changes.each):
        last = number + 1 == len(changes.each)
        end_s = changes.end_s if last else changes.each[number + 1].time_s
        answer_at_s = change.time_s + answer_s
        _hold(
            found, task, placed, change.present, change.power_limit_w, until, (change.time_s, min(answer_at_s, end_s))
        )
        if answer_at_s >= end_s:
            continue
        new = answer(number)
        moved = new.moved_from(placed)
        for each in moved:
            until[each] = answer_at_s + stand_still_s[each]
        longest = max((float(stand_still_s[each]) for each in moved), default=0.0)
        found.moves.append(Move(number, answer_at_s, moved, longest))
        placed = new
        _hold(found, task, placed, change.present, change.power_limit_w, until, (answer_at_s, end_s))
    return found


def follow_static(task: Task, changes: Changes, placed: Placement) -> BoardTimeline:
    """Return the timeline with one mapping of the whole mix that never changes."""
    found, until = BoardTimeline(), np.zeros(task.space.networks)
    ends = [*(change.time_s for change in changes.each[1:]), changes.end_s]
    for change, end_s in zip(changes.each, ends, strict=True):
        _hold(found, task, placed, change.present, change.power_limit_w, until, (change.time_s, end_s))
    return found


def _hold(
    found: BoardTimeline, task: Task, placed: Placement, present: Sequence[int], limit_w: float, until: FloatArray,
    span_s: tuple[float, float],
) -> None:  # fmt: skip
    """Add to `found` the state in `span_s` (seconds), during which only networks that keep their mapping run."""
    begin_s, end_s = span_s
    times = [begin_s, *sorted({float(each) for each in until if begin_s < each < end_s})]
    for time_s in times if end_s > begin_s else []:
        running = [each for each in present if each in placed.networks and until[each] <= time_s]
        total, power = _state(task, placed, running)
        found.time_s.append(time_s)
        found.mean_per_s.append(total / len(present))
        found.sum_per_s.append(total)
        found.power_w.append(power)
        found.limit_w.append(limit_w)


def _state(task: Task, placed: Placement, running: Sequence[int]) -> tuple[float, float]:
    """Return the frames per second of all networks together, and power; units that are on always draw idle power."""
    if running:
        steady = steady_state(part_of(task.board, running), placed.of(running))
        return float(steady.throughput_per_s[0].sum()), float(steady.power_w[0])
    idle = task.board.idle_w[task.board.rows_of(placed.steps)].sum()
    return 0.0, float(task.board.memory_idle_w + idle)
