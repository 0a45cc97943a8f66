"""Networks with an exit as pieces that machines run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engines.methods.eexnas.architecture import Architecture, Block
from engines.running.runner.runnables import answer, question_of
from tests.engines.methods.eexnas.problems import eexnas_problem
from tests.engines.runnable_designs import executed

LEAVING = {"left_early_fraction": 0.25}


def asked(architecture: Architecture, figures: dict[str, float] = LEAVING) -> dict[str, Any]:
    decision = {**architecture.decision, "threshold": 0.9}
    return answer(json.loads(json.dumps(question_of(eexnas_problem(), [decision], 2000.0, [figures]), default=dict)))


@pytest.mark.parametrize(
    "blocks",
    [
        (Block(8, 5, 1, 2, 2), Block(16, 3, 1, 0, 0)),
        (Block(4, 9, 2, 4, 1), Block(8, 7, 1, 3, 4), Block(4, 3, 2, 0, 0)),
        (Block(4, 3, 4, 0, 0), Block(4, 3, 1, 4, 2)),
    ],
)
@pytest.mark.parametrize("hidden", [0, 16])
def test_a_piece_for_each_end_by_the_share_of_windows(tmp_path: Path, blocks: tuple[Block, ...], hidden: int) -> None:
    found = asked(Architecture(blocks, hidden))
    (design,) = found["designs"]
    assert [(piece["title"], piece["share"]) for piece in design["pieces"]] == [
        ("To the exit", 0.25),
        ("To the last layer", 0.75),
    ]
    ends = [executed(found["files"][piece["file"]], tmp_path / piece["title"]) for piece in design["pieces"]]
    assert ends == [1, 2], "the whole network passes the exit"


def test_an_end_that_no_window_leaves_at_is_no_piece() -> None:
    found = asked(Architecture((Block(8, 5, 1, 2, 2), Block(16, 3, 1, 0, 0)), 0), {"left_early_fraction": 0.0})
    (design,) = found["designs"]
    assert [piece["title"] for piece in design["pieces"]] == ["To the last layer"]


def test_networks_of_one_bit_are_refused() -> None:
    (design,) = asked(Architecture((Block(8, 5, 1, 2, 2), Block(16, 3, 1, 0, 0)), 0, binary=True))["designs"]
    assert "no binary operators" in design["refused"]
