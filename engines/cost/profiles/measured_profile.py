"""A runtime's profile as measured lines of a network: which operations each node is, and what nodes without a name belong to.

Files of `engines.workloads.runnable` name their nodes by operations. A runtime fuses them (a convolution with what is folded into
it has the name of the last, an addition with the normalisation after it has none), and puts in nodes of its own (other layouts).
A node of its own counts with the operation before it; operations that no node names count with the next one that has a node.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines.contract.errors import ProblemError
from engines.cost.calibration.files import LayerMeasurement
from engines.cost.calibration.runtime_names import node_names
from engines.cost.soc.operations import OperationTable, operation_table
from engines.workloads.network import Network
from engines.workloads.runnable.graph import distinct_names

# Fused nodes that onnxruntime leaves without a name: ending of the operator -> kind of the operation that it is.
_NAMELESS = {"LayerNormalization": "norm", "FusedGemm": "gemm"}
# A change from the runtime's blocked layout into the plain one is for the operation that comes next, as that one has no blocked
# kernel; a change back is of the one before, for the same reason.
_FOR_THE_NEXT = "ReorderOutput"
# Lines that take less than both are left to the whole network: a clock's tick is a microsecond.
_LEAST_US, _LEAST_SHARE = 5.0, 0.002
# Lines count by their share of the network's time: all of them together as much as the whole, so that a fit to many short ones does
# not spoil the few that the latency is made of.
_WHOLE_DEVIATION = 0.05


@dataclass(frozen=True)
class Profile:
    """The measured profile of a network.

    Attributes:
        network: slug of the network.
        latency_s: median latency of the whole network in s.
        nodes: name, operator and time in microseconds of each node, in the order of execution.
        role: "fitted" if a calibration is fitted to it, "predicted" if it is held out.
    """

    network: str
    latency_s: float
    nodes: tuple[tuple[str, str, float], ...]
    role: str = "fitted"

    @classmethod
    def of(cls, network: str, result: Mapping[str, Any], role: str = "fitted") -> Profile:
        """Make a profile from the answer of an agent."""
        nodes = tuple((str(node["name"]), str(node["operator"]), float(node["time_us"])) for node in result["nodes"])
        return cls(network, float(result["latency_s"]["median"]), nodes, role)


@dataclass(frozen=True)
class OperationTime:
    """Operations that one node, or several, executed: places in the network's table, kinds of those that run, seconds."""

    places: tuple[int, ...]
    latency_s: float


def operation_times(profile: Profile, network: Network) -> list[OperationTime]:
    """Return the time of each operation that runs, or of several together; the sum is the latency of the profile.

    Raises:
        ProblemError: operations of the network name less than half of the time, so the profile belongs to another network.
    """
    table = operation_table(network.operations)
    spent, named_us = _spent(profile, table)
    total_us = sum(time for _, _, time in profile.nodes)
    if not total_us or named_us < total_us / 2:
        got = f"{named_us:.0f} of {total_us:.0f} µs"
        raise ProblemError("nodes", got, f"a profile whose nodes are operations of {profile.network}")
    factor = profile.latency_s / total_us
    found: list[OperationTime] = []
    waiting: list[int] = []
    for place, runs in enumerate(table.runs):
        if runs:
            waiting.append(place)
        if place in spent:
            found.append(OperationTime(tuple(waiting) or (place,), spent[place] * factor))
            waiting = []
    if waiting and found:
        last = found.pop()
        found.append(OperationTime((*last.places, *waiting), last.latency_s))
    return found


def measured_lines(profile: Profile, network: Network, unit: str = "cpu") -> list[LayerMeasurement]:
    """Return the lines of a profile with a significant time, equal ones once, followed by that of the whole network."""
    table = operation_table(network.operations)
    least_s = max(_LEAST_US / 1e6, _LEAST_SHARE * profile.latency_s)
    seen: dict[tuple[Any, ...], list[OperationTime]] = {}
    for one in operation_times(profile, network):
        places = tuple(place for place in one.places if table.runs[place])
        if places and one.latency_s >= least_s:
            seen.setdefault(_work(table, places), []).append(OperationTime(places, one.latency_s))
    lines = [
        LayerMeasurement(
            tuple(table.names[place] for place in alike[0].places),
            unit,
            1e3 * sum(each.latency_s for each in alike) / len(alike),
            workload=profile.network,
            line=number,
            deviation=_WHOLE_DEVIATION / math.sqrt(sum(each.latency_s for each in alike) / profile.latency_s),
        )
        for number, alike in enumerate(seen.values(), start=1)
    ]
    whole = LayerMeasurement(
        (), unit, 1e3 * profile.latency_s, workload=profile.network, line=len(lines) + 1, deviation=_WHOLE_DEVIATION
    )
    return [*lines, whole]


def _spent(profile: Profile, table: OperationTable) -> tuple[dict[int, float], float]:
    """Return index -> microseconds of operations that run, and the microseconds of all nodes with a name."""
    places = _places(table.names)
    spent: dict[int, float] = {}
    at, named_us, ahead_us = -1, 0.0, 0.0
    for name, operator, time_us in profile.nodes:
        place = next((places[each] for each in node_names(name) if each in places), None)
        for ending, kind in _NAMELESS.items() if place is None else ():
            place = _next_of_kind(table, kind, at, spent) if operator.endswith(ending) else place
        if place is not None:
            at, named_us = _running(table, place), named_us + time_us
        elif operator == _FOR_THE_NEXT:
            ahead_us += time_us
            continue
        first = at if at >= 0 else _running(table, int(table.runs.argmax()))
        spent[first] = spent.get(first, 0.0) + time_us + ahead_us
        ahead_us = 0.0
    if ahead_us and at >= 0:
        spent[at] += ahead_us
    return spent, named_us


def _places(names: Sequence[str]) -> dict[str, int]:
    """Return name -> index; a repeated name has the number that the file of the network appends."""
    return {name: place for place, name in enumerate(distinct_names(names))}


def _running(table: OperationTable, place: int) -> int:
    """Return the index of the running operation into which the operation at `place` is fused."""
    while place > 0 and not table.runs[place]:
        place -= 1
    return place


def _next_of_kind(table: OperationTable, kind: str, after: int, spent: Iterable[int]) -> int | None:
    taken = set(spent)
    return next((p for p in range(after + 1, len(table)) if table.kinds[p] == kind and p not in taken), None)


def _work(table: OperationTable, places: tuple[int, ...]) -> tuple[Any, ...]:
    """Return the key under which lines of equal work are joined."""
    columns = (table.kinds, table.macs, table.activation_elements, table.weight_elements, table.launches)
    return tuple(tuple(column[place] for column in columns) for place in places)
