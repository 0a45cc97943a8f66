import inspect
import pickle

import pytest

from engines.contract import errors
from engines.contract.errors import DecisionError, EngineError, ProblemError


def test_every_error_has_one_base() -> None:
    found = [cls for _, cls in inspect.getmembers(errors, inspect.isclass) if issubclass(cls, Exception)]
    assert len(found) > 5
    assert all(issubclass(cls, EngineError) for cls in found)


@pytest.mark.parametrize("kind", [ProblemError, DecisionError])
def test_an_error_carries_its_facts_and_says_them(kind: type[ProblemError]) -> None:
    error = kind("params.n_splits", 9, "from 0 to 8")
    assert (error.field, error.got, error.accepted) == ("params.n_splits", 9, "from 0 to 8")
    assert str(error) == "params.n_splits: must be from 0 to 8. Got 9 instead."


def test_an_error_comes_back_from_a_worker() -> None:
    again = pickle.loads(pickle.dumps(DecisionError("decision.x", [1], "two numbers")))
    assert (type(again), again.field, again.got, again.accepted) == (DecisionError, "decision.x", [1], "two numbers")
