"""The schedule of one input that starts every stage: parts on units, and what each waits for."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from engines.contract.results import Lane, Schedule, ScheduleWindow
from engines.methods.map_and_conquer.explain.part_times import PartTimes
from hardware.soc.model import Soc
from hardware.soc.summary import unit_title

_KINDS = ("compute", "transfer")
_COMPUTE, _TRANSFER = range(2)


@dataclass
class _Bars:
    """Rows of (lane, start, end, kind, label) with the labels."""

    rows: list[tuple[int, float, float, int, int]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)

    def add(self, lane: int, start_s: float, end_s: float, kind: int, label: str) -> int:
        """Add one bar and return its index."""
        self.rows.append((lane, start_s, end_s, kind, len(self.labels)))
        self.labels.append(label)
        return len(self.rows) - 1


def stage_schedule(timed: PartTimes) -> Schedule:
    """Return the stages over units with movements; where a unit has no bar, it waits.

    Before a part that waits, the time in which the last of its features is on its way is a bar of its own.
    """
    bars, computing = _Bars(), {}
    for layer, name in enumerate(timed.instance.network.names):
        for stage in range(len(timed.units)):
            end = float(timed.finished_s[stage, layer])
            start = end - float(timed.parts.latency_s[0, stage, layer])
            _moving(timed, bars, stage, layer, start)
            computing[stage, layer] = bars.add(stage, start, end, _COMPUTE, name)
    edges = _edges(timed, computing)
    whole = float(timed.finished_s.max())
    lane, starts, ends, kinds, label = (np.array(column) for column in zip(*bars.rows, strict=True))
    busy = timed.parts.latency_s[0].sum(axis=1) / whole
    lanes = tuple(
        Lane(unit, f"Stage {number}: {unit_title(unit)}", _kind(timed.instance.pricing.model.soc, unit), float(share))
        for number, (unit, share) in enumerate(zip(timed.units, busy, strict=True), start=1)
    )
    return Schedule(
        name="schedule",
        title="Stages over units",
        lanes=lanes,
        windows=(ScheduleWindow("An input that starts every stage", 0.0, whole),),
        models=timed.stage_titles,
        kinds=_KINDS,
        labels=tuple(bars.labels),
        bar_lane=lane,
        bar_start_s=starts,
        bar_end_s=ends,
        bar_kind=kinds,
        bar_model=lane.copy(),
        bar_label=label,
        bar_window=np.zeros(len(lane), np.int64),
        bar_sample=np.full(len(lane), -1),
        dependency_from=np.array([source for source, _ in edges], dtype=np.int64),
        dependency_to=np.array([target for _, target in edges], dtype=np.int64),
        bar_words="one bar is one layer's part, or a movement of features that it waits for",
    )


def _moving(timed: PartTimes, bars: _Bars, stage: int, layer: int, start_s: float) -> None:
    """Add a bar for the transfer that a part waits for, limited to the idle time of its stage."""
    waits = float(timed.waits_s[stage, layer])
    if not waits:
        return
    reuse, moves = timed.population.reuse[0, :stage, layer - 1], timed.parts.transfer_s[0, :stage, layer - 1]
    arrives = np.where(reuse, timed.finished_s[:stage, layer - 1] + moves, -np.inf)
    source = int(arrives.argmax())
    moving = min(waits, float(moves[source]))
    name = timed.instance.network.names[layer - 1]
    bars.add(stage, start_s - moving, start_s, _TRANSFER, f"{name} of stage {source + 1} arrives")


def _edges(timed: PartTimes, computing: dict[tuple[int, int], int]) -> list[tuple[int, int]]:
    """Return arrows from every part to the next of its stage, and to those of later stages that read it."""
    found = []
    stages = len(timed.units)
    for (stage, layer), bar in computing.items():
        if (stage, layer + 1) not in computing:
            continue
        found.append((bar, computing[stage, layer + 1]))
        if timed.population.reuse[0, stage, layer]:
            found += [(bar, computing[other, layer + 1]) for other in range(stage + 1, stages)]
    return found


def _kind(soc: Soc, unit: str) -> str:
    """Return the kind that selects tint, pattern and words of a unit; a DLA has its own although its kind is "npu"."""
    return unit if unit == "dla" else soc.units[unit].kind
