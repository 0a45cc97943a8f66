import pytest

from engines.contract.engine import Engine
from engines.documents.problems import make_problem
from tests.support.toy_engine import ToyEngine


def test_an_engine_must_define_everything() -> None:
    with pytest.raises(TypeError, match="abstract"):
        Engine()  # type: ignore[abstract]


def test_the_primary_metric_is_the_first_objective() -> None:
    engine, problem = ToyEngine(), make_problem("toy", {}, {})
    assert engine.primary_metric(problem) == "latency_s"
    assert engine.estimator(problem) == ("Toy", "predicted")
