"""A switch as a picture: SBRS-TP in two lanes, naive switching in one below them, on one axis of time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.results import Lane, Schedule, ScheduleWindow
from engines.methods.sbrs.cnn import TimedCnn
from engines.methods.sbrs.supergraph import Supergraph
from engines.methods.sbrs.transition import NOTHING, Protocol, Switch, analyse_switch, naive, schedule

Bar = tuple[int, float, float, int, str]


def switch_schedule(
    graph: Supergraph, networks: Sequence[TimedCnn], old: int, new: int, protocol: Protocol = "printed"
) -> Schedule:
    """Both ways of switching from `old` to `new`, asked for in the first step.

    Bars last as long as their layer; a step lasts as long as its longer bar. Layers that cost nothing have no bar.
    """
    before, after = networks[old], networks[new]
    delays = analyse_switch(graph, old, new, protocol)
    planned = schedule(before.latency_s, after.latency_s, delays)
    without = naive(before.latency_s, after.latency_s)
    bars = [*_bars(planned, before, after, (0, 1)), *_bars(without, before, after, (2, 2))]
    labels = sorted({bar[4] for bar in bars})
    titles = {
        "old": f"SBRS-TP: {before.cnn.name}",
        "new": f"SBRS-TP: {after.cnn.name}",
        "both": "Naive: one after the other",
    }
    lanes = tuple(
        Lane(name, title, "gpu", _busy(bars, lane, without.response_s))
        for lane, (name, title) in enumerate(titles.items())
    )
    columns = list(zip(*bars, strict=True))
    count = len(bars)
    return Schedule(
        name="schedule",
        title=f"Switch from {before.cnn.name} to {after.cnn.name}: SBRS-TP answers after {1e3 * planned.response_s:.3g} ms, "
        f"naive switching after {1e3 * without.response_s:.3g} ms",
        lanes=lanes,
        windows=(ScheduleWindow("Switch", 0.0, max(bar[2] for bar in bars)),),
        models=(before.cnn.name, after.cnn.name),
        kinds=("compute",),
        labels=tuple(labels),
        bar_lane=np.array(columns[0], dtype=np.int64),
        bar_start_s=np.array(columns[1]),
        bar_end_s=np.array(columns[2]),
        bar_kind=np.zeros(count, np.int64),
        bar_model=np.array(columns[3], dtype=np.int64),
        bar_label=np.array([labels.index(label) for label in columns[4]], dtype=np.int64),
        bar_window=np.zeros(count, np.int64),
        bar_sample=np.full(count, -1),
        bar_words="one bar is one layer",
    )


def _bars(switch: Switch, before: TimedCnn, after: TimedCnn, lanes: tuple[int, int]) -> list[Bar]:
    found = []
    for step in switch.steps:
        for model, (network, number) in enumerate(((before, step.old), (after, step.new))):
            if number == NOTHING or not network.latency_s[number]:
                continue
            words = network.cnn.layers[number].name
            if model and step.round:
                words = f"{words} (next input)"
            end = step.start_s + network.latency_s[number]
            found.append((lanes[model], step.start_s, end, model, f"{network.cnn.name} {words}"))
    return found


def _busy(bars: Sequence[Bar], lane: int, whole_s: float) -> float:
    return min(1.0, sum(bar[2] - bar[1] for bar in bars if bar[0] == lane) / whole_s)
