from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import DecisionError
from engines.methods.magnas.search.scoring import columns_of, decode, designs_of, encode
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


def test_a_design_of_the_search_is_the_same_as_one_s_own() -> None:
    problem = search_problem({"clocks": "after_mapping", "clock_choices": "gpu: 520 1377"})
    setup = build_setup(problem)
    architecture = setup.space.smallest("gin")
    units = np.repeat([[0], [1]], setup.table.costs(architecture).blocks, axis=1)
    found = designs_of(setup, architecture, 80.0, units, np.array([0, 1]), ["first", "second"])
    decisions, columns = [encode(setup, each) for each in found], columns_of(setup, found)
    again = evaluate(problem, decisions)
    assert [each.label for each in found] == ["first", "second"] and again.decisions == decisions
    assert [each["clocks_mhz"]["gpu"] for each in decisions] == [522.75, 1377]  # its steps
    assert columns["accuracy_percent"].tolist() == [80, 80]
    for name in set(columns) - {"accuracy_percent"}:
        np.testing.assert_array_equal(again.columns[name], columns[name])
    np.testing.assert_array_equal(columns["power_w"], columns["energy_j"] / columns["latency_s"])


def test_costs_at_other_clocks_are_kept_for_the_last_few_settings() -> None:
    setup = build_setup(search_problem())
    architecture = setup.space.smallest("gin")
    own = {"architecture": setup.space.encode(architecture), "units": ["gpu"] * setup.table.costs(architecture).blocks}
    steps = [float(hz) / 1e6 for hz in setup.covered.soc.units["gpu"].frequencies_hz]
    for mhz in steps[:9]:
        decode(setup, {**own, "clocks_mhz": {"gpu": mhz}})
    kept = len(setup._tables)
    assert kept == 1 and decode(setup, {**own, "clocks_mhz": {"gpu": steps[8]}}).setting == 0
    assert len(setup._tables) == kept
