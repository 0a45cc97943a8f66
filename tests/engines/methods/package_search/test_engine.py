from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
import pytest

from engines.contract.engine import Document
from engines.contract.fronts.non_dominated import non_dominated
from engines.contract.results import Curve
from engines.documents.problems import make_problem
from engines.exploration import explore
from engines.methods.package_search.packages.candidate import decode_candidate
from engines.methods.package_search.packages.document import package_document
from engines.methods.package_search.packages.space import build_space
from engines.methods.package_search.params import OBJECTIVE_COLUMNS, objectives, schedule_goals
from engines.methods.package_search.quantities import COLUMNS
from engines.methods.package_search.search.scheduling import Task, schedule_package
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import evaluate
from hardware.package.loader import load_package, parse_package
from tests.engines.methods.package_search.cases import ENGINE, column, counts, run, searched
from tests.engines.methods.package_search.problems import search_problem, setting_of


def front_points(values: np.ndarray, chosen: tuple[str, ...]) -> np.ndarray:
    points = values[:, [COLUMNS.index(OBJECTIVE_COLUMNS[name]) for name in chosen]]
    return np.unique(np.round(points[non_dominated(points, ("minimise",) * len(chosen))], 15), axis=0)


def different(points: np.ndarray) -> np.ndarray:
    """Points that differ by more than rounding, in order."""
    kept: list[np.ndarray] = []
    for point in points[np.lexsort(points.T[::-1])]:
        if not any(np.allclose(point, other, rtol=1e-9, atol=0) for other in kept):
            kept.append(point)
    return np.array(kept)


ONE_WINDOW = {"n_splits": 0, "processing_elements": "64, 1024", "link_bandwidth_gb_per_s": "5, 100"}
CASES: list[dict[str, Any]] = [
    ONE_WINDOW | {"minimise_latency": False, "minimise_energy": False},
    ONE_WINDOW
    | {
        "minimise_latency": False,
        "minimise_energy": False,
        "minimise_area": False,
        "minimise_cost": True,
        "systems": 1e4,
    },
]
LARGE_CASES: list[dict[str, Any]] = [
    ONE_WINDOW,
    ONE_WINDOW | {"minimise_edp": False, "minimise_area": False},
    {"n_splits": 1, "schedules": "joint", "processing_elements": "64, 1024", "minimise_energy": False},
    {"n_splits": 0, "interface_sides": "left, left+top, left+right", "memory_bandwidth_gb_per_s": "2, 64"},
    {"n_splits": 0, "processing_elements": "64, 1024", "mixed_sizes": True, "minimise_latency": False},
]


@pytest.mark.parametrize("params", [*CASES, *(pytest.param(each, marks=pytest.mark.long) for each in LARGE_CASES)])
def test_the_front_equals_brute_force_over_all_labelled_packages(params: Mapping[str, Any]) -> None:
    problem = search_problem(params, priced=params.get("minimise_cost", False))
    setting = setting_of(problem)
    space, chosen = build_space(setting.base, setting.params), objectives(setting.params)
    everything = []
    heads = product(*(range(size) for size in space.head_sizes()))
    for head in heads:
        for letters in product(*space.letters(head[0])):
            task = Task(space.candidate((*head, *letters)), schedule_goals(setting.params))
            everything += [found.values for found in schedule_package(setting, task)]
    designs, tables = run(problem)
    expected = different(front_points(np.array(everything), chosen))
    found = different(front_points(searched(designs), chosen))
    np.testing.assert_allclose(found, expected, rtol=1e-9)
    told = counts(tables["search"])
    looked_at = told["Ruled out by bounds"] + told["Scheduled"] + told["Workload cannot run"]
    assert looked_at == told["Packages up to symmetry"] == space.count()
    assert told["of them proven optimal"] == told["Windows searched"]


def test_bounds_rule_packages_out_without_changing_the_front() -> None:
    told = counts(run(search_problem(ONE_WINDOW | {"minimise_latency": False, "minimise_energy": False}))[1]["search"])
    assert told["Ruled out by bounds"] > 0


def test_no_package_beats_the_front_by_more_than_the_gain_that_counts() -> None:
    everything = searched(run(search_problem(ONE_WINDOW))[0])
    designs, tables = run(search_problem(ONE_WINDOW | {"least_gain_percent": 5.0}))
    chosen = ("latency", "energy", "area")
    front, all_points = front_points(searched(designs), chosen), front_points(everything, chosen)
    assert all((front <= point * 1.05).all(axis=1).any() for point in all_points)
    exact = counts(run(search_problem(ONE_WINDOW))[1]["search"])
    assert counts(tables["search"])["Ruled out by bounds"] >= exact["Ruled out by bounds"]


