"""Runs of the engine, beyond what all engines keep."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from engines.contract.encoding.decoding import encoded
from engines.contract.engine import Document, Problem
from engines.contract.errors import DecisionError, ProblemError
from engines.contract.results import Table
from engines.documents.builtin import get_builtin
from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.engine import NeksusEngine, PreparedPackages
from engines.methods.neksus.instance import instance_of
from engines.methods.neksus.package_bounds import bounds_of
from engines.methods.neksus.quantities import QUANTITIES
from engines.methods.neksus.scoring import columns_of
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import evaluate
from engines.search.strategies import Exhaustive
from engines.testing.conformance import designs_of, run_all
from tests.engines.methods.neksus.problems import neksus_problem, tiny


def changed(slug: str, **changes: Any) -> Document:
    """A built-in document with other figures: `hub__area_mm2=900`."""
    content = copy.deepcopy(dict(get_builtin("hardware", slug).content))
    for path, value in changes.items():
        *parents, last = path.split("__")
        part = content
        for name in parents:
            part = part[name]
        part[last] = value
    return Document("hardware", slug, 1, content)


def every_package(problem: Problem) -> list[PackageDesign]:
    prepared = PreparedPackages(problem)
    return Exhaustive(prepared.instance.space, 1).designs()


def test_the_front_is_that_of_all_packages() -> None:
    problem = tiny().problem
    instance = instance_of(problem)
    every = columns_of(instance, every_package(problem))
    found = designs_of(run_all(tiny()))
    names = ("cost_usd", "frames_in_deadline_fraction", "energy_j_per_bit", "latency_s", "micro_bumps")
    signs = np.array([1, -1, 1, 1, 1])
    points = np.column_stack([every[name] for name in names]) * signs
    best = {
        tuple(point) for point in points if not ((points <= point).all(axis=1) & (points < point).any(axis=1)).any()
    }
    front = found.matrix(names)[found.front(QUANTITIES)] * signs
    assert {tuple(point) for point in front} == best


def test_the_best_packages_and_the_baselines_stand_in_one_table() -> None:
    steps = run_all(tiny())
    table = next(result for result in steps[-1].results if result.name == "best")
    assert isinstance(table, Table)
    columns = {column.title: column for column in table.table_columns}
    labels = [label for label in designs_of(steps).label if label]
    assert list(columns["Design"].values)[-4:] == labels and columns["Design"].values[0] == "Best cost of a system"
    cost = QUANTITIES[0]
    assert columns[cost.title].unit == cost.unit and columns["Flow"].values[-1] == "direct"
    values = np.asarray(columns[cost.title].values)
    assert values[0] == values.min()


def test_no_package_passes_its_bounds() -> None:
    problem = neksus_problem({"applications": "skype, gallery", "granularities": "1, 3"})
    instance = instance_of(problem)
    designs = every_package(problem)[::7]
    bounds, columns = bounds_of(instance, designs), columns_of(instance, designs)
    for name, bound in bounds.items():
        room = bound - columns[name] if name.startswith("frames") else columns[name] - bound
        assert room.min() >= -1e-12 * np.abs(columns[name]).max()


def test_blocks_decided_one_by_one_are_all_looked_at_and_the_front_keeps_the_cheapest() -> None:
    params = {
        "reuse": "each",
        "reuse_blocks": "cam, mic, snd",
        "granularities": "1",
        "topologies": "crossbar",
        "orders": 1,
    }
    problem = neksus_problem(params)
    instance = instance_of(problem)
    every = columns_of(instance, every_package(problem))
    found = designs_of(list(drive(NeksusEngine(), problem, LocalContext(problem))))
    front = found.take(np.flatnonzero(found.front(QUANTITIES)))
    assert found.columns["cost_usd"].min() == every["cost_usd"].min()
    # Nothing but what is paid once depends on it, so that no package of the front designs what it could buy.
    assert set(every["new_chiplets"]) == {0, 1, 2, 3} and set(front.columns["new_chiplets"]) == {0}


def test_nsga2_decides_block_by_block_too() -> None:
    params = {"reuse": "each", "method": "evolutionary", "evaluations": 60, "population": 20}
    found = designs_of(list(drive(NeksusEngine(), neksus_problem(params), LocalContext(neksus_problem(params)))))
    assert len(set(found.columns["new_chiplets"])) > 3


def test_nsga2_finds_what_is_best_where_it_may_look_at_enough() -> None:
    problem = neksus_problem({"method": "evolutionary", "evaluations": 250, "population": 20}, seed=2)
    instance = instance_of(problem)
    every = columns_of(instance, every_package(problem))
    steps = list(drive(NeksusEngine(), problem, LocalContext(problem)))
    found = designs_of(steps)
    assert found.columns["cost_usd"].min() == every["cost_usd"].min()
    assert len(found) <= 254


@pytest.mark.parametrize(
    ("params", "field", "words"),
    [
        ({"applications": "tetris"}, "params.applications", "one of youtube"),
        ({"own_chains": "cam-gpu 1 60 15"}, "params.own_chains", "one of the blocks: vd"),
        ({"own_chains": "cam-ve-cam 1 60 15"}, "params.own_chains", "without loops"),
        ({"own_chains": "cam-ve 1 60"}, "params.own_chains", "MB per frame"),
        ({"applications": ""}, "params.applications", "or own chains"),
        ({"reuse": "each", "reuse_blocks": "gpu"}, "params.reuse_blocks", "one of the blocks for sale: vd"),
        ({"reuse": "none", "reuse_blocks": "cam"}, "params.reuse", "each, if params.reuse_blocks names blocks"),
        (
            {"reuse": "each", "method": "exhaustive", "orders": 100},
            "params.method",
            "exhaustive evaluates at most 2\u2009000\u2009000 packages, and",
        ),
        ({"most_ports": 1, "granularities": "1"}, "params.most_ports", "12 chiplets in chains of 4 need as many ports"),
    ],
)
def test_what_cannot_be_is_refused(params: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(ProblemError, match=words) as caught:
        instance_of(neksus_problem(params))
    assert caught.value.field == field


def test_documents_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ProblemError, match="the reticle of 26 mm x 33 mm"):
        instance_of(neksus_problem(system=changed("neksus-phone", hub__area_mm2=900)))
    with pytest.raises(ProblemError, match="a process of the silicon costs: 28nm"):
        instance_of(neksus_problem(system=changed("neksus-phone", hub__process="7nm")))
    with pytest.raises(ProblemError, match=r"would be 2000 if it was per cm²"):
        neksus_problem(costs=changed("neksus-28nm", processes__28nm__defects_per_m2=0.2))
    with pytest.raises(ProblemError, match="one of the blocks: vd"):
        neksus_problem(system=changed("neksus-phone", memory__block="dram"))


def test_blocks_that_together_are_larger_than_the_reticle_share_no_chiplet() -> None:
    large = changed("neksus-phone", blocks__vd__area_mm2=500, blocks__ve__area_mm2=500)
    problem = neksus_problem({"granularities": "1, 12", "orders": 1}, system=large)
    designs = every_package(problem)
    assert {len(design.chiplets) for design in designs} == {12}
    decision = {**encoded(designs[0]), "chiplets": [list(large.content["blocks"])], "bought": []}
    with pytest.raises(DecisionError, match="858 mm², the reticle"):
        evaluate(problem, [decision])


def test_decisions_of_ones_own() -> None:
    problem = neksus_problem()
    decision = dict(designs_of(run_all(tiny())).decisions[0])
    assert evaluate(problem, [decision]).columns["micro_bumps"] == [669]
    for changes, words in (
        ({"chiplets": [["vd"], ["vd", "dc"]]}, "no loops"),
        ({"chain_length": 0}, "a whole number from 1"),
        ({"topology": "ring"}, "one of crossbar"),
        ({"bought": [99]}, "numbers of chiplets"),
        ({"bought": 3}, "numbers of chiplets"),
    ):
        with pytest.raises(DecisionError, match=words):
            evaluate(problem, [{**decision, **changes}])
