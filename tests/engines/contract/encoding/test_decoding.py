"""Decisions read by the fields of a dataclass."""

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from pydantic import BeforeValidator, PlainSerializer, ValidationInfo

from engines.contract.encoding.decoding import ValueRefusal, decoded, encoded, number, one_of, whole
from engines.contract.errors import DecisionError


def _bought(value: Any, info: ValidationInfo) -> Any:
    if value and info.data.get("shape") == "ring":
        raise ValueRefusal(value[0], f"nothing for {info.context}")
    return value


@dataclass(frozen=True)
class Package:
    shape: Annotated[str, one_of(("ring", "mesh"))]
    bits: Annotated[int, whole(1, 64)]
    share: Annotated[float, number(0, 1)]
    bought: Annotated[frozenset[int], BeforeValidator(_bought), PlainSerializer(sorted)] = frozenset()


DECISION = {"shape": "mesh", "bits": 8, "share": 1, "bought": [9, 1]}


def test_a_decision_is_read_and_written_again() -> None:
    assert decoded(Package, {**DECISION, "unknown": 1}) == Package("mesh", 8, 1.0, frozenset({9, 1}))
    assert encoded(decoded(Package, DECISION)) == {**DECISION, "bought": [1, 9]}
    assert decoded(Package, {**DECISION, "bits": 8.0}).bits == 8


@pytest.mark.parametrize(
    ("changes", "field", "got", "accepted"),
    [
        ({"shape": "star"}, "shape", "star", "one of ring, mesh"),
        ({"shape": None, "bits": 0}, "shape", None, "one of ring, mesh"),
        ({"bits": 65}, "bits", 65, "a whole number from 1 to 64"),
        ({"bits": True}, "bits", True, "a whole number from 1 to 64"),
        ({"bits": 2.5}, "bits", 2.5, "a whole number from 1 to 64"),
        ({"share": "1"}, "share", "1", "a number from 0 to 1"),
        ({"share": float("nan")}, "share", float("nan"), "a number from 0 to 1"),
        ({"shape": "ring"}, "bought", 9, "nothing for now"),
    ],
)
def test_the_first_field_that_is_wrong_is_named_with_what_is_accepted(
    changes: dict[str, Any], field: str, got: Any, accepted: str
) -> None:
    with pytest.raises(DecisionError) as refused:
        decoded(Package, {**DECISION, **changes}, "now")
    assert (refused.value.field, repr(refused.value.got)) == (f"decision.{field}", repr(got))
    assert refused.value.accepted == accepted


def test_of_several_wrong_fields_those_that_decide_more_may_be_named_first() -> None:
    with pytest.raises(DecisionError, match=r"decision\.share"):
        decoded(Package, {"bits": 8}, first=("share",))


def test_an_entry_that_is_missing_is_refused_as_nothing() -> None:
    with pytest.raises(DecisionError) as refused:
        decoded(Package, {"shape": "mesh", "share": 0.5})
    assert (refused.value.field, refused.value.got) == ("decision.bits", None)
