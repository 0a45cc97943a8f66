"""Packages of so many blocks, each bought or designed, that their number does not fit 64 bits."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from engines import explore
from engines.contract.engine import Document, Problem
from engines.contract.errors import ProblemError
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.registry import get_engine

PARAMS = {"reuse": "each", "simulate_network": False, "evaluations": 100, "population": 10}


def system(blocks: int) -> dict[str, Any]:
    content = copy.deepcopy(dict(get_builtin("hardware", "neksus-phone").content))
    content["slug"] = f"blocks-{blocks}"
    for number in range(blocks - len(content["blocks"])):
        content["blocks"][f"x{number}"] = {**content["blocks"]["snd"], "title": f"Extra {number}"}
    return content


def problem(blocks: int, **params: Any) -> Problem:
    inputs = {"hardware": Document("hardware", "x", 1, system(blocks)), "costs": get_builtin("hardware", "neksus-28nm")}
    return make_problem("neksus", inputs, {**PARAMS, **params}, 0)


@pytest.mark.parametrize(("blocks", "packages"), [(53, "2.6 × 10¹⁹"), (54, "5.2 × 10¹⁹"), (58, "8.3 × 10²⁰")])
def test_it_is_planned_and_searched_by_sampling(blocks: int, packages: str) -> None:
    engine, one = get_engine("neksus"), problem(blocks)
    plan = engine.plan(one, engine.prepare(one))
    assert plan.evaluations == 104 and min(plan.time_s) > 0
    assert plan.checks[0].text == f"{packages} combinations: NSGA-II evaluates 100"


def test_the_search_ends() -> None:
    params = {**PARAMS, "evaluations": 10}
    found = explore("neksus", hardware=system(54), inputs={"costs": "neksus-28nm"}, params=params)
    assert found.status == "done" and 4 < found.metrics["evaluations"] <= 14


@pytest.mark.long
@pytest.mark.parametrize("blocks", [54, 58])
def test_the_whole_search_ends(blocks: int) -> None:
    found = explore("neksus", hardware=system(blocks), inputs={"costs": "neksus-28nm"}, params=PARAMS)
    assert found.status == "done"


def test_all_of_them_are_refused_with_the_way_on() -> None:
    one = problem(54, method="exhaustive")
    with pytest.raises(
        ProblemError,
        match=r"exhaustive evaluates at most .* packages, and there are 5\.2 × 10¹⁹\. Must be auto or evolutionary",
    ):
        get_engine("neksus").prepare(one)
