"""Networks with exits as pieces that machines run."""

from __future__ import annotations

from pathlib import Path

from engines.methods.hadas.space import BASELINES, as_decision
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


def test_equal_pieces_are_one_file() -> None:
    found = asked(measured_problem(), {"exits": [1]}, {"exits": [1, 2]}, {"exits": [1]})
    first = [design["pieces"][0]["file"] for design in found["designs"]]
    assert len(set(first)) == 1
