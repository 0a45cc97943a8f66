"""Decisions there and back, and what is none."""

from typing import Any

import pytest

from engines.contract.errors import DecisionError
from engines.methods.privynas.choice import Choice, choice_of, decision_of
from engines.methods.privynas.instance import PrivynasInstance, instance_of
from tests.engines.methods.privynas.problems import privynas_problem


@pytest.fixture(scope="module")
def instance() -> PrivynasInstance:
    return instance_of(privynas_problem({"depth": 2}))


GOOD: dict[str, Any] = {
    "operations": ["MB3 3x3", "skip", "MB6 3x3", "MB3 3x3", "MB3 3x3", "MB6 3x3"], "position": 4, "epsilon": 2.8,
}  # fmt: skip


def test_a_decision_gives_its_choice_again(instance: PrivynasInstance) -> None:
    choice = choice_of(instance, GOOD)
    assert choice == Choice((0, 2, 1, 0, 0, 1), 4, 2.8)
    assert decision_of(instance, choice) == GOOD
    assert choice.name == "0.2.1.0.0.1-4-2.8"


@pytest.mark.parametrize(
    ("change", "field", "accepted"),
    [
        ({"operations": ["MB3 3x3"]}, "decision.operations", "a list of 6 operations"),
        ({"operations": "skip"}, "decision.operations", "a list of 6 operations"),
        ({"operations": ["skip", *GOOD["operations"][1:]]}, "decision.operations of block 1", "one of MB3 3x3, MB6 3x3"),
        ({"position": 7}, "decision.position", "one of 1, 2, 3, 4, 5, 6"),
        ({"epsilon": 3}, "decision.epsilon", "one of 2.8, 50"),
        ({"epsilon": None}, "decision.epsilon", "one of 2.8, 50"),
    ],
)  # fmt: skip
def test_what_the_space_does_not_have_is_refused(
    instance: PrivynasInstance, change: dict[str, Any], field: str, accepted: str
) -> None:
    with pytest.raises(DecisionError, match=accepted) as refused:
        choice_of(instance, {**GOOD, **change})
    assert refused.value.field == field
