import json

import pytest
import yaml

from engines.methods.sbrs.search.archive import FINAL
from engines.methods.sbrs.search.engine import SbrsSearchEngine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.testing.conformance import designs_of
from engines.workloads.loader import load_scenario
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
