"""Networks with exits as pieces that machines run."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.methods.hadas.space import BASELINES, as_decision
from engines.running.inspection import evaluate
from tests.engines.methods.hadas.problems import measured_problem, space_problem
from tests.engines.runnable_designs import asked, executed


def test_a_piece_for_each_end_by_the_share_of_inputs_that_leaves_there(tmp_path: Path) -> None:
    found = asked(measured_problem(), {"exits": [1, 2]}, {"exits": []}, {"exits": [9]})
    both, alone, refused = found["designs"]
    assert [piece["share"] for piece in both["pieces"]] == [0.5, 0.25, 0.25]
    assert [piece["title"] for piece in both["pieces"]][-1] == "To the own end"
    assert len(alone["pieces"]) == 1 and alone["pieces"][0]["file"] != both["pieces"][2]["file"], "it passes no exits"
    assert "decision.exits.0" in refused["refused"]
    for number, told in enumerate(found["files"].values()):
        # Each exit passed has a classifier and a confidence; its own end gives one result.
        assert executed(told, tmp_path / str(number)) >= 1


def test_a_backbone_of_the_space_is_drawn() -> None:
    decision = {"backbone": as_decision(BASELINES["a0"]), "exits": [6]}
    (design,) = asked(space_problem(), decision)["designs"]
    assert [piece["title"] for piece in design["pieces"]] == ["To the exit after stage3.1", "To the own end"]
    assert sum(piece["share"] for piece in design["pieces"]) == 1


def test_designs_at_lower_clocks_count_as_much_slower_as_the_model_has_them() -> None:
    """A machine runs at its own: the sum over its pieces' shares is what the mean latency is of that at the highest clocks."""
    problem = space_problem()
    fast = {"backbone": as_decision(BASELINES["a0"]), "exits": []}
    low = {"clocks_mhz": {"gpu": 114.75}}
    both = asked(problem, fast, fast | low)["designs"]
    assert [piece["share"] for piece in both[0]["pieces"]] == [1.0]
    latencies = evaluate(problem, [fast, fast | low]).columns["latency_s"]
    assert both[1]["pieces"][0]["share"] == pytest.approx(latencies[1] / latencies[0])
    assert "times as slow at its clocks" in both[1]["pieces"][0]["title"]
    assert both[0]["pieces"][0]["file"] == both[1]["pieces"][0]["file"]


def test_equal_pieces_are_one_file() -> None:
    found = asked(measured_problem(), {"exits": [1]}, {"exits": [1, 2]}, {"exits": [1]})
    first = [design["pieces"][0]["file"] for design in found["designs"]]
    assert len(set(first)) == 1
