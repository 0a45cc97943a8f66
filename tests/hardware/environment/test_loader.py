"""Environments read from documents, values at any time, and what is said about documents that do not fit."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from hardware.environment.loader import builtin_environments, load_environment
from hardware.errors import HardwareError
from tests.hardware.small_devices_for_tests import environment_content
from tests.support.mutations import mutated


@pytest.mark.parametrize(
    ("changes", "key", "accepted"),
    [
        ({"profiles__power_budget__unit": "horsepower"}, "profiles.power_budget.unit", "mW"),
        ({"profiles__power_budget__times_s": [0, 40, 40]}, "profiles.power_budget.times_s.2", "above 40"),
        (
            {"profiles__power_budget__times_s": [1, 10, 40]},
            "profiles.power_budget.times_s.0",
            "A profile starts at time 0. profiles.power_budget.times_s.0 must be 0",
        ),
        ({"profiles__light__values": [1]}, "profiles.light.values", "2 values, one per time"),
        ({"profiles__light__values": [1, float("nan")]}, "profiles.light.values.1", "number"),
        ({"duration_s": 0}, "duration_s", "greater than 0"),
        ({"periods": [{"title": "noon", "start_s": 5, "end_s": 5}]}, "periods.0.end_s", "above 5"),
        ({"sources__periods": None}, "sources.periods.0", "here or for a key around it"),
    ],
)
def test_it_names_key_and_values_accepted(changes: dict[str, Any], key: str, accepted: str) -> None:
    with pytest.raises(HardwareError) as caught:
        load_environment(environment_content(**changes), "mine.yaml")
    assert caught.value.key == key
    assert accepted in str(caught.value)


@given(mutated(environment_content()))
def test_a_document_loads_or_is_refused_but_never_crashes(content: dict[str, Any]) -> None:
    environment = None
    with contextlib.suppress(HardwareError):
        environment = load_environment(content)
    assert environment is None or environment.duration_s > 0


@pytest.mark.parametrize("slug", builtin_environments())
def test_every_environment_loads(slug: str) -> None:
    environment = load_environment(builtin_environments()[slug])
    assert environment.slug == slug
    assert all(profile.times_s[-1] <= environment.duration_s for profile in environment.profiles.values())


def test_the_drone_has_12_w_in_turbulent_and_32_w_in_calm_weather() -> None:
    # minakova-2022 section 4
    budget = load_environment(builtin_environments()["uav-two-hour-flight"]).profiles["power_budget"]
    hours = np.array([0.05, 0.5, 1.25, 1.75])
    assert budget.at(hours * 3600).tolist() == [12, 32, 12, 32]
