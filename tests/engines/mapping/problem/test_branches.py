"""Networks with branches: what is read later is handed over once per unit, in search, score and pictures alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engines.contract.engine import Document
from engines.contract.results import LayerGraph, Note, Schedule
from engines.mapping.problem.branches import hand_overs
from engines.methods.soc_mapping.problem.instance import instance_of
from engines.running.inspection import evaluate, explain
from engines.testing import conformance
from engines.testing.conformance import TinyProblem
from engines.workloads.loader import load_network
from tests.engines.methods.soc_mapping.problems import (
    every_mapping,
    front_of,
    mapping_problem,
    run,
    searched,
    tiny_network,
)


def branched_network(reads: dict[str, list[int]]) -> Document:
    """The tiny network, with operations that read others than the one before."""
    content = dict(tiny_network().content)
    content["operations"] = [
        {**row, "reads": reads[row["name"]]} if row["name"] in reads else row for row in content["operations"]
    ]
    return Document("workload", "tiny", 1, content)


RESIDUAL = {"block3.add": [6, 1], "block5.add": [10, 1, 3]}
PARALLEL = {"block2.conv": [1], "block3.add": [3, 6]}  # blocks 1 and 2 both read block 0


def test_what_is_read_where_follows_from_the_operations() -> None:
    network = load_network(branched_network(RESIDUAL).content)
    costs = np.arange(1.0, 13.0)[:, None]
    between, _, skips = hand_overs(network.operations, (0, 2, 4, 6, 8, 10), costs, costs)
    assert between[:, 0].tolist() == [2.0, 4.0, 6.0, 8.0, 10.0] and skips is not None
    assert (skips.producer, skips.readers, skips.read_next) == ((0, 1), ((3, 5), (5,)), (True, True))
    assert skips.handover_s[:, 0].tolist() == [2.0, 4.0]
    parallel = load_network(branched_network(PARALLEL).content)
    between, _, skips = hand_overs(parallel.operations, (0, 2, 4, 6, 8, 10), costs, costs)
    assert between[:, 0].tolist() == [2.0, 0.0, 6.0, 8.0, 10.0]  # block 2 reads nothing of block 1
    assert skips is not None and skips.readers == ((2,), (3,)) and skips.read_next == (True, False)


@pytest.mark.parametrize("reads", [RESIDUAL, PARALLEL])
@pytest.mark.parametrize("params", [{}, {"power_limit_w": 6.0, "transition_limit": 3}, {"objectives": "latency_power"}])
def test_the_front_over_a_graph_is_that_of_all_mappings_tried(reads: Any, params: dict[str, Any]) -> None:
    problem = mapping_problem(params, branched_network(reads))
    np.testing.assert_array_equal(front_of(searched(run(problem))), front_of(every_mapping(problem)))


def test_a_graph_costs_more_than_the_list_of_its_operations() -> None:
    decision = {"units": ["gpu", "dla", "dla", "dla", "dla", "dla"]}
    designs = []
    for network in (tiny_network(), branched_network(RESIDUAL), branched_network({"block5.add": [10, 1]})):
        problem = mapping_problem(None, network)
        designs.append(evaluate(problem, [decision]))
    latencies = [float(found.columns["latency_s"][0]) for found in designs]
    # Block 0's result lies on the DLA from block 1 on: reading it again costs nothing.
    assert latencies[0] == latencies[1] == latencies[2]
    away = {"units": ["gpu", "dla", "dla", "gpu", "dla", "gpu"]}
    problem, chain = mapping_problem(None, branched_network(RESIDUAL)), mapping_problem(None, tiny_network())
    graph_s, chain_s = (float(evaluate(each, [away]).columns["latency_s"][0]) for each in (problem, chain))
    skips = instance_of(problem).costs.skips
    assert skips is not None and graph_s - chain_s == pytest.approx(float(skips.handover_s[1, 0]))


def test_pictures_and_remarks_of_a_graph_agree_with_its_figures() -> None:
    problem = mapping_problem(None, branched_network(RESIDUAL))
    tiny = TinyProblem(problem)
    steps = conformance.run_all(tiny)
    designs = conformance.designs_of(steps)
    conformance.check_evaluate(tiny, designs)
    conformance.check_explain(tiny, designs)
    notes = {result.name: result.text for result in steps[-1].results if isinstance(result, Note)}
    assert "2 results skip blocks" in notes["chain"] and notes["exactness"].startswith("No mapping is better")
    away = {"units": ["gpu", "dla", "dla", "gpu", "dla", "gpu"]}
    schedule = next(r for r in explain(problem, away) if isinstance(r, Schedule))
    scored = evaluate(problem, [away])
    assert schedule.bar_end_s.max() == pytest.approx(float(scored.columns["latency_s"][0]))


def test_the_strip_shows_blocks_by_unit_with_their_branches() -> None:
    problem = mapping_problem(None, branched_network(PARALLEL))
    decision = {"units": ["gpu", "dla", "dla", "gpu", "dla", "gpu"]}
    results = explain(problem, decision)
    strip = next(result for result in results if isinstance(result, LayerGraph))
    assert [node.group for node in strip.nodes] == ["GPU", "DLA", "DLA", "GPU", "DLA", "GPU"]
    assert sorted(strip.edges) == [("0", "1"), ("0", "2"), ("1", "3"), ("2", "3"), ("3", "4"), ("4", "5")]


def test_more_results_than_can_be_told_apart_give_a_bound() -> None:
    network = branched_network(
        {f"block{number}.add": [2 * number, *range(1, 2 * number - 2, 2)] for number in range(2, 6)}
    )
    content = dict(network.content)
    content["operations"] = [
        {
            **row,
            "name": f"{copy}{row['name']}",
            **({"reads": [r + 12 * copy for r in row["reads"]]} if "reads" in row else {}),
        }
        for copy in range(2)
        for row in network.content["operations"]
    ]
    join = {"name": "join", "kind": "eltwise", "k": 16, "c": 16, "y": 28, "x": 28, "reads": [23, *range(1, 19, 2)]}
    content["operations"].append(join)
    steps = run(mapping_problem({"granularity": "layers"}, Document("workload", "tiny", 1, content)))
    notes = {result.name: result for result in steps[-1].results if isinstance(result, Note)}
    assert "branches" in notes and "hypervolume this one reaches" in notes["branches"].text
    assert notes["exactness"].text.startswith("The search ignores ") and len(searched(steps))
