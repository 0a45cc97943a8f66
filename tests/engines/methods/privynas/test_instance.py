"""Budgets and cuts as they are typed, and what is refused."""

import pytest

from engines.contract.errors import ProblemError
from engines.methods.privynas.instance import instance_of
from tests.engines.methods.privynas.problems import privynas_problem


def test_budgets_and_cuts_ascend_and_come_once() -> None:
    instance = instance_of(privynas_problem({"epsilons": "50, 2.8 50.0 7", "positions": "3,1"}))
    assert (instance.epsilons, instance.positions) == ((2.8, 7.0, 50.0), (1, 3))
    assert instance_of(privynas_problem({"positions": " "})).positions == (1, 2, 3)


@pytest.mark.parametrize(
    ("params", "field", "accepted"),
    [
        ({"epsilons": "2.8 0"}, "epsilons", "above 0"),
        ({"epsilons": "nan"}, "epsilons", "above 0"),
        ({"epsilons": ""}, "epsilons", "1 to 16 numbers"),
        ({"epsilons": " ".join(map(str, range(1, 18)))}, "epsilons", "1 to 16 numbers"),
        ({"positions": "0 1"}, "positions", "from 1 to 3"),
        ({"positions": "4"}, "positions", "from 1 to 3"),
        ({"positions": "1.5"}, "positions", "from 1 to 3"),
        ({"kernel": "7"}, "kernel", "3 or 5 in the small space"),
        ({"batch_size": 4096}, "batch_size", "images"),
    ],
)
def test_what_cannot_be_is_refused_by_its_field(params: dict[str, object], field: str, accepted: str) -> None:
    with pytest.raises(ProblemError, match=accepted) as refused:
        instance_of(privynas_problem(params))
    assert refused.value.field == f"params.{field}"
