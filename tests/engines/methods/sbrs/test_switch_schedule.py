from __future__ import annotations

import pytest

from engines.methods.sbrs.cnn import TimedCnn
from engines.methods.sbrs.supergraph import derive
from engines.methods.sbrs.switch_schedule import switch_schedule
from engines.methods.sbrs.transition import analyse_switch, naive, schedule
from tests.engines.methods.sbrs.cases import example


def test_both_ways_of_switching_stand_on_one_axis_and_end_with_their_answers() -> None:
    networks = [TimedCnn(cnn, (1.0,) * len(cnn.layers), (1.0,) * len(cnn.layers)) for cnn in example()]
    graph = derive(example(), ("I", "O", "par"))
    shown = switch_schedule(graph, networks, 0, 1)
    old, new = networks[0].latency_s, networks[1].latency_s
    assert [lane.id for lane in shown.lanes] == ["old", "new", "both"]
    assert shown.bar_end_s[shown.bar_lane == 2].max() == pytest.approx(naive(old, new).response_s)
    planned = schedule(old, new, analyse_switch(graph, 0, 1))
    assert shown.bar_end_s[shown.bar_lane == 1].max() >= planned.response_s
    assert (shown.bar_lane == 2).sum() == len(old) + len(new), "one bar per layer, one after the other"
