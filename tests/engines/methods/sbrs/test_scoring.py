from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.errors import DecisionError
from engines.contract.limits import minimum_slack
from engines.methods.sbrs.instance import Instance, build_instance
from engines.methods.sbrs.mission import SBRS, fly
from engines.methods.sbrs.scoring import build, decode, encode, running, score, weighted_rank
from engines.methods.sbrs.texts import requirement_sets
from engines.methods.sbrs.transition import analyse_switch, clashes, naive, schedule
from engines.running.inspection import evaluate
from tests.engines.methods.sbrs.problems import found, sbrs_problem


def test_it_scores_every_application() -> None:
    assert len(found()) == 4 * 8
    designs = found({"smallest_set": 1})
    assert len(designs) == 7 * 8
    assert np.isnan(designs.columns["mission_accuracy_percent"]).all()
    alone = designs.columns["networks"] == 1
    assert (designs.columns["response_delay_s"][alone] == 0).all()
    assert (designs.columns["response_delay_s"] <= designs.columns["naive_delay_s"]).all()
    assert (designs.columns["memory_bytes"] <= designs.columns["naive_memory_bytes"] + 1e-12).all()


def test_more_adaptive_attributes_need_no_more_memory_as_in_table_10() -> None:
    memory = {tuple(d["adaptive"]): m for d, m in zip(*_columns(found()), strict=True) if len(d["networks"]) == 3}
    assert memory["I", "O", "par"] <= memory["I", "O"] <= memory[()]


def _columns(designs: Designs) -> tuple[Any, Any]:
    return designs.decisions, designs.columns["memory_bytes"]


@pytest.mark.parametrize(
    "decision", [{}, {"networks": ["tiny"], "adaptive": []}, {"networks": ["small"], "adaptive": ["op"]}]
)
def test_it_refuses_decisions_of_other_problems(decision: Mapping[str, Any]) -> None:
    problem = sbrs_problem()
    with pytest.raises(DecisionError):
        evaluate(problem, [decision])


def instance(**params: object) -> Instance:
    return build_instance(sbrs_problem({"memory_limit_mb": 1.0, **params}))


@pytest.mark.parametrize("request_when", ["first", "mean", "worst"])
def test_scores_of_an_application_by_its_switches(request_when: str) -> None:
    one = instance(request=request_when)
    application = build(one, ((0, 2), ("I", "O", "par")))
    times = [one.networks[number].latency_s for number in (0, 2)]
    assert len(times[0]) < len(times[1])
    reduced = {"first": lambda each: each[0], "mean": np.mean, "worst": max}[request_when]
    delays, without = [], []
    for old, new in ((0, 1), (1, 0)):
        steps = range(1, len(times[old]) + 1)
        analysed = analyse_switch(application.graph, old, new, one.params.protocol)
        delays.append(reduced([schedule(times[old], times[new], analysed, step).response_s for step in steps]))
        without.append(reduced([naive(times[old], times[new], step).response_s for step in steps]))
    found = score(one, ((0, 2), ("I", "O", "par")))
    assert found["response_delay_s"] == pytest.approx(max(delays))
    assert found["naive_delay_s"] == pytest.approx(max(without))
    saved = 50 * (1 - delays[0] / without[0]) + 50 * (1 - delays[1] / without[1])
    assert 0 < saved == pytest.approx(found["delay_saved_percent"])


def test_memory_and_mission_of_an_application() -> None:
    one, candidate = instance(), ((0, 1, 2), ("I", "O", "par"))
    application, found = build(one, candidate), score(one, candidate)
    graph, times = application.graph, [network.latency_s for network in one.networks]
    word = one.bytes_per_element
    naive_bytes = sum(network.cnn.memory_bytes(word) for network in one.networks)
    assert found["memory_bytes"] == graph.memory_bytes(word) < found["naive_memory_bytes"] == naive_bytes
    assert found["memory_saved_percent"] == pytest.approx(100 - 100 * graph.memory_bytes(word) / naive_bytes)
    copies = []
    for old, new in permutations(range(3), 2):
        switch = schedule(times[old], times[new], analyse_switch(graph, old, new, one.params.protocol))
        copies.append(sum(graph.edges[edge].elements for edge in clashes(graph, old, new, switch)))
    assert 0 < found["switch_memory_bytes"] == word * max(copies)
    assert one.mission is not None
    flown = fly(one.mission, running(one, (0, 1, 2)), SBRS)
    assert found["mission_accuracy_percent"] == flown.mean_accuracy_percent
    assert found["mission_life_s"] == flown.life_s
    assert found["mission_over_budget_s"] == flown.outcome.over_budget_s[0]
    assert minimum_slack(one.allowed, found) == pytest.approx(1 - found["memory_bytes"] / 1e6)
    alone = score(one, ((1,), ()))
    assert alone["naive_delay_s"] == alone["delay_saved_percent"] == alone["switch_memory_bytes"] == 0.0


def test_the_weighted_rank_is_the_mean_over_requirement_sets_by_hand() -> None:
    # Ranks of three networks: accuracy 3, 2, 1; throughput 1, 2, 3; memory 1, 2, 3; energy 2, 1, 3.
    values = np.array([[80.0, 30.0, 1.0, 0.2], [85.0, 20.0, 2.0, 0.1], [90.0, 10.0, 3.0, 0.3]])
    sets = requirement_sets("a: 1 0 0 0; b: 0 1 0 0; c: 0.75 0 0 0.25")
    one = replace(instance(), values=values, requirements=sets)
    assert weighted_rank(one, (0, 1)) == pytest.approx((2 + 1 + 1.75) / 3)
    assert weighted_rank(one, (2,)) == pytest.approx((1 + 3 + 1.5) / 3)
    assert weighted_rank(one, (1, 2)) == pytest.approx((1 + 2 + 1.5) / 3)


def test_a_decision_tells_its_application() -> None:
    one, candidate = instance(), ((2, 0), ("I", "par"))
    decision = encode(one, candidate)
    assert decision == {"networks": ["large", "small"], "adaptive": ["I", "par"]}
    assert decode(one, decision) == candidate
    assert decode(one, {"networks": ("small",), "adaptive": ("par", "I")}) == ((0,), ("I", "par"))
    for changes, field in (
        ({"networks": "small"}, "networks"), ({"networks": []}, "networks"), ({"networks": None}, "networks"),
        ({"networks": ["small", "small"]}, "networks"), ({"networks": ["small", "tiny"]}, "networks"),
        ({"adaptive": "I"}, "adaptive"), ({"adaptive": ["I", "no"]}, "adaptive"), ({"adaptive": None}, "adaptive"),
    ):  # fmt: skip
        with pytest.raises(DecisionError) as refused:
            decode(one, {**decision, **changes})
        assert refused.value.field == f"decision.{field}"
