"""Switching from one scenario to another: the analysis and the schedule of SBRS-TP, next to naive switching.

Source: minakova-2022 Algorithms 3 and 4. The control node runs in steps; a step may hold one layer of the old and one of the new
scenario, and lasts as long as the longer of the two.

Algorithm 4 counts the new scenario's steps modulo their number. From 1 on, as printed, the index reaches 0, a step that does not
exist. The first author's tool counts from 0 on: after its last step, while the old scenario still runs, the new one begins with its
next input. That is what is done here; the response delay ends with the first output.

Buffers: the printed analysis delays a step only while its *layer* is in use. A buffer that both scenarios use may then be
written by the new one before the old one has read it. `Protocol` "safe" delays such steps too; "printed" does not, and the
application that runs keeps two copies of such a buffer for as long as it switches (`clashes` counts them).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engines.contract.arrays import FloatArray
from engines.methods.sbrs.supergraph import Supergraph

Protocol = Literal["printed", "safe"]
NOTHING = -1


@dataclass(frozen=True)
class ControlStep:
    """One step of the control node: numbers of steps of the old and of the new scenario, from 0 on; -1: none.

    `round` is the input of the new scenario that is worked on, from 0 on.
    """

    old: int
    new: int
    round: int
    start_s: float
    end_s: float


@dataclass(frozen=True)
class Switch:
    """A switch.

    Attributes:
        steps: until the new scenario's first output, and until the old scenario has ended.
        response_s: from the start of the step in which the request came to the first output of the new scenario.
    """

    steps: tuple[ControlStep, ...]
    response_s: float


def analyse(old: Sequence[int], new: Sequence[int]) -> tuple[int, ...]:
    """Run Algorithm 3: least delay in steps between the old scenario's first step and each step of the new one.

    Args:
        old: supergraph layers of the steps of the old scenario.
        new: those of the new one.
    """
    last = {layer: step for step, layer in enumerate(old, start=1)}
    delays, delay = [], 0
    for layer in new:
        delay = max(delay, last.get(layer, 0))
        delays.append(delay)
        delay += 1
    return tuple(delays)


def analyse_switch(supergraph: Supergraph, old: int, new: int, protocol: Protocol = "printed") -> tuple[int, ...]:
    """Run Algorithm 3 for two scenarios of an application; `protocol` "safe" also waits for buffers (see above)."""
    sequences = [[step.layer for step in supergraph.sequences[scenario]] for scenario in (old, new)]
    if protocol == "printed":
        return analyse(*sequences)
    last = {layer: step for step, layer in enumerate(sequences[0], start=1)}
    read = _last_reads(supergraph, old)
    delays, delay = [], 0
    for number, layer in enumerate(sequences[1]):
        waits = [read.get(edge, 0) for edge in _written(supergraph, new, number)]
        delay = max(delay, last.get(layer, 0), *waits)
        delays.append(delay)
        delay += 1
    return tuple(delays)


def schedule(old_s: Sequence[float], new_s: Sequence[float], delays: Sequence[int], request_step: int = 1) -> Switch:
    """Run Algorithm 4.

    Args:
        old_s: time of every step of the old scenario.
        new_s: those of the new one.
        delays: delays of `analyse`.
        request_step: step of the old scenario in which the request comes, from 1 on.

    Raises:
        ValueError: there is no such step.
    """
    _check_step(old_s, request_step)
    steps = [ControlStep(request_step - 1, NOTHING, 0, 0.0, float(old_s[request_step - 1]))]
    now, new, round_ = steps[0].end_s, 0, 0
    response = None
    for place, old in enumerate(range(request_step, len(old_s)), start=2):
        started = round_ > 0 or place >= delays[new] - request_step + 2
        lasts = max(old_s[old], new_s[new]) if started else old_s[old]
        steps.append(ControlStep(old, new if started else NOTHING, round_, now, now + lasts))
        now += lasts
        if started and new == len(new_s) - 1:
            response = now if response is None else response
            new, round_ = 0, round_ + 1
        elif started:
            new += 1
    while response is None:
        steps.append(ControlStep(NOTHING, new, round_, now, now + new_s[new]))
        now += new_s[new]
        new += 1
        response = now if new == len(new_s) else None
    return Switch(tuple(steps), float(response))


def naive(old_s: Sequence[float], new_s: Sequence[float], request_step: int = 1) -> Switch:
    """Return the naive switching: the new scenario begins once the old one has ended."""
    _check_step(old_s, request_step)
    steps, now = [], 0.0
    for number in range(request_step - 1, len(old_s)):
        steps.append(ControlStep(number, NOTHING, 0, now, now + old_s[number]))
        now = steps[-1].end_s
    for number, lasts in enumerate(new_s):
        steps.append(ControlStep(NOTHING, number, 0, now, now + lasts))
        now = steps[-1].end_s
    return Switch(tuple(steps), float(now))


def response_delays(
    supergraph: Supergraph, times_s: Sequence[Sequence[float]], protocol: Protocol = "printed", request_step: int = 1
) -> tuple[FloatArray, FloatArray]:
    """Return the response delays of all pairs under SBRS-TP and under naive switching, shape `s x s`; NaN on the diagonal.

    Args:
        supergraph: supergraph of `s` scenarios.
        times_s: time of every step of every scenario.
        protocol: analysis of the switch.
        request_step: step of the old scenario in which the request comes; the last where it has fewer.
    """
    count = len(supergraph.cnns)
    found, without = np.full((count, count), np.nan), np.full((count, count), np.nan)
    for old in range(count):
        step = min(request_step, len(times_s[old]))
        for new in range(count):
            if old != new:
                delays = analyse_switch(supergraph, old, new, protocol)
                found[old, new] = schedule(times_s[old], times_s[new], delays, step).response_s
                without[old, new] = naive(times_s[old], times_s[new], step).response_s
    return found, without


def clashes(supergraph: Supergraph, old: int, new: int, switch: Switch) -> frozenset[int]:
    """Return the supergraph edges that the new scenario writes in a switch before the old one has read them for the last time.

    Both are counted as clashing in the step in which the one reads and the other writes.
    """
    read = _last_reads(supergraph, old)
    until = {step.old: place for place, step in enumerate(switch.steps) if step.old != NOTHING}
    found = set()
    for place, step in enumerate(switch.steps):
        if step.new == NOTHING:
            continue
        for edge in _written(supergraph, new, step.new):
            if edge in read and until.get(read[edge] - 1, -1) >= place:
                found.add(edge)
    return frozenset(found)


def _last_reads(supergraph: Supergraph, scenario: int) -> dict[int, int]:
    """Return supergraph edge -> number from 1 on of the scenario's last step that reads it."""
    found: dict[int, int] = {}
    for number, (_, target) in enumerate(supergraph.cnns[scenario].edges):
        place = supergraph.edge_of[scenario][number]
        found[place] = max(found.get(place, 0), target + 1)
    return found


def _written(supergraph: Supergraph, scenario: int, number: int) -> list[int]:
    return [supergraph.edge_of[scenario][edge] for edge in supergraph.cnns[scenario].outputs[number]]


def _check_step(old_s: Sequence[float], request_step: int) -> None:
    if not 1 <= request_step <= len(old_s):
        raise ValueError(f"The request must come in a step from 1 to {len(old_s)}. Got {request_step} instead.")
