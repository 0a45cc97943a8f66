"""Rates, priorities and dependencies."""

from __future__ import annotations

from typing import Any

import pytest

from engines.running.inspection import plan as plan_of
from engines.workloads.builtins import builtin_scenarios
from engines.workloads.errors import WorkloadError
from engines.workloads.loader import load_scenario
from engines.workloads.rates import macs_per_s, unused_terms_notes
from tests.engines.methods.scar.problems import scenario_problem


def scenario_content(*models: dict[str, Any]) -> dict[str, Any]:
    return {"schema": "scenario/1", "slug": "mine", "title": "Mine", "source": "a test", "models": list(models)}


def test_the_terms_of_a_model_are_read() -> None:
    asked = {"network": "resnet18", "batch": 2, "rate_fps": 30, "priority": 1, "probability": 0.5}
    plain = {"network": "vgg16", "batch": 1}
    first, second = load_scenario(scenario_content(asked, plain)).models
    assert (first.rate_fps, first.priority, first.probability, first.depends_on) == (30, 1, 0.5, "")
    assert (second.rate_fps, second.priority, second.probability, second.depends_on) == (None, None, 1.0, "")
    assert first.macs_per_s == pytest.approx(15 * first.network.macs)
    assert second.macs_per_s is None


def test_a_document_of_before_deadlines_loads_without_one() -> None:
    plain = {"network": "resnet18", "batch": 1, "rate_fps": 30}
    before, after = load_scenario(scenario_content(plain, {**plain, "network": "vgg16", "deadline_s": 0.05})).models
    assert (before.deadline_s, after.deadline_s) == (None, 0.05)


def test_rates_add_up_and_none_is_not_zero() -> None:
    both = load_scenario(builtin_scenarios()["xrbench-social-interaction-b"])
    assert macs_per_s(both) == pytest.approx(sum((model.rate_fps or 0) * model.network.macs for model in both.models))
    assert macs_per_s(load_scenario(builtin_scenarios()["mlperf-scenario-1"])) is None


@pytest.mark.parametrize(
    ("terms", "key"),
    [
        ({"rate_fps": 0}, "rate_fps"),
        ({"rate_fps": "fast"}, "rate_fps"),
        ({"deadline_s": 0}, "deadline_s"),
        ({"deadline_s": "soon"}, "deadline_s"),
        ({"priority": 0}, "priority"),
        ({"priority": 1.5}, "priority"),
        ({"probability": 1.5}, "probability"),
        ({"depends_on": "vgg19"}, "depends_on"),
        ({"depends_on": "resnet18"}, "depends_on"),
    ],
)
def test_a_wrong_term_is_named(terms: dict[str, Any], key: str) -> None:
    with pytest.raises(WorkloadError) as caught:
        load_scenario(scenario_content({"network": "vgg16", "batch": 1}, {"network": "resnet18", "batch": 1, **terms}))
    assert caught.value.key == f"models.1.{key}"
    assert caught.value.got == terms[key]


def test_models_do_not_wait_for_each_other() -> None:
    circle = [
        {"network": "vgg16", "batch": 1, "depends_on": "resnet18"},
        {"network": "resnet18", "batch": 1, "depends_on": "vgg16"},
    ]
    with pytest.raises(
        WorkloadError, match=r"depends_on must be one of .* do not wait for this one: \(none\)\. Got 'resnet18'"
    ):
        load_scenario(scenario_content(*circle))


def test_what_an_engine_leaves_aside_is_named() -> None:
    def notes(slug: str) -> tuple[str, ...]:
        return unused_terms_notes(load_scenario(builtin_scenarios()[slug]))

    assert notes("mlperf-scenario-1") == ()
    assert "does not use the rates of" in notes("xrbench-ar-gaming")[0]
    assert "rates, probabilities and dependencies" in notes("xrbench-ar-assistant")[0]


def test_scar_says_what_it_leaves_aside() -> None:
    problem = scenario_problem("simba-3x3-nvdla", "xrbench-ar-gaming")
    assert any("does not use the rates" in note for note in plan_of(problem).notes)
