"""Environments in a few words."""

from __future__ import annotations

import pytest

from hardware.environment.loader import load_environment
from hardware.environment.summary import duration_words, environment_words
from tests.hardware.small_devices_for_tests import environment_content


def test_it_names_duration_profiles_and_units() -> None:
    assert environment_words(load_environment(environment_content())) == "100 s: Power 0.5 to 2 W, Light 0 to 50 %"


@pytest.mark.parametrize(
    ("seconds", "words"), [(59, "59 s"), (3600, "1 h"), (5400, "90 min"), (7200, "2 h"), (86400, "1 d")]
)
def test_durations(seconds: float, words: str) -> None:
    assert duration_words(seconds) == words
