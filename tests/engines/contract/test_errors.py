import inspect
import pickle

import pytest

from engines.contract import errors
from engines.contract.errors import BusyError, DecisionError, EngineError, ProblemError
from hardware.errors import Remedy


def test_every_error_has_one_base() -> None:
    found = [cls for _, cls in inspect.getmembers(errors, inspect.isclass) if issubclass(cls, Exception)]
    assert len(found) > 5
    assert all(issubclass(cls, EngineError) for cls in found)


@pytest.mark.parametrize("kind", [ProblemError, DecisionError])
def test_an_error_carries_its_facts_and_says_them(kind: type[ProblemError]) -> None:
    error = kind("params.n_splits", 9, "from 0 to 8")
    assert (error.field, error.got, error.accepted) == ("params.n_splits", 9, "from 0 to 8")
    assert str(error) == "params.n_splits: must be from 0 to 8. Got 9 instead."


def test_the_reason_comes_first_and_the_ways_to_go_on_last() -> None:
    ways = ["Use less.", Remedy.to_set("params.x", 1)]
    error = ProblemError("params.x", 9, "below 2", 3, reason="The board is small.", remedies=ways)
    assert (
        str(error)
        == "line 3, params.x: The board is small. Must be below 2. Got 9 instead. Use less. Set params.x to 1."
    )
    again = ProblemError.of(error, "inputs.x")
    assert str(again) == "inputs.x: The board is small. Must be below 2. Got 9 instead. Use less. Set params.x to 1."
    assert again.remedies[1][1:] == ("params.x", 1) and ProblemError(**error.facts()).facts() == error.facts()
    assert error.explained("Must be below 2") == "The board is small. Must be below 2. Use less. Set params.x to 1."


def test_an_error_comes_back_from_a_worker() -> None:
    sent = pickle.loads(pickle.dumps(BusyError(retry_after_s=7)))
    assert str(sent) == "The server is busy and did not begin this request. Try again in 7 s."
    again = pickle.loads(pickle.dumps(DecisionError("decision.x", [1], "two numbers")))
    assert (type(again), again.field, again.got, again.accepted) == (DecisionError, "decision.x", [1], "two numbers")
