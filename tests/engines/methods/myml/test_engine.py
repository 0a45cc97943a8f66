"""The engine beyond what all engines keep."""

import pytest

from engines.contract.errors import DecisionError, ProblemError
from engines.methods.myml.choices import choice_of
from engines.methods.myml.engine import MymlEngine
from engines.methods.myml.instance import instance_of
from engines.running.inspection import plan as plan_of
from engines.testing.conformance import check_impossible, designs_of, run_all
from tests.engines.methods.myml.problems import myml_problem, tiny


@pytest.mark.parametrize(
    ("params", "field", "accepted"),
    [
        ({"user_classes": "1, 2, eleven"}, "user_classes", "one of the classes of the network: 0, 1, 2"),
        ({"rates_percent": "30 100"}, "rates_percent", "below 100"),
        (
            {"rates_percent": "30 95"},
            "rates_percent",
            "A layer has 4 channels and keeps at least one. Must be at most 87.5",
        ),
        (
            {"learning_window": 3},
            "learning_window",
            "Each of 4 classes needs more than 15 % of the window. Must be at least 4",
        ),
        ({"learning_window": 7}, "learning_window", "at least 8"),
        ({"learning_share_percent": 25.0}, "learning_share_percent", "below 25"),
        ({"user_class_count": 11}, "user_class_count", "2 to 10"),
        ({"precisions": "bfp64x9"}, "precisions", "2 to 7 bits"),
        ({"orders": "sideways"}, "orders", "bottom-up"),
    ],
)
def test_what_cannot_be_is_refused(params: dict[str, object], field: str, accepted: str) -> None:
    with pytest.raises(ProblemError, match=accepted) as refused:
        instance_of(myml_problem(params))
    assert refused.value.field == f"params.{field}"


def test_three_classes_and_two_bits_never_diverge_and_the_plan_says_so() -> None:
    problem = myml_problem({"user_class_count": 3, "entropy_threshold_bits": 1.6})
    assert any("never comes back" in check.text and not check.ok for check in plan_of(problem, MymlEngine()).checks)


def test_the_search_ends_infeasible_where_no_network_is_so_small() -> None:
    found = check_impossible(tiny())
    assert found.unit == "kB" and any(field == "params.size_limit_kb" for _, field in found.remedies)


def test_the_original_and_the_published_schedules_stand_beside_the_search() -> None:
    designs = designs_of(run_all(tiny()))
    assert [label for label in designs.label if label] == [
        "Original, CPU", "Original, accelerator", "As published, CPU", "As published, accelerator",
    ]  # fmt: skip
    assert (designs.columns["pruning_time_s"][2:] > 0).all()
    assert designs.columns["size_bytes"][2] < designs.columns["size_bytes"][0]
    layers = instance_of(myml_problem()).layers
    assert choice_of(designs.decisions[3], layers).decision == designs.decisions[3]
    with pytest.raises(DecisionError, match="rates_percent"):
        choice_of({**designs.decisions[3], "rates_percent": [10, 20, 30]}, layers)
