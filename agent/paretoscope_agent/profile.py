"""Reads onnxruntime's profile: how long each node took, from a JSON list of events in Chrome's format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from paretoscope_agent.errors import MeasurementError

_KERNEL = "_kernel_time"


@dataclass(frozen=True)
class NodeTime:
    """A node of the graph as the runtime executes it, in the order of execution.

    Attributes:
        name: as the runtime calls it; fused nodes have the name of one of theirs.
        operator: "Conv", "Gemm", "ReorderInput".
        provider: provider that executed it.
        time_us: median over the runs.
    """

    name: str
    operator: str
    provider: str
    time_us: float


def read_profile(text: str, warm_up: int = 1) -> tuple[NodeTime, ...]:
    """Return the median time of every node over the runs of a profile.

    Args:
        text: the file.
        warm_up: runs at its beginning that do not count, where there are more.

    Raises:
        MeasurementError: it is not such a profile, or has no node.
    """
    try:
        events = [event for event in json.loads(text) if event.get("cat") == "Node"]
    except (ValueError, AttributeError, TypeError) as error:
        raise MeasurementError("The runtime's profile is not a list of events in JSON.") from error
    times: dict[tuple[str, str], list[float]] = {}
    about: dict[tuple[str, str], tuple[str, str, str]] = {}
    for event in sorted(events, key=lambda event: event.get("ts", 0)):
        name, facts = str(event.get("name", "")), event.get("args", {})
        if name.endswith(_KERNEL):
            key = (name, str(facts.get("node_index", "")))
            times.setdefault(key, []).append(float(event.get("dur", 0)))
            about[key] = (name[: -len(_KERNEL)], str(facts.get("op_name", "")), str(facts.get("provider", "")))
    if not times:
        raise MeasurementError("The runtime's profile has no node.")
    return tuple(NodeTime(*about[key], median(_counted(each, warm_up))) for key, each in times.items())


def _counted(times: Sequence[float], warm_up: int) -> Sequence[float]:
    return times[warm_up:] if len(times) > warm_up else times
