"""A package is priced by the chiplets' cost tables: one chiplet alone, and the best short pipeline."""

from __future__ import annotations

import pytest

from engines.chiplets.costs.scoring import Scorer
from engines.chiplets.params import ScheduleParams
from engines.chiplets.problem.decision import PackageSchedule, Placement
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.tables import build_tables
from engines.chiplets.windows.exact import search_window_exactly
from engines.chiplets.windows.greedy import search_greedily
from engines.chiplets.windows.reconfig import assign_windows
from engines.documents.builtin import get_builtin
from engines.survey.packages import price_package
from engines.workloads.loader import builtin_network
from engines.workloads.network import Scenario, ScenarioModel
from hardware.package.loader import load_package

RESNET = builtin_network("resnet50")


@pytest.mark.parametrize("name", ["simba-3x3-het-checkerboard", "simba-3x3-nvdla-256"])
def test_the_best_pipeline_is_that_of_the_exact_search(name: str) -> None:
    package = load_package(get_builtin("hardware", name).content)
    found = price_package(package, RESNET)
    scenario = Scenario("one", "One", (ScenarioModel(RESNET, 1),), "")
    tables = build_tables(package, scenario, ScheduleParams(n_splits=0))
    trajectory = search_greedily(tables, assign_windows(tables, 0), Goal("edp"), search=search_window_exactly)
    assert found.best.edp_js == pytest.approx(trajectory.value(Goal("edp")), rel=1e-12) and found.proven
    singles = [
        Scorer(tables).score(PackageSchedule(((Placement(0, 0, (54,), (chiplet,)),),)))[2] for chiplet in range(9)
    ]
    assert found.single is not None and found.single.edp_js == pytest.approx(min(singles), rel=1e-12)
    assert found.basis == "dataflow" and found.latency_factor is None


def test_words_count_layers_from_one() -> None:
    found = price_package(load_package(get_builtin("hardware", "simba-3x3-het-checkerboard").content), RESNET)
    assert found.best.words == "layers 1 on Shi-diannao, 2–54 on NVDLA"
    assert found.single is not None and found.single.words == "NVDLA chiplet alone"
