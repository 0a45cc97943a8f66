from __future__ import annotations

import pytest

from hardware.errors import HardwareError
from hardware.movable import REACH, Movable, at_key, scaled

CONTENT = {"a": {"speed": 4.0, "fast": 8.0, "count": 20}}


def test_a_figure_reaches_as_far_down_as_up() -> None:
    speed = scaled("speed", "Speed", "Hz", CONTENT, "a.speed")
    assert (speed.low, speed.value, speed.high) == (4.0 / REACH, 4.0, 4.0 * REACH)
    assert speed.at(5.0) == {"a.speed": 5.0}


def test_figures_that_are_moved_together_keep_their_ratio() -> None:
    assert scaled("speed", "Speed", "Hz", CONTENT, "a.speed", "a.fast").at(6.0) == {"a.speed": 6.0, "a.fast": 12.0}


def test_counts_stay_whole_and_above_what_is_accepted() -> None:
    count = scaled("count", "Count", "", CONTENT, "a.count", whole=True, least=16)
    assert count.low == 16 and count.at(31.4) == {"a.count": 31}


def test_choices_are_counted_from_the_lowest() -> None:
    sides = Movable(
        "sides", "Sides", "", 1, 1, 2, ("a.sides",), log=False, whole=True, choices=(["left"], ["left", "top"])
    )
    assert sides.at(2) == {"a.sides": ["left", "top"]}


@pytest.mark.parametrize("value", [0.0, 100.0, float("nan")])
def test_beyond_its_range_it_is_refused(value: float) -> None:
    with pytest.raises(HardwareError, match=r"must be 0\.5 to 32 Hz"):
        scaled("speed", "Speed", "Hz", CONTENT, "a.speed").at(value)


def test_what_a_document_has_at_a_key() -> None:
    assert at_key(CONTENT, "a.count") == 20
