"""The device's side of a private split as a network that machines run."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.methods.privynas.choice import Choice, decision_of
from engines.methods.privynas.instance import instance_of
from tests.engines.methods.privynas.problems import privynas_problem
from tests.engines.runnable_designs import asked, executed


def test_the_side_of_the_device_runs_and_sending_stays_predicted(tmp_path: Path) -> None:
    problem = privynas_problem()
    instance = instance_of(problem)
    choices = [Choice((0, 0, 0), position, 2.8) for position in (1, 3)]
    found = asked(problem, *(decision_of(instance, choice) for choice in choices))
    for choice, design in zip(choices, found["designs"], strict=True):
        (piece,) = design["pieces"]
        assert executed(found["files"][piece["file"]], tmp_path / str(choice.position)) == 1
        predicted = instance.costs.of(choice.operations, choice.position)[0]
        assert 0 < design["rest_s"] < predicted and design["rest_words"] == "sending"
    assert len(found["files"]) == 2


def test_a_block_that_is_skipped_is_not_run(tmp_path: Path) -> None:
    problem = privynas_problem({"depth": 2})
    instance = instance_of(problem)
    skipped = [len(block.operations) - 1 if None in block.operations else 0 for block in instance.space.blocks]
    every = [Choice(tuple(each), 6, 2.8) for each in (skipped, [0] * 6)]
    found = asked(problem, *(decision_of(instance, choice) for choice in every))
    files = [found["files"][design["pieces"][0]["file"]] for design in found["designs"]]
    assert [executed(file, tmp_path / str(number)) for number, file in enumerate(files)] == [1, 1]
    assert files[0]["about"]["weights_bytes"] < files[1]["about"]["weights_bytes"]


def test_what_is_no_design_is_refused() -> None:
    (design,) = asked(privynas_problem(), {"operations": [], "position": 1, "epsilon": 2.8})["designs"]
    assert "decision.operations" in design["refused"]


@pytest.mark.parametrize("position", [1, 2, 3])
def test_every_cut_has_a_network(tmp_path: Path, position: int) -> None:
    problem = privynas_problem()
    decision = decision_of(instance_of(problem), Choice((1, 1, 1), position, 50.0))
    (told,) = asked(problem, decision)["files"].values()
    assert executed(told, tmp_path) == 1
