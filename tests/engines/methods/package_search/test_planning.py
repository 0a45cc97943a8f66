from typing import Any

import pytest

from engines.methods.package_search.engine import PackageSearchEngine
from engines.methods.package_search.packages.space import build_space
from engines.methods.package_search.planning import is_exhaustive, make_plan
from engines.running.inspection import plan as plan_of
from tests.engines.methods.package_search.problems import search_problem, setting_of


def planned(params: dict[str, Any], models: int = 2):  # type: ignore[no-untyped-def]
    setting = setting_of(search_problem(params, models))
    space = build_space(setting.base, setting.params)
    return make_plan(setting, space), is_exhaustive(space, setting), space


def test_small_spaces_are_gone_through_and_evaluations_are_what_they_need() -> None:
    plan, exhaustive, space = planned({})
    assert exhaustive and space.count() == 6
    assert plan.evaluations == 6 * 3 + 8
    assert "6 packages up to symmetry (16 labelled)" in plan.checks[0].text
    # Of the given package alone: a line across the front would say that no package can have less.
    assert [bound.column for bound in plan.bounds] == [None, None] and plan.bounds[0].value > 0


def test_large_spaces_are_searched_by_nsga2_unless_asked_otherwise() -> None:
    sizes = {"processing_elements": ", ".join(str(64 + 16 * n) for n in range(12)), "mixed_sizes": True}
    plan, exhaustive, space = planned(sizes)
    assert space.count() > 20_000 and not exhaustive
    assert "NSGA-II" in plan.checks[0].text and plan.evaluations == 2000
    assert not planned({"method": "evolutionary"})[1]


def test_too_few_evaluations_are_told() -> None:
    notes = planned({"evaluations": 10, "processing_elements": "64, 256"})[0].notes
    assert any("fewer evaluations" in note for note in notes)


@pytest.mark.parametrize(
    ("params", "models", "said"),
    [
        ({"max_area_mm2": 50.0}, 2, "Silicon of a package of at most 50\u00a0mm²"),
        ({"max_processing_elements": 64}, 2, "Processing elements of a package of at most 64\u00a0PEs"),
        ({"n_splits": 0}, 5, "cannot run on the given package"),
    ],
)
def test_what_does_not_fit_is_told(params: dict[str, Any], models: int, said: str) -> None:
    checks = plan_of(search_problem(params, models), PackageSearchEngine()).checks
    assert [said in check.text for check in checks if not check.ok] == [True]
