from __future__ import annotations

import pytest

from engines.contract.errors import DecisionError
from engines.methods.magnas.search.setup import build_setup
from engines.running.inspection import evaluate
from tests.engines.methods.magnas.problems import search_problem


def test_an_own_design_is_scored_and_nonsense_is_refused() -> None:
    problem = search_problem()
    setup = build_setup(problem)
    architecture = setup.space.smallest("gin")
    units = ["gpu"] * setup.table.costs(architecture).blocks
    own = {"architecture": setup.space.encode(architecture), "units": units}
    slow = {**own, "clocks_mhz": {"gpu": 520}}
    scored = evaluate(problem, [own, slow])
    assert scored.columns["latency_s"][1] > scored.columns["latency_s"][0]
    assert scored.columns["blocks"].tolist() == [8, 8]
    for wrong in ({}, {**own, "units": units[1:]}, {**own, "units": ["tpu", *units[1:]]}, {"units": units}):
        with pytest.raises(DecisionError):
            evaluate(problem, [wrong])
