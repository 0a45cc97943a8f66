"""Searches from their first step to their last."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.engine import Step
from engines.contract.integer_format import counted
from engines.contract.quantities import objectives_of
from engines.contract.results import HYPERVOLUME, Note
from engines.methods.map_and_conquer.problem.instance import instance_of
from engines.methods.map_and_conquer.quantities import QUANTITIES
from engines.methods.map_and_conquer.run import performance_curve
from engines.methods.map_and_conquer.search.layer_by_layer import LayerByLayer
from engines.search.indicators import hypervolume
from engines.testing.conformance import check_resume, designs_of, run_all
from tests.engines.methods.map_and_conquer.problems import cut_problem, tiny


def front(steps: list[Step]) -> np.ndarray:
    designs = designs_of(steps)
    names = [quantity.name for quantity in objectives_of(QUANTITIES)]
    return designs.matrix(names)[designs.front(QUANTITIES)] * (1, 1, -1)


def last_notes(steps: list[Step]) -> dict[str, Note]:
    return {each.name: each for each in steps[-1].results if isinstance(each, Note)}


def test_searches_of_the_same_budget_against_the_exact_front() -> None:
    fronts = {}
    for method in ("published", "nsga2", "layers"):
        params = {"method": method, "partition_steps": 4, "clocks": "fixed", "evaluations": 1000, "labels": 5000}
        steps = run_all(tiny(), problem=cut_problem(params))
        fronts[method] = front(steps)
        if method == "layers":
            assert last_notes(steps)["exactness"].title == "Exact (assumed chain)"
    corner = np.max([each.max(axis=0) for each in fronts.values()], axis=0) + 1e-9
    volume = {method: hypervolume(points, ("minimise",) * 3, corner) for method, points in fronts.items()}
    assert volume["published"] <= volume["layers"] + 1e-15
    assert volume["nsga2"] <= volume["layers"] + 1e-15
    assert volume["nsga2"] > volume["published"]


@pytest.mark.parametrize("method", ["layers", "nsga2"])
def test_a_broken_run_of_the_other_searches_goes_on_exactly_there(method: str) -> None:
    one = tiny(method)
    steps = run_all(one)
    check_resume(one, steps, len(steps) // 2)
    check_resume(one, steps, len(steps) - 2)


def test_a_limit_on_reuse_is_kept() -> None:
    steps = run_all(tiny(), problem=cut_problem({"reuse_most_percent": 50.0, "evaluations": 200, "clocks": "fixed"}))
    designs = designs_of(steps)
    counted = designs.counted(QUANTITIES)
    assert counted.any() and designs.columns["reuse_percent"][counted].max() <= 50
    assert not steps[-1].infeasible


def test_the_search_layer_by_layer_counts_what_its_pieces_looked_at() -> None:
    one = tiny("layers")
    search = LayerByLayer(instance_of(one.problem), one.problem.params.labels)
    pieces, steps = list(search.pieces()), run_all(one)
    looked_at, thinned = sum(each.looked_at for each in pieces), sum(each.thinned for each in pieces)
    assert thinned
    text = f"{counted(looked_at)} partial designs were evaluated; {counted(thinned)} that might have become better"
    assert text in last_notes(steps)["exactness"].text
    # The first step is of the baselines and the last one of the end; the search is 90 % of the way.
    told = [(step.message.partition(" mappings")[0], step.fraction) for step in steps[1 : len(pieces) + 1]]
    counts = range(1, len(pieces) + 1)
    assert [words for words, _ in told] == [f"{counted(done)} of {counted(len(pieces))}" for done in counts]
    assert [share for _, share in told] == pytest.approx([0.01 + 0.89 * done / len(pieces) for done in counts])


def test_the_least_p_grows_beside_the_hypervolume() -> None:
    curve = performance_curve([60.0, 120.0], [2.0, 1.5])
    assert (curve.role, curve.belongs_to, curve.x.tolist()) == ("progress", HYPERVOLUME, [60.0, 120.0])
    assert curve.series[0].y.tolist() == [2.0, 1.5] and curve.series[0].unit == "J·s"
