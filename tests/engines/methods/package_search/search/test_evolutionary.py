from __future__ import annotations

import pytest

from engines.exploration import explore
from engines.methods.package_search.packages.space import build_space
from engines.methods.package_search.quantities import COLUMNS
from engines.testing import conformance
from engines.testing.conformance import ShufflingExecutor
from tests.engines.methods.package_search.cases import ENGINE, counts, run, searched
from tests.engines.methods.package_search.problems import search_problem, setting_of, tiny_evolutionary


def test_nsga2_finds_most_of_the_front_and_keeps_the_limits() -> None:
    tiny = tiny_evolutionary()
    designs, tables = run(tiny.problem)
    assert (designs.columns["processing_elements"][[o == "search" for o in designs.origin]] <= 2048).all()
    whole = explore(
        ENGINE.name,
        inputs=dict(tiny.problem.inputs),
        params={**tiny.problem.params.model_dump(), "method": "exhaustive", "evaluations": 2000},
    )
    best = float(whole.best("edp_js").values["edp_js"])
    assert searched(designs)[:, COLUMNS.index("edp_js")].min() <= best * 1.05
    assert counts(tables["search"])["Schedules searched, baselines included"] <= 60


@pytest.mark.long
def test_nsga2_repeats_whatever_the_order_of_a_batch_and_continues_exactly() -> None:
    tiny = tiny_evolutionary()
    steps = conformance.run_all(tiny)
    conformance.check_repeats(tiny, ShufflingExecutor(), steps)
    for point in conformance.stopping_points(steps)[1:3]:  # in the middle, and before the end
        conformance.check_resume(tiny, steps, point)


def test_nsga2_tells_what_no_package_can_keep() -> None:
    infeasible = conformance.check_impossible(tiny_evolutionary())
    assert (infeasible.demand, infeasible.bound, infeasible.unit) == (4 * 4096.0, 100.0, "PEs")


def test_packages_on_which_the_workload_cannot_run_do_not_hold_nsga2_up() -> None:
    # Three models at once need three chiplets to start on; left alone has two.
    choices = {"interface_sides": "left, left+right", "n_splits": 0, "method": "evolutionary", "population": 8}
    designs, _ = run(search_problem(choices, models=3))
    sides = {tuple(d["package"]["interface_sides"]) for d in designs.decisions}
    assert sides == {("left", "right")}
    left, tables = run(search_problem(choices | {"method": "exhaustive"}, models=3))
    assert counts(tables["search"])["Workload cannot run"] == build_left_count()
    assert len(left)


def build_left_count() -> int:
    setting = setting_of(search_problem({"interface_sides": "left"}))
    return build_space(setting.base, setting.params).count()
