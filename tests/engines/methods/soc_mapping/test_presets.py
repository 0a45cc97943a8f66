"""The ready-made problems of the form."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.engine import Preset, Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import plan as plan_of
from engines.running.prepared_problems import ready_of
from tests.engines.methods.soc_mapping.problems import mapping_problem

ENGINE = get_engine("soc-mapping")


def problem_of(ready: Preset) -> Problem:
    documents = {slot: get_builtin(ENGINE.inputs[slot].kind, slug) for slot, slug in ready.inputs.items()}
    return make_problem(ENGINE.name, documents, ready.params)


@pytest.mark.parametrize("ready", ENGINE.presets, ids=lambda ready: ready.name)
def test_each_runs(ready: Preset) -> None:
    problem = problem_of(ready)
    ready_of(ENGINE, problem)
    assert all(check.ok for check in plan_of(problem).checks)


def test_the_form_opens_with_inputs_whose_best_mapping_uses_two_units() -> None:
    usual = {slot: kind.preferred for slot, kind in ENGINE.inputs.items() if kind.preferred}
    assert usual == {"hardware": "three-dataflow-accelerators-sums-kept", "workload": "resnet50"}
    (layers,) = (ready for ready in ENGINE.presets if ready.inputs == usual)
    for ready, least in ((layers, 5), (Preset("usual", "As the form opens", usual), 2)):
        problem = problem_of(ready)
        steps = drive(ENGINE, problem, LocalContext(problem))
        designs = Designs.concatenate([step.designs for step in steps if step.designs is not None])
        metric, searched = designs.columns[ENGINE.primary_metric(problem)], np.array(designs.origin) == "search"
        best = int(np.where(searched, metric, np.inf).argmin())
        blocks = Counter(designs.decisions[best]["units"])
        assert min(blocks["dsa-d"], blocks["dsa-y"]) >= least and blocks["dsa-d"] >= 10
        alone = [row for row, label in enumerate(designs.label) if label.endswith(" alone")]
        assert len(alone) == 3 and metric[best] <= 0.45 * metric[alone].min()


def test_within_a_limit_on_latency_the_best_is_that_of_least_energy() -> None:
    assert ENGINE.primary_metric(mapping_problem()) == "edp_js"
    assert ENGINE.primary_metric(mapping_problem({"latency_slack_percent": 10})) == "energy_j"
    assert ENGINE.primary_metric(mapping_problem({"latency_limit_s": 0.05})) == "energy_j"
    power = {"latency_limit_s": 0.05, "objectives": "latency_power"}
    assert ENGINE.primary_metric(mapping_problem(power)) == "edp_js"
