"""Runs of the engine, beyond what all engines keep."""

import numpy as np
import pytest

from engines.contract.errors import DecisionError, ProblemError
from engines.contract.results import LayerGraph, Note, Trace
from engines.methods.duet.engine import DuetEngine
from engines.methods.duet.instance import instance_of
from engines.methods.duet.quantities import QUANTITIES, chosen_objectives
from engines.methods.duet.scoring import Scorer
from engines.methods.duet.search import front_of
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import explain
from engines.testing.conformance import check_impossible, designs_of, run_all
from tests.engines.methods.duet.problems import SMALL, duet_problem, instance, tiny


def test_the_front_is_that_of_all_designs_one_against_one() -> None:
    problem = tiny().problem
    ready = instance_of(problem)
    columns = Scorer(ready).columns(ready.space.every)
    matrix = np.column_stack([columns[name] for name in chosen_objectives(problem.params)])
    better = (matrix[:, None] <= matrix[None]).all(axis=2) & (matrix[:, None] < matrix[None]).any(axis=2)
    expected = {tuple(row) for row in matrix[~better.any(axis=0)]}
    assert {
        tuple(row) for row in matrix[front_of(columns, np.ones(len(matrix), dtype=bool), problem.params)]
    } == expected
    designs = designs_of(run_all(tiny()))
    told = designs.matrix(chosen_objectives(problem.params))[designs.front(QUANTITIES)]
    assert {tuple(row) for row in told} == expected


def test_every_combination_is_tried_once() -> None:
    ready = instance(history_share=1.0, memory="scratchpad", query_size=16)
    layers_and_ratios = 1 + 2 * 10  # without split layers there is one ratio
    assert len(ready.space.every) == 2 * layers_and_ratios * 8 * 2
    assert len(np.unique(ready.space.every, axis=0)) == len(ready.space.every)
    both = instance(history_share=1.0, query_size=16, edge_near_memory="recnmp")
    assert len(both.space.every) == 3 * len(ready.space.every)  # with the scratchpad, and in DRAM with and without


def test_a_run_says_that_every_design_was_compared_and_what_is_assumed() -> None:
    problem = duet_problem({**tiny().problem.params.model_dump(), "edge_energy": "published"}, seed=3)
    steps = list(drive(DuetEngine(), problem, LocalContext(problem)))
    notes = {each.name: each for step in steps for each in step.results if isinstance(each, Note)}
    assert notes["proof"].role == "proof" and {"edge-energy", "accuracy", "model"} <= notes.keys()
    names = {each.name for each in steps[-1].results}
    assert {"latency-of-models", "energy-of-models", "batches", "link", "battery", "hand-over"} <= names


def test_by_default_a_phone_draws_its_power_and_a_query_waits_for_the_network() -> None:
    scorer = Scorer(instance(model="rm2"))
    columns, link = scorer.columns(scorer.published), scorer.instance.link
    computing_j = columns["edge_energy_j"] - [link.energy_j(each) for each in columns["payload_bytes"]]
    computing_s = columns["edge_s"] - [link.seconds(each) for each in columns["payload_bytes"]]
    assert (computing_j / computing_s).tolist() == pytest.approx([3.5, 3.5])
    assert columns["latency_s"].min() > 0.03 == link.delay_s


def test_a_design_shows_its_sides_what_crosses_and_the_battery() -> None:
    ready = instance(model="rm3")
    scorer = Scorer(ready)
    results = explain(duet_problem({"model": "rm3"}), scorer.decision(scorer.published[0].tolist()))
    graph = next(each for each in results if isinstance(each, LayerGraph))
    groups = {node.group for node in graph.nodes}
    assert groups == {"Device, every query", "Device, remembered", "Datacentre, every candidate"}
    assert ("upload", "join") in graph.edges
    battery = next(each for each in results if isinstance(each, Trace))
    assert battery.series[0].y[-1] < battery.series[0].y[0] and (battery.series[1].y <= battery.series[0].y).all()


def test_what_is_impossible_says_the_nearest() -> None:
    found = check_impossible(tiny())
    assert found.unit == "J" and any(field == "params.edge_energy_limit_j" for _, field in found.remedies)


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"model": "own", "own_bottom_mlp": "128-64-30"}, "bottom_mlp"),
        ({"model": "own", "own_bottom_mlp": "128-x"}, "own_bottom_mlp"),
        ({"model": "own", "own_top_mlp": "256-64-3"}, "top_mlp"),
        ({"model": "own", "own_item_tables": 0}, "tables"),
        ({"model": "own", "own_yaml": "title: [\n"}, "line"),
        ({"model": "own", "own_yaml": SMALL.replace("lookups: 5", "lookups: five")}, "tables.0.lookups"),
        ({"model": "own", "own_yaml": SMALL.replace("lookups: 5", "lookups: 05")}, r"line \d+, .*lookups: must be 5, or"),
        ({"model": "own", "own_yaml": SMALL.replace("[12, 6, 1]", "[12, 1, 1]")}, "top_mlp"),
        ({"scratchpad_kib": 0.5}, "scratchpad_kib.*KiB"),
        ({"history_share": 1.0, "scratchpad_kib": 10, "quantise": False}, "60 KiB"),
        ({"latency_limit_s": 1e-6, "delay_ms": 0.0}, "upload_mbps.*Mbit/s"),
        ({"latency_limit_s": 1e-3, "delay_ms": 2.0}, "delay_ms"),
        ({"aim_latency": False, "aim_edge_energy": False, "aim_datacentre_energy": False, "aim_area": False,
          "aim_accuracy": False}, "must be on, unless another objective is on"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(params: dict[str, object], words: str) -> None:
    with pytest.raises(ProblemError, match=words):
        instance_of(duet_problem(params))


def test_near_memory_processing_beside_a_scratchpad_is_no_design() -> None:
    ready = instance(edge_near_memory="any")
    decision = {**Scorer(ready).decision(ready.space.every[-1].tolist()), "hardware": True, "edge_near_memory": "trim"}
    with pytest.raises(DecisionError, match="in the scratchpad"):
        Scorer(ready).row_of(decision)


def test_a_history_longer_than_the_scratchpad_is_no_design() -> None:
    ready = instance(scratchpad_kib=30.0)
    scorer = Scorer(ready)
    decision = {**scorer.decision(ready.space.every[-1].tolist()), "history": 1.0, "hardware": True}
    with pytest.raises(DecisionError, match="history"):
        scorer.row_of({**decision, "tables_precision": "fp32"})
    assert scorer.row_of({**decision, "tables_precision": "int8"})
