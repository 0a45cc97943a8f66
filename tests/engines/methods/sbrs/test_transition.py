from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.methods.sbrs.supergraph import Supergraph, derive
from engines.methods.sbrs.transition import (
    NOTHING,
    Switch,
    analyse,
    analyse_switch,
    clashes,
    naive,
    response_delays,
    schedule,
)
from tests.engines.methods.sbrs.cases import adaptive_sets, cnns, example

# Layers l1 to l6 of the supergraph of Figure 7, and times that give the printed delays; the paper draws them only.
TIME_S = {1: 1.0, 2: 2.0, 3: 4.0, 4: 2.0, 5: 1.0, 6: 1.0}
OLD, NEW = (1, 2, 4, 5, 6), (1, 2, 3, 4, 5, 6)
ARRIVAL_S = 0.5

layers = st.lists(st.integers(0, 6), min_size=1, max_size=9)


def times(steps: tuple[int, ...]) -> list[float]:
    return [TIME_S[layer] for layer in steps]


def used(steps: list[int], number: int) -> int | None:
    return None if number == NOTHING else steps[number]


def test_the_analysis_of_figure_8_gives_1_to_6() -> None:
    assert analyse(OLD, NEW) == (1, 2, 3, 4, 5, 6)
    graph = derive(example(), ("I", "O", "par"))
    assert analyse_switch(graph, 0, 1) == (1, 2, 3, 4, 5, 6)


def test_figure_8_ends_after_17_5_and_12_5() -> None:
    without = naive(times(OLD), times(NEW))
    assert without.response_s - ARRIVAL_S == 17.5 and len(without.steps) == 11
    assert all(step.round == 0 for step in without.steps)
    switch = schedule(times(OLD), times(NEW), analyse(OLD, NEW))
    assert switch.response_s - ARRIVAL_S == 12.5
    assert [(step.old, step.new) for step in switch.steps] == [
        (0, -1),
        (1, 0),
        (2, 1),
        (3, 2),
        (4, 3),
        (-1, 4),
        (-1, 5),
    ]


def test_a_short_scenario_begins_its_next_input_while_a_long_one_still_runs() -> None:
    # Algorithm 4 as printed, from 1 on, would start a step 0 here, which does not exist.
    switch = schedule([1.0] * 6, [1.0] * 2, analyse([0, 1, 2, 3, 4, 5], [6, 7]))
    assert [(step.new, step.round) for step in switch.steps] == [(-1, 0), (0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]
    assert switch.response_s == 3.0


def test_a_request_in_the_last_step_is_naive_switching() -> None:
    old, new = [1.0, 2.0], [3.0, 4.0]
    assert schedule(old, new, analyse([0, 1], [0, 1]), 2).response_s == naive(old, new, 2).response_s == 9.0


def test_it_refuses_a_step_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="from 1 to 2"):
        naive([1.0, 1.0], [1.0], 3)


@given(layers, layers, st.data())
def test_one_layer_never_serves_two_scenarios_at_once_and_switching_is_never_later_than_naive(
    old: list[int], new: list[int], data: st.DataObject
) -> None:
    request = data.draw(st.integers(1, len(old)))
    old_s = [0.5 + layer for layer in old]
    new_s = [0.25 + 2.0 * layer for layer in new]
    switch = schedule(old_s, new_s, analyse(old, new), request)
    for step in switch.steps:
        assert used(old, step.old) is None or used(old, step.old) != used(new, step.new)
        lasts = max(old_s[step.old] if step.old != NOTHING else 0, new_s[step.new] if step.new != NOTHING else 0)
        assert step.end_s - step.start_s == pytest.approx(lasts)
    check_order(switch, len(old), len(new), request)
    assert switch.response_s <= naive(old_s, new_s, request).response_s + 1e-9


def check_order(switch: Switch, old: int, new: int, request: int) -> None:
    assert [step.old for step in switch.steps if step.old != NOTHING] == list(range(request - 1, old))
    started = [(step.round, step.new) for step in switch.steps if step.new != NOTHING]
    assert [number for round_, number in started if round_ == 0] == list(range(new))
    assert started == sorted(started) and switch.steps[0].start_s == 0.0
    assert all(before.end_s == after.start_s for before, after in pairwise(switch.steps))


@given(cnns(), adaptive_sets)
def test_the_safe_analysis_leaves_no_buffer_in_danger_and_is_never_earlier(networks: tuple, adaptive: set[str]) -> None:
    graph = derive(networks, adaptive)
    for old in range(len(networks)):
        for new in set(range(len(networks))) - {old}:
            ones = [[1.0] * len(networks[scenario].layers) for scenario in (old, new)]
            safe, printed = (analyse_switch(graph, old, new, name) for name in ("safe", "printed"))
            assert all(a >= b for a, b in zip(safe, printed, strict=True))
            assert schedule(*ones, safe).response_s <= naive(*ones).response_s
            for request in range(1, len(ones[0]) + 1):
                assert not clashes(graph, old, new, schedule(*ones, safe, request))
            for number, delay in enumerate(
                safe
            ):  # no later than needed: the old step before uses what the new one needs
                if delay > (safe[number - 1] + 1 if number else 0):
                    assert meets(graph, (old, delay - 1), (new, number))


def meets(graph: Supergraph, old: tuple[int, int], new: tuple[int, int]) -> bool:
    """Whether a step (scenario, number) uses the layer, or reads a buffer, that another one uses or writes."""
    (scenario, step), (other, later) = old, new
    edges = enumerate(graph.cnns[scenario].edges)
    read = {graph.edge_of[scenario][edge] for edge, (_, target) in edges if target == step}
    written = {graph.edge_of[other][edge] for edge in graph.cnns[other].outputs[later]}
    same = graph.sequences[scenario][step].layer == graph.sequences[other][later].layer
    return same or bool(read & written)


def test_delays_of_all_pairs_and_what_sharing_puts_in_danger() -> None:
    graph = derive(example(), ("I", "O", "par"))
    lasting = [[1.0] * 5, [1.0] * 6]
    found, without = response_delays(graph, lasting)
    assert np.isnan(np.diag(found)).all() and (without[0, 1], without[1, 0]) == (11.0, 11.0)
    assert found[0, 1] == 7.0
    switch = schedule(*lasting, analyse_switch(graph, 0, 1))
    # The new scenario writes e12 in the step in which the old one reads it.
    assert len(clashes(graph, 0, 1, switch)) >= 1
