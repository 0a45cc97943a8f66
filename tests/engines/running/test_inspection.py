import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.engine import Problem
from engines.contract.errors import DecisionError
from engines.contract.quantities import Quantity
from engines.registry import get_engine
from engines.running.inspection import broken_limits, evaluate, explain, run_quantities


def test_it_explains_and_evaluates_a_decision(problem: Problem) -> None:
    decision = {"x": [0.0, 0.5, 1.0]}
    schedule, breakdown, _ = explain(problem, decision)
    designs = evaluate(problem, [decision])
    assert designs.columns["energy_j"][0] == breakdown.values.sum() == 2.25  # type: ignore[attr-defined]
    assert designs.columns["latency_s"][0] == schedule.windows[0].end_s == 1.5  # type: ignore[attr-defined]
    assert designs.origin == ("user",)
    assert len(evaluate(problem, [])) == 0, "no engine is asked for the numbers of nothing"


@pytest.mark.parametrize("decision", [{}, {"x": [1, 2]}, {"x": [0, 0, 2]}, {"x": "abc"}, {"x": [0, 0, None]}])
def test_a_decision_of_another_problem_is_refused(problem: Problem, decision: dict[str, object]) -> None:
    with pytest.raises(DecisionError, match=r"decision\.x"):
        explain(problem, decision)


def test_of_several_decisions_the_wrong_one_is_numbered(problem: Problem) -> None:
    good = {"x": [0.0, 0.5, 1.0]}
    with pytest.raises(DecisionError) as caught:
        evaluate(problem, [good, {"x": [1, 2]}, {}])
    assert (caught.value.field, caught.value.got) == ("decisions.1.x", [1, 2])


def test_limits_that_are_broken_or_not_defined_are_named() -> None:
    quantities = (
        Quantity("a_slack", "A", "", "none", "constraint"),
        Quantity("b_slack", "B", "", "none", "constraint"),
        Quantity("latency_s", "Latency", "s", "minimise", "objective"),
    )
    columns = {
        "a_slack": np.array([0.0, -0.1, np.nan]),
        "b_slack": np.array([1.0, -1.0, 0.5]),
        "latency_s": np.array([-1.0, 1.0, 1.0]),
    }
    designs = Designs(columns, [{}] * 3, np.zeros(3, np.int64), ["user"] * 3)
    found = broken_limits(quantities, designs)
    assert [[limit.title for limit in limits] for limits in found] == [[], ["A", "B"], ["A"]]


def test_parameters_decide_which_quantities_are_objectives() -> None:
    engine = get_engine("package-search")
    chosen = run_quantities(engine, {"minimise_latency": False, "minimise_energy": False})
    assert [quantity.name for quantity in chosen if quantity.role == "objective"] == ["edp_js", "area_mm2"]
    assert [quantity.name for quantity in chosen] == [quantity.name for quantity in engine.quantities]


def test_parameters_of_another_version_leave_the_roles_as_they_are() -> None:
    engine = get_engine("package-search")
    assert run_quantities(engine, {"no_such_parameter": 1}) == engine.quantities
