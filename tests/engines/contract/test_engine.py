import pytest

from engines.contract.engine import Engine
from engines.contract.quantities import ObjectiveChoice
from engines.documents.problems import make_problem
from tests.support.toy_engine import ToyEngine


def test_an_engine_must_define_everything() -> None:
    with pytest.raises(TypeError, match="abstract"):
        Engine()  # type: ignore[abstract]


def test_the_primary_metric_is_the_first_objective() -> None:
    engine, problem = ToyEngine(), make_problem("toy", {}, {})
    assert engine.primary_metric(problem) == "latency_s"
    assert engine.estimator(problem) == ("Toy", "predicted")


def test_the_primary_metric_is_one_that_parameters_chose() -> None:
    choice = ObjectiveChoice(("latency_s", "energy_j"), lambda _: ("energy_j",))
    engine = type("Chosen", (ToyEngine,), {"objectives": choice})()
    assert engine.primary_metric(make_problem("toy", {}, {})) == "energy_j"
