"""What a result without a real choice says of itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engines.contract.designs import Designs
from frontend.designs.degenerate import converged, remarks_on_result
from frontend.designs.run_designs import RunDesigns
from tests.frontend.designs.samples import QUANTITIES, table

NONE = np.empty(0)


def run_designs(*parts: Designs) -> RunDesigns:
    return RunDesigns.empty(QUANTITIES, "edp_js").extended(Designs.concatenate(parts))


def remarks(designs: RunDesigns, evaluations: int = 50) -> str:
    return "; ".join(remarks_on_result(designs, evaluations, NONE.astype(np.int64), NONE))


def test_a_real_front_says_nothing() -> None:
    assert remarks(run_designs(table([1.0, 2.0, 3.0], [3.0, 2.0, 1.0]))) == ""
    assert remarks(RunDesigns.empty(QUANTITIES, "edp_js")) == ""


def test_one_design_that_is_best_in_both_is_told() -> None:
    assert "One design is best in latency and energy" in remarks(run_designs(table([1.0, 2.0], [1.0, 2.0])))
    assert "2 designs with equal objectives are best in latency and energy" in remarks(
        run_designs(table([1.0, 1.0, 2.0], [1.0, 1.0, 3.0]))
    )


def test_a_baseline_that_wins_is_told_with_its_lead() -> None:
    ours, theirs = table([1.0, 2.0], [2.0, 1.0]), table([1.0], [1.948], "baseline", "NVDLA")
    assert "The baseline NVDLA wins by 2.6\u00a0% in EDP" in remarks(run_designs(ours, theirs))
    worse = table([1.0], [2.1], "baseline", "NVDLA")
    assert "NVDLA" not in remarks(run_designs(ours, worse))


def test_a_baseline_that_wins_where_more_is_better_is_told_as_well() -> None:
    ours, theirs = table([1.0, 2.0], [2.0, 1.0], busy=[0.5, 0.4]), table([3.0], [3.0], "baseline", "GPU", busy=[0.6])
    designs = replace(run_designs(ours, theirs), primary="busy")
    assert "The baseline GPU wins by 20\u00a0%" in remarks(designs)


def test_a_front_that_baselines_dominate_altogether_is_told() -> None:
    others = (table([0.99], [1.99], "baseline", "GPU"), table([1.5], [0.9], "baseline", "CPU"))
    designs = run_designs(table([1.0, 2.0], [2.0, 1.0]), *others)
    assert "wins" in remarks(designs)
    designs = replace(designs, primary="windows")
    assert "A baseline dominates every design on the front" in remarks(designs)


def test_an_objective_that_never_changes_is_told_with_its_value() -> None:
    words = remarks(run_designs(table([1.0, 2.0, 3.0], [4.234, 4.234, 4.234])))
    assert "All designs have the same energy (4.23\u00a0J): choose another objective" in words


def test_a_front_that_is_nearly_flat_is_told() -> None:
    words = remarks(run_designs(table([1.0, 2.0, 3.0], [4.0002, 4.0001, 4.0]), table([3.0], [9.0])))
    assert "Along the front energy differs by less than 0.1" in words


@pytest.mark.parametrize(("evaluations", "told"), [(4200, True), (50, False)])
def test_a_best_that_was_found_at_once_is_told_where_many_were_tried(evaluations: int, told: bool) -> None:
    designs = run_designs(table([9.0, 9.0, 1.0, 2.0], [9.0, 9.0, 2.0, 1.0]))
    assert ("The best EDP was found at evaluation 2 of 4\u2009200" in remarks(designs, evaluations)) is told


def test_a_search_that_rests_says_so_with_the_evidence() -> None:
    made = np.arange(1, 11) * 100
    volume = np.array([np.nan, 1, 2, 3, 3, 3, 3, 3, 3, 3.0])
    assert list(converged(made, volume)) == [
        "Hypervolume unchanged for the last 600 of 1\u2009000 evaluations: the search has converged"
    ]
    assert not list(converged(made, np.arange(10.0)))
    assert not list(converged(made[:3], np.ones(3)))
    assert not list(converged(made, np.full(10, np.nan)))
    late = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 9.0])
    assert not list(converged(made, late))
