from __future__ import annotations

import pytest

from engines.methods.sbrs.search.archive import AS_GIVEN, FINAL
from engines.running.inspection import evaluate
from tests.engines.methods.sbrs.search.problems import search_problem

pytest.importorskip("torch")


def test_a_network_of_ones_own_is_trained_and_measured() -> None:
    problem = search_problem()
    own = {"clusters": [[[8, 3]], [], [[12, 3]], [], [[16, 3]], [], [[16, 1]]]}
    found = evaluate(problem, [own])
    assert 0 <= found.columns["accuracy_percent"][0] <= 100
    assert found.decisions[0]["test_accuracy_percent"] is not None and found.label == (FINAL,)


def test_an_accuracy_that_was_not_measured_says_so() -> None:
    problem = search_problem()
    told = {"clusters": [[[8, 3]], [], [[12, 3]], [], [[16, 3]], [], [[16, 1]]], "accuracy_percent": 99.0}
    found = evaluate(problem, [told])
    assert found.columns["accuracy_percent"][0] == 99 and found.label == (AS_GIVEN,)
