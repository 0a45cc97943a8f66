from __future__ import annotations

from engines.contract.results import ChipletGrid, Note, Schedule
from engines.methods.package_search.packages.candidate import build_package, decode_candidate
from engines.running.inspection import explain
from hardware.package.loader import load_package, parse_package
from tests.engines.methods.package_search.cases import run
from tests.engines.methods.package_search.problems import search_problem


def test_explain_shows_the_package_with_its_schedule() -> None:
    problem = search_problem()
    designs, _ = run(problem)
    decision = designs.decisions[-1]
    results = explain(problem, decision)
    grid = next(result for result in results if isinstance(result, ChipletGrid))
    assert [chiplet.dataflow for chiplet in grid.chiplets] == decision["package"]["dataflows"]
    assert any(isinstance(result, Schedule) for result in results)
    text = next(result.text for result in results if isinstance(result, Note) and result.name == "hardware.yaml")
    package = load_package(parse_package(text).content)
    expected = build_package(problem.values["hardware"], decode_candidate(decision["package"], 4))
    assert package.chiplets == expected.chiplets and package.memory == expected.memory
