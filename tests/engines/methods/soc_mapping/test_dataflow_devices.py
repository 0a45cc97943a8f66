"""Mapping to accelerators whose costs follow from their dataflows."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.engine import Step
from engines.contract.errors import ProblemError
from engines.contract.results import Breakdown, Schedule
from engines.documents.builtin import builtin_documents
from engines.mapping.solver.unit_mapping import FrontSearch, MappingLimits
from engines.methods.magnas.search.accelerators import AS_MAESTRO, KEPT, WORKLOAD, accelerator_costs
from engines.methods.soc_mapping.problem.instance import instance_of
from engines.running.inspection import explain
from engines.running.prepared_problems import ready_of
from engines.testing import conformance
from engines.testing.conformance import TinyProblem
from tests.engines.methods.soc_mapping.dataflows_for_tests import ENGINE, steps_of
from tests.engines.methods.soc_mapping.problems import mapping_problem, tiny_network

HEAD = "network,layer,unit,latency_s,energy_j\n"


def designs_of(steps: tuple[Step, ...]) -> Designs:
    return Designs.concatenate([step.designs for step in steps if step.designs is not None])


@pytest.mark.parametrize("device", [AS_MAESTRO, KEPT])
@pytest.mark.parametrize("granularity", ["blocks", "layers"])
def test_a_run_finds_the_front_of_the_reproduction(device: str, granularity: Literal["blocks", "layers"]) -> None:
    front = FrontSearch(accelerator_costs(granularity, device), MappingLimits()).front([0])
    designs = designs_of(steps_of(device, granularity))
    rows = [row for row, origin in enumerate(designs.origin) if origin == "search"]
    np.testing.assert_allclose(np.sort(designs.columns["latency_s"][rows]), np.sort(front.scores.latency_s))
    np.testing.assert_allclose(np.sort(designs.columns["energy_j"][rows]), np.sort(front.scores.energy_j))
    assert [label for label in designs.label if label] == ["DSA-k alone", "DSA-y alone", "DSA-d alone"]


def test_a_mapping_is_explained_with_its_layers_and_without_files_of_a_runtime() -> None:
    problem = mapping_problem({"granularity": "layers"}, WORKLOAD, hardware=KEPT)
    designs = designs_of(steps_of(KEPT, "layers"))
    row = max(range(len(designs)), key=lambda row: designs.columns["transitions"][row])
    results = {result.name: result for result in explain(problem, designs.decisions[row])}
    schedule, layers = results["schedule"], results["layer-latency"]
    assert isinstance(schedule, Schedule) and isinstance(layers, Breakdown)
    assert [lane.title for lane in schedule.lanes] == ["DSA-k", "DSA-y", "DSA-d"]
    assert {lane.kind for lane in schedule.lanes} == {"npu"}  # a dataflow's name would stand beside the unit's
    assert layers.values.sum() == pytest.approx(designs.columns["latency_s"][row]) == schedule.bar_end_s.max()
    assert "clocks.txt" in results and "tensorrt-devices.json" not in results


def test_an_ideal_array_costs_what_the_device_with_kept_sums_costs() -> None:
    as_maestro, kept = (
        ready_of(ENGINE, mapping_problem(params, WORKLOAD, hardware=device)).highest.costs
        for device, params in ((AS_MAESTRO, {"cost_model": "ideal-array"}), (KEPT, {}))
    )
    np.testing.assert_array_equal(as_maestro.latency_s, kept.latency_s)
    np.testing.assert_array_equal(as_maestro.energy_j, kept.energy_j)


def test_the_cost_model_is_named_and_a_table_must_have_all_layers() -> None:
    problem = mapping_problem({"cost_model": "ideal-array"}, WORKLOAD, hardware=AS_MAESTRO)
    assert "partial sums that stay in the array" in ENGINE.estimator(problem)[0]
    problem = mapping_problem({"cost_model": "table", "cost_table": HEAD}, WORKLOAD, hardware=AS_MAESTRO)
    with pytest.raises(ProblemError, match="no rows for"):
        ready_of(ENGINE, problem)


def test_a_device_with_a_calibration_keeps_its_own_costs() -> None:
    problem = mapping_problem({"cost_model": "ideal-array"}, "resnet50", hardware="jetson-agx-xavier")
    with pytest.raises(ProblemError, match="come from measurements") as error:
        ready_of(ENGINE, problem)
    assert (error.value.field, error.value.accepted) == ("params.cost_model", "dataflow")


def test_a_calibration_does_not_fit_accelerators_with_a_dataflow() -> None:
    problem = mapping_problem({}, WORKLOAD, hardware=AS_MAESTRO, calibration="xavier-magnas")
    with pytest.raises(ProblemError, match="follow from the dataflow"):
        ready_of(ENGINE, problem)


def test_stop_and_resume_give_what_an_unbroken_run_gives() -> None:
    params = {"method": "nsga2", "evaluations": 90, "population": 20}
    impossible = {"latency_limit_s": 1e-12}
    tiny = TinyProblem(
        mapping_problem(params, tiny_network(), seed=2, hardware=AS_MAESTRO),
        mapping_problem(impossible, tiny_network(), seed=2, hardware=AS_MAESTRO),
    )
    unbroken = conformance.run_all(tiny)
    designs = conformance.designs_of(unbroken)
    for stop_after in conformance.stopping_points(unbroken):
        conformance.check_resume(tiny, unbroken, stop_after)
    conformance.check_evaluate(tiny, designs)
    conformance.check_explain(tiny, designs)
    conformance.check_impossible(tiny)


@pytest.mark.parametrize("every", [18, pytest.param(3, marks=pytest.mark.long)])
def test_every_network_of_the_catalogue_runs_on_the_accelerators(every: int) -> None:
    for slug in sorted(builtin_documents("workload"))[::every]:
        instance = instance_of(mapping_problem({}, slug, hardware=AS_MAESTRO))
        assert instance.allowed.all() and np.isfinite(instance.costs.latency_s).all(), slug
