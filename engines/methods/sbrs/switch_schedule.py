"""A switch as a picture: SBRS-TP in two lanes, naive switching in one below them, on one axis of time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.results import Lane, Schedule, ScheduleWindow
from engines.contract.schedules import Bar, busy_shares, schedule_of
from engines.methods.sbrs.cnn import TimedCnn
from engines.methods.sbrs.supergraph import Supergraph
from engines.methods.sbrs.transition import NOTHING, Protocol, Switch, analyse_switch, naive, schedule


def switch_schedule(
    graph: Supergraph, networks: Sequence[TimedCnn], old: int, new: int, protocol: Protocol = "printed"
) -> Schedule:
    """Return both ways of switching from `old` to `new`, asked for in the first step.

    Bars last as long as their layer; a step lasts as long as its longer bar. Layers that cost nothing have no bar.
    """
    before, after = networks[old], networks[new]
    delays = analyse_switch(graph, old, new, protocol)
    planned = schedule(before.latency_s, after.latency_s, delays)
    without = naive(before.latency_s, after.latency_s)
    bars = [*_bars(planned, before, after, (0, 1)), *_bars(without, before, after, (2, 2))]
    titles = {
        "old": f"SBRS-TP: {before.cnn.name}",
        "new": f"SBRS-TP: {after.cnn.name}",
        "both": "Naive: one after the other",
    }
    busy = np.minimum(busy_shares(bars, len(titles), without.response_s), 1.0).tolist()
    lanes = [Lane(name, title, "gpu", busy[lane]) for lane, (name, title) in enumerate(titles.items())]
    names = (before.cnn.name, after.cnn.name)
    title = f"Switch from {names[0]} to {names[1]}: SBRS-TP answers after {1e3 * planned.response_s:.3g} ms, "
    title += f"naive switching after {1e3 * without.response_s:.3g} ms"
    window = ScheduleWindow("Switch", 0.0, max(bar.end_s for bar in bars))
    return schedule_of(bars, lanes, (window,), names, title=title, bar_words="one bar is one layer")


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
            found.append(Bar(lanes[model], step.start_s, end, f"{network.cnn.name} {words}", model=model))
    return found