@pytest.mark.parametrize("method", ["exhaustive", "evolutionary"])
def test_a_workload_that_runs_on_no_package_is_told(method: str) -> None:
    problem = search_problem({"n_splits": 0, "method": method, "population": 4}, models=5)
    steps = list(drive(ENGINE, problem, LocalContext(problem)))
    assert steps[-1].infeasible is not None and steps[-1].infeasible.unit == "chiplets"


def test_baselines_are_marked() -> None:
    designs, tables = run(search_problem())
    labels = [designs.label[i] for i, origin in enumerate(designs.origin) if origin == "baseline"]
    assert labels == ["Simba NVDLA", "Simba Shi-diannao", "Given package"]
    assert column(tables["baselines"], "Design").values == tuple(labels)
    without, _ = run(search_problem({"baselines": False}))
    assert set(without.origin) == {"search"}


def test_scar_gives_the_same_numbers_on_the_exported_package() -> None:
    problem = search_problem()
    designs, _ = run(problem)
    content = problem.inputs["hardware"].content
    for number in (0, 3, len(designs) - 1):
        decision = designs.decisions[number]
        candidate = decode_candidate(decision["package"], 4)
        document = Document("hardware", "found", 1, package_document(content, candidate))
        shared = {"n_splits": problem.params.n_splits, "objective": "edp"}
        there = make_problem("scar", {**problem.inputs, "hardware": document}, shared)
        again = evaluate(there, [{"windows": decision["windows"]}])
        for name in ("latency_s", "energy_j", "edp_js", "link_peak_bytes"):
            assert again.columns[name][0] == designs.columns[name][number]


def test_files_of_the_front_are_hardware_documents() -> None:
    problem = search_problem()
    steps = list(drive(ENGINE, problem, LocalContext(problem)))
    assert steps[-1].files
    for file in steps[-1].files:
        package = load_package(parse_package(file.data.decode()).content)
        assert (package.rows, package.columns) == (2, 2)


def test_the_first_table_lists_every_point_of_the_front_once() -> None:
    _, tables = run(search_problem(ONE_WINDOW))
    front = tables["front"]
    points = np.column_stack([column(front, t).values for t in ("Latency", "Energy", "Silicon area")])
    assert len(different(points)) == len(points)


def test_objectives_decide_what_packages_are_scheduled_for() -> None:
    designs, _ = run(search_problem({"minimise_edp": False, "minimise_latency": False}))
    assert {decision["goal"] for decision in designs.decisions} == {"energy"}
    problem = search_problem({"minimise_edp": False, "minimise_latency": False})
    assert ENGINE.primary_metric(problem) == "energy_j"
    alone = {f"minimise_{name}": name == "area" for name in OBJECTIVE_COLUMNS}
    assert {decision["goal"] for decision in run(search_problem(alone))[0].decisions} == {"edp"}


def test_only_the_chosen_objectives_span_the_front() -> None:
    chosen = {"minimise_latency": False, "minimise_energy": False}
    problem = search_problem(chosen | {"processing_elements": "64, 1024"})
    spanning = [q.name for q in ENGINE.quantities_of(problem.params) if q.role == "objective"]
    assert spanning == ["edp_js", "area_mm2"]
    found = explore(ENGINE.name, inputs=dict(problem.inputs), params=problem.params.model_dump())
    points = found.front().matrix(spanning)
    assert (np.diff(points[np.argsort(points[:, 1])][:, 0]) <= 0).all()


def test_a_package_of_ones_own_can_be_scored() -> None:
    problem = search_problem()
    decision = dict(run(problem)[0].decisions[0])
    decision["package"] = {**decision["package"], "link_bandwidth_gb_per_s": 77.0}
    found = evaluate(problem, [decision])
    assert found.columns["link_gb_per_s"].tolist() == [77.0]


def test_the_curve_shows_bounds_below_what_was_found() -> None:
    problem = search_problem(ONE_WINDOW)
    steps = list(drive(ENGINE, problem, LocalContext(problem)))
    curve = next(result for step in steps for result in step.results if isinstance(result, Curve))
    found, bound = (series.y for series in curve.series)
    assert curve.x.tolist() == [0, 1, 2, 3, 4] and np.isfinite(bound).all()
    scheduled = np.isfinite(found)
    assert scheduled.any() and (found[scheduled] >= bound[scheduled] * (1 - 1e-12)).all()
