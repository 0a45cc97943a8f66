"""The device's side of a cut as a network that machines run."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.running.inspection import evaluate
from tests.engines.methods.split_network.problems import split_problem
from tests.engines.runnable_designs import asked, executed


@pytest.mark.parametrize("bottleneck", [False, True])
def test_the_side_of_the_device_runs_and_the_rest_stays_predicted(tmp_path: Path, bottleneck: bool) -> None:
    problem = split_problem({"compression": 4.0})
    decision = {"last_on_device": ["left.2"], "bottleneck": bottleneck}
    found = asked(problem, decision)
    (design,) = found["designs"]
    (told,) = found["files"].values()
    # The stem is read at the server as well: with a bottleneck both results pass through one.
    assert executed(told, tmp_path) == (2 if bottleneck else 1)
    latency_s = float(evaluate(problem, [decision]).columns["latency_s"][0])
    assert 0 < design["rest_s"] < latency_s and design["rest_words"] == "the upload, the server's delay and its layers"


def test_all_on_the_device_leaves_nothing_predicted() -> None:
    (design,) = asked(split_problem(), {"last_on_device": ["exit"]})["designs"]
    assert (design["rest_s"], design["rest_words"]) == (0.0, "")


def test_a_cut_with_nothing_on_the_device_is_refused() -> None:
    (design,) = asked(split_problem(), {"last_on_device": []})["designs"]
    words = "All layers run on the server, so the device has nothing to measure. Must be at least one layer."
    assert design["refused"].startswith("decision.last_on_device: ")
    assert words in design["refused"]
