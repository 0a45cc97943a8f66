from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from engines.chiplets.problem.decision import PackageSchedule, Placement, decode, encode, validate
from engines.contract.errors import DecisionError
from tests.engines.chiplets.cases import tables

MODELS = {"a": [[1, 1, 1], [1, 1, 1]], "b": [[1, 1], [1, 1]]}
GOOD: dict[str, Any] = {
    "layout": None,
    "windows": [
        {"models": [{"model": 0, "first_layer": 0, "cuts": [1, 2], "path": [0, 1]},
                    {"model": 1, "first_layer": 0, "cuts": [1], "path": [2]}]},
        {"models": [{"model": 0, "first_layer": 2, "cuts": [3], "path": [1]},
                    {"model": 1, "first_layer": 1, "cuts": [2], "path": [5]}]},
    ],
}  # fmt: skip


def placement(window: int, position: int, /, **figures: Any) -> dict[str, Any]:
    changed = copy.deepcopy(GOOD)
    changed["windows"][window]["models"][position] |= figures
    return changed


def test_a_decision_survives_json() -> None:
    schedule = decode(GOOD)
    assert json.loads(json.dumps(encode(schedule))) == GOOD
    assert schedule.windows[0][0] == Placement(0, 0, (1, 2), (0, 1))
    assert schedule.windows[0][0].segments == ((0, 1, 0), (1, 2, 1))
    validate(schedule, tables(MODELS))


def test_starting_where_a_model_ended_is_allowed_only_right_after() -> None:
    built = tables(MODELS)
    validate(decode(GOOD), built)  # chiplet 1 has no interface, but model a ended there in window 1
    with pytest.raises(DecisionError, match="root_rule"):
        validate(decode(placement(0, 0, path=[1, 0])), built)
    validate(decode(placement(0, 0, path=[4, 1])), tables(MODELS, {"root_rule": "free"}))


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        (placement(0, 0, model=7), "windows.0.models.0.model"),
        (placement(0, 0, first_layer=1), "windows.0.models.0.first_layer"),
        (placement(0, 0, cuts=[2, 1]), "windows.0.models.0.cuts"),
        (placement(0, 0, cuts=[1, 9]), "windows.0.models.0.cuts"),
        (placement(0, 0, path=[0]), "windows.0.models.0.path"),
        (placement(0, 0, path=[0, 2]), "windows.0.models.0.path"),
        (placement(0, 0, path=[0, 0]), "windows.0.models.0.path"),
        (placement(0, 0, path=[0, 99]), "windows.0.models.0.path"),
        (placement(0, 1, path=[1]), "windows.0.models.1.path"),
        (placement(1, 0, cuts=[2]), "windows.1.models.0.cuts"),
        (GOOD | {"windows": GOOD["windows"][:1]}, "decision.windows"),
    ],
)
def test_schedules_of_another_problem_are_refused(changed: dict[str, Any], field: str) -> None:
    with pytest.raises(DecisionError) as error:
        validate(decode(changed), tables(MODELS))
    assert error.value.field.endswith(field)


@pytest.mark.parametrize(
    "changed",
    [
        None, [], {}, {"windows": []}, {"windows": "abc"}, {"windows": [{}]}, {"windows": [{"models": []}]},
        GOOD | {"layout": "other"}, placement(0, 0, model=True), placement(0, 0, cuts=[]), placement(0, 0, cuts=[-1]),
        placement(0, 0, path="01"), placement(0, 0, first_layer=0.5),
    ],
)  # fmt: skip
def test_what_is_no_decision_is_refused(changed: Any) -> None:
    with pytest.raises(DecisionError):
        decode(changed)


def test_the_same_model_twice_in_a_window_must_still_cover_layers_in_order() -> None:
    twice = PackageSchedule(((Placement(0, 0, (3,), (0,)), Placement(0, 0, (3,), (2,)), Placement(1, 0, (2,), (3,))),))
    with pytest.raises(DecisionError):
        validate(twice, tables(MODELS))
