"""Two methods whose runs all found the same front do not come out as different (scipy/scipy#17667)."""

from __future__ import annotations

import numpy as np
import pytest

from engines import explore
from engines.contract.quantities import Quantity, objectives_of
from engines.registry import get_engine
from webapp.studies import statistics
from webapp.studies.document import Axis
from webapp.studies.values import RunRow

METHODS = ("exact", "nsga2")


def rows() -> list[RunRow]:
    cells = [{"params.method": method, "seed": seed} for method in METHODS for seed in range(5)]
    return [RunRow(number, cell, "done", "", "", 1.0, 1, 1, 800) for number, cell in enumerate(cells, 1)]


def require_ties(
    fronts: dict[int, np.ndarray], quantities: tuple[Quantity, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len({np.unique(front, axis=0).tobytes() for front in fronts.values()}) == 1, "the case needs equal fronts"
    monkeypatch.setattr(statistics, "fronts_of", lambda ended, _: {run.pk: fronts[run.pk] for run in ended})
    axis = Axis("params.method", METHODS)
    found = statistics._grouped(quantities, axis, {}, statistics.HYPERVOLUME, rows())
    (pair,) = found.pairs
    assert pair.effect == 0.5 and pair.p_value == 1.0
    assert {value for group in found.groups for value in group.values} == {1.0} and found.equal_fronts


@pytest.mark.long
def test_an_exact_search_and_one_that_converges_tie(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = {"unmeasured": "datasheet", "baselines": False, "evaluations": 6000, "population": 60}
    fronts = {}
    for run in rows():
        found = explore(
            "soc-mapping", hardware="jetson-tx2", workload="vgg16", seed=run.cell["seed"],
            params={**shared, "method": run.cell["params.method"]},
        )  # fmt: skip
        names = [each.name for each in objectives_of(found.quantities)]
        fronts[run.pk] = found.designs.matrix(names)[found.designs.front(found.quantities)]
    require_ties(fronts, tuple(found.quantities), monkeypatch)


@pytest.mark.parametrize("seed", range(20))
def test_the_same_front_in_another_order_and_with_repetitions_ties(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(seed)
    front = np.column_stack([np.sort(random.random(30)), -np.sort(-random.random(30))])
    fronts = {run.pk: random.permutation(np.concatenate([front, random.choice(front, 9)])) for run in rows()}
    require_ties(fronts, tuple(get_engine("soc-mapping").quantities), monkeypatch)
