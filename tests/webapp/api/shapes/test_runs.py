from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from webapp.api.shapes import runs
from webapp.api.shapes.runs import MoreTime, NewRun, Wish


def test_inputs_are_told_with_the_version_that_they_are_pinned_to() -> None:
    rows = [SimpleNamespace(slot="hardware", slug="xavier", version=3)]
    of_run = SimpleNamespace(all=lambda: rows)
    asked: Any = runs.Run.model_fields["inputs"]
    adapter: TypeAdapter[Any] = TypeAdapter(dict[str, str])
    assert adapter.validate_python(asked.metadata[0].func(of_run)) == {"hardware": "xavier@3"}


def test_a_problem_needs_only_its_engine() -> None:
    made = NewRun.model_validate({"engine": "toy"})
    assert (made.inputs, made.params, made.seed, made.stop_after_minutes, made.parent) == ({}, {}, 0, None, None)


@pytest.mark.parametrize(
    ("body", "given"),
    [
        (NewRun, {}),
        (NewRun, {"engine": "toy", "seed": -1}),
        (NewRun, {"engine": "toy", "stop_after_minutes": 0}),
        (Wish, {"wish": "go"}),
        (MoreTime, {"minutes": 5}),
    ],
)
def test_what_cannot_be_taken_is_refused(body: Any, given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        body.model_validate(given)
