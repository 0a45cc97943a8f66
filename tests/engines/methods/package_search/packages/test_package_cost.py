"""Cost of packages by hand, and what cannot be priced."""

from dataclasses import replace

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.contract.results import Breakdown
from engines.cost.package.area import package_area_parts_mm2
from engines.cost.silicon.costs import Chiplets, package_money
from engines.methods.package_search.engine import PackageSearchEngine
from engines.methods.package_search.packages.candidate import build_package, decode_candidate
from engines.methods.package_search.packages.package_cost import (
    cost_usd,
    designs_mm2,
    money_of,
    money_results,
    require_priced,
)
from engines.running.inspection import evaluate
from hardware.package.loader import load_package
from hardware.silicon.loader import builtin_silicon_costs, load_silicon_costs
from tests.engines.methods.package_search.cases import PROBLEM, run
from tests.engines.methods.package_search.problems import search_problem, setting_of
from tests.engines.methods.scar.problems import tiny_package

COSTS = load_silicon_costs(builtin_silicon_costs()["neksus-28nm"])
PACKAGE = load_package(tiny_package().content)


def test_chiplets_of_one_kind_are_one_design() -> None:
    areas, counts = designs_mm2(PACKAGE)
    kinds = [(chiplet.dataflow, chiplet.processing_elements) for chiplet in PACKAGE.chiplets]
    assert len(areas) == len(set(kinds)) and counts.sum() == len(kinds)
    largest = package_area_parts_mm2(PACKAGE).sum(axis=1).max()
    assert areas.max() == pytest.approx(largest)
    by_hand = package_money(
        COSTS, Chiplets(("28nm",) * len(areas), areas[None], counts[None], np.ones((1, len(areas))))
    )
    assert cost_usd(PACKAGE, COSTS, 1e6) == pytest.approx(float(by_hand.once_usd[0]) / 1e6 + float(by_hand.each_usd[0]))
    assert np.isnan(cost_usd(PACKAGE, None, 1e6))


def test_more_systems_share_what_is_paid_once() -> None:
    few, many = (cost_usd(PACKAGE, COSTS, systems) for systems in (1e3, 1e6))
    assert few > 10 * many


def test_what_cannot_be_priced_is_refused() -> None:
    most = designs_mm2(PACKAGE)[0].max()
    require_priced(PACKAGE, replace(COSTS, reticle_mm=(most, 1.0)))
    with pytest.raises(ProblemError, match="the reticle"):
        require_priced(PACKAGE, replace(COSTS, reticle_mm=(most, 0.99)))
    with pytest.raises(ProblemError, match="a process of the silicon costs: 28nm"):
        require_priced(replace(PACKAGE, process_node_nm=7), COSTS)
    problem = search_problem({"minimise_cost": True})
    with pytest.raises(ProblemError, match="Packages have a price only with silicon costs"):
        PackageSearchEngine().prepare(problem)  # type: ignore[arg-type]


def test_a_decision_is_priced_where_costs_are_given() -> None:
    decisions = run(PROBLEM)[0].decisions[:2]
    assert np.isnan(evaluate(PROBLEM, decisions).columns["cost_usd"]).all()
    setting = setting_of(search_problem({"systems": 1e4}, priced=True))
    packages = [build_package(setting.base, decode_candidate(each["package"], 4)) for each in decisions]
    found = evaluate(search_problem({"systems": 1e4}, priced=True), decisions).columns["cost_usd"]
    assert found.tolist() == [cost_usd(package, COSTS, 1e4) for package in packages]


def test_a_design_is_as_large_as_the_largest_of_its_chiplets() -> None:
    first, *others = PACKAGE.chiplets
    package = replace(PACKAGE, chiplets=(replace(first, buffer_bytes=2 * first.buffer_bytes), *others))
    each = package_area_parts_mm2(package).sum(axis=1)
    assert each[0] > each[2] == each[1]
    areas, counts = designs_mm2(package)
    assert areas.tolist() == [each[0], each[1]] and counts.tolist() == [2.0, 2.0]


def test_the_parts_of_the_cost_add_up_to_that_of_a_system() -> None:
    assert len(money_of(PACKAGE, COSTS).once_usd) == 1
    breakdown, note = money_results(PACKAGE, COSTS, 1e4)
    assert isinstance(breakdown, Breakdown) and "2 designs here" in note.text  # type: ignore[union-attr]
    assert breakdown.values.shape[0] == 1 and breakdown.values.sum() == pytest.approx(cost_usd(PACKAGE, COSTS, 1e4))
    one = replace(PACKAGE, chiplets=tuple(replace(each, dataflow="nvdla") for each in PACKAGE.chiplets))
    assert "one design here" in money_results(one, COSTS, 1e4)[1].text  # type: ignore[union-attr]
    assert money_results(PACKAGE, None, 1e4) == ()
