import json

import pytest
import yaml

from engines.contract.errors import DecisionError, ProblemError
from engines.methods.sbrs.search.archive import AS_GIVEN, FINAL
from engines.methods.sbrs.search.engine import SbrsSearchEngine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import evaluate
from engines.running.prepared import ready_of
from engines.workloads.loader import load_scenario
from tests.engines.conformance import designs_of
from tests.engines.methods.sbrs.search.problems import search_problem

pytest.importorskip("torch")


@pytest.fixture(scope="module")
def steps():
    problem = search_problem()
    return list(drive(SbrsSearchEngine(), problem, LocalContext(problem)))


def test_it_ends_with_the_application_of_networks_trained_to_the_end(steps) -> None:
    designs = designs_of(steps)
    finals = [number for number, label in enumerate(designs.label) if label == FINAL]
    assert len(finals) == 2
    assert all(0 <= designs.columns["test_accuracy_percent"][number] <= 100 for number in finals)
    names = {result.name for result in steps[-1].results}
    assert {"requirements", "memory", "supergraph", "components"} <= names
    files = {file.name: file.data for file in steps[-1].files}
    assert {"application.safetensors", "application.json", "scenarios.yaml"} <= set(files)
    scenario = load_scenario(yaml.safe_load(files["scenarios.yaml"]))
    plan = json.loads(files["application.json"])
    assert set(plan["sequences"]) == {model.network.slug for model in scenario.models}


def test_checkpoints_are_small_and_accuracy_is_shown_by_generation(steps) -> None:
    assert all(len(step.checkpoint or b"") < 100_000 for step in steps)
    curves = [result for step in steps for result in step.results if result.name == "accuracy"]
    assert len(curves[-1].series[0].y) == 2


def test_a_network_of_ones_own_is_trained_and_measured() -> None:
    problem = search_problem()
    own = {"clusters": [[[8, 3]], [], [[12, 3]], [], [[16, 3]], [], [[16, 1]]]}
    found = evaluate(problem, [own])
    assert 0 <= found.columns["accuracy_percent"][0] <= 100
    assert found.decisions[0]["test_accuracy_percent"] is not None and found.label == (FINAL,)


def test_an_accuracy_that_was_not_measured_says_so() -> None:
    problem = search_problem()
    told = {"clusters": [[[8, 3]], [], [[12, 3]], [], [[16, 3]], [], [[16, 1]]], "accuracy_percent": 99.0}
    found = evaluate(problem, [told])
    assert found.columns["accuracy_percent"][0] == 99 and found.label == (AS_GIVEN,)


def test_it_refuses_what_it_cannot_search() -> None:
    engine = SbrsSearchEngine()
    with pytest.raises(ProblemError, match="baseline"):
        ready_of(engine, search_problem({"space": "baseline"}))
    problem = search_problem()
    with pytest.raises(DecisionError):
        evaluate(problem, [{"clusters": []}])
