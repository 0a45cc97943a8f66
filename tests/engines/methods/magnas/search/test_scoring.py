from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import DecisionError
from engines.methods.magnas.search.scoring import Scoring
from engines.methods.magnas.search.setup import build_setup
from engines.running.inspection import evaluate
from engines.supernets.workload import label_of
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


def test_a_design_of_the_search_is_the_same_as_one_s_own() -> None:
    problem = search_problem({"clocks": "after_mapping", "clock_choices": "gpu: 520 1377"})
    setup = build_setup(problem)
    architecture = setup.space.smallest("gin")
    units = np.repeat([[0], [1]], setup.table.costs(architecture).blocks, axis=1)
    found = Scoring(setup).designs(architecture, 80.0, units, np.array([0, 1]))
    again = evaluate(problem, found.decisions)
    assert found.label == (label_of(architecture),) * 2 and again.decisions == found.decisions
    assert [each["clocks_mhz"]["gpu"] for each in found.decisions] == [522.75, 1377]  # its steps
    assert found.columns["accuracy_percent"].tolist() == [80, 80]
    for name in set(found.columns) - {"accuracy_percent"}:
        np.testing.assert_array_equal(again.columns[name], found.columns[name])
    np.testing.assert_array_equal(found.columns["power_w"], found.columns["energy_j"] / found.columns["latency_s"])
    named = Scoring(setup).designs(architecture, 80.0, units, np.array([0, 1]), ["first", "second"])
    assert named.label == ("first", "second")
