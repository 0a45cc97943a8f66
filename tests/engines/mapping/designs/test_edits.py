from __future__ import annotations

from typing import Any

import pytest

from engines.methods.soc_mapping.problem.own_mappings import own_mappings, with_another
from engines.registry import get_engine
from engines.running.editing import edited
from engines.running.inspection import evaluate
from engines.running.prepared_problems import ready_of
from tests.engines.methods.soc_mapping.problems import mapping_problem, tiny_network

UNITS = ["gpu", "gpu", "dla", "dla", "dla", "gpu"]


def after(params: Any, *moves: tuple[str, str]) -> Any:
    problem = mapping_problem(params, tiny_network())
    return edited(get_engine("soc-mapping"), problem, {"units": UNITS}, moves)


def test_a_block_goes_to_the_lane_of_another_unit() -> None:
    found = after(None, ("block.2", "gpu"))
    assert found["decision"]["units"] == ["gpu", "gpu", "gpu", "dla", "dla", "gpu"]
    lanes = found["boards"][0]
    assert lanes["form"] == "lanes" and [piece["start"] for piece in lanes["pieces"]] == list(range(6))
    problem = mapping_problem(None, tiny_network())
    assert found["columns"]["latency_s"] == evaluate(problem, [found["decision"]]).columns["latency_s"][0]


def test_clocks_that_are_searched_move_along_their_steps() -> None:
    found = after({"clocks": "searched", "clock_steps": 3})
    lines = {board["title"]: board for board in found["boards"] if board["form"] == "line"}
    assert lines
    board = next(iter(lines.values()))
    piece, place = board["pieces"][0]["name"], board["places"][0]["name"]
    slower = after({"clocks": "searched", "clock_steps": 3}, (piece, place))
    name = piece.partition(".")[2]
    assert slower["decision"]["clocks_mhz"][name] == pytest.approx(float(place))


def test_a_new_exploration_scores_the_mapping_under_a_name_of_its_own() -> None:
    given = {"own_mappings": "by hand = gpu*6"}
    found = after(given)
    text = found["params"]["own_mappings"]
    assert text == "by hand = gpu*6 | by hand 2 = gpu*2 dla*3 gpu*1"
    problem = mapping_problem({"own_mappings": text}, tiny_network())
    names, rows = own_mappings(text, ready_of(get_engine("soc-mapping"), problem).instance)
    assert names == ("by hand", "by hand 2") and rows.shape == (2, 6)
    assert with_another("", UNITS) == "by hand = gpu*2 dla*3 gpu*1"
