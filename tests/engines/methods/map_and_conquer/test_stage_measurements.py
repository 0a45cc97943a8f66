"""Documents of measured stages, and accuracies that follow them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engines.contract.engine import Document
from engines.contract.errors import ProblemError
from engines.contract.results import Note
from engines.documents.families import load, summary_of
from engines.documents.problems import make_problem
from engines.methods.map_and_conquer.problem.instance import instance_of
from engines.methods.map_and_conquer.stage_measurements import fitted_curve, measured_document
from engines.testing.conformance import TinyProblem, designs_of, run_all
from tests.engines.methods.map_and_conquer.problems import cut_problem

STAGES = [(0.2, 30.0), (0.4, 80.0), (0.5, 76.0), (0.9, 95.0)]


def document(network: str = "chain", **changes: Any) -> Document:
    content = {**measured_document(network, "digits", 10, 96.0, STAGES, {}), **changes}
    return Document("weights", content["slug"], 1, content)


def followed(given: Document, params: dict[str, Any] | None = None) -> Any:
    plain = cut_problem(params)
    return make_problem("map-and-conquer", {**plain.inputs, "accuracies": given}, dict(params or {}), seed=0)


def test_the_curve_never_falls_and_ends_at_the_whole_network_and_at_guessing() -> None:
    curve = fitted_curve(*np.array(STAGES).T, 96.0, 10.0)
    at = lambda seen: float(np.interp(seen, curve.seen, curve.percent))  # noqa: E731
    assert (at(0.0), at(0.2), at(0.9), at(1.0)) == pytest.approx((10, 30, 95, 96))
    assert at(0.4) == at(0.5) == pytest.approx(78)  # two that fall are drawn together
    assert at(0.1) == pytest.approx(20)  # straight between
    assert summary_of(document().content) == "4 stages of chain measured on digits: 10.0 to 96.0 %"


def test_accuracies_of_a_run_follow_the_document() -> None:
    params = {"evaluations": 60, "population": 20, "partition_steps": 4, "clocks": "fixed"}
    problem = followed(document(), params)
    steps = run_all(TinyProblem(problem))
    designs = designs_of(steps)
    assert designs.columns["accuracy_percent"].max() <= 96.0
    assert designs.columns["first_stage_fraction"].min() < 0.8  # far below what is assumed
    note = next(each for step in steps for each in step.results if isinstance(each, Note) and each.name == "accuracy")
    assert "4 stages of chain" in note.text


def test_stages_of_another_network_are_refused() -> None:
    with pytest.raises(ProblemError, match="These stages are of other") as error:
        instance_of(followed(document("other")))
    assert error.value.field == "inputs.accuracies"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"stages": [{"seen": 1.5, "accuracy_percent": 10.0}] * 2}, "stages.0.seen"),
        ({"stages": []}, "stages"),
        ({"whole_accuracy_percent": 101}, "whole_accuracy_percent"),
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(ProblemError) as error:
        load(document(**changes).content)
    assert error.value.field == field
