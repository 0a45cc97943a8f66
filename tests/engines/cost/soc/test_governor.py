from collections.abc import Mapping

import pytest

from engines.cost.soc.governor import governed_clocks

STEPS = {"cpu": (1.0, 2.0, 3.0, 4.0), "memory": (1.0, 8.0)}


@pytest.mark.parametrize(
    ("work", "clock"),
    [
        (0.1, 1.0),  # 0.125 are wanted: the lowest step
        (1.6, 2.0),  # busy 80 % of the time at 2: exactly at rest
        (1.7, 3.0),
        (3.5, 4.0),
        (9.0, 4.0),  # more than it can do
    ],
)
def test_a_clock_comes_to_rest_where_four_fifths_of_the_time_are_enough(work: float, clock: float) -> None:
    def busy(clocks: Mapping[str, float]) -> dict[str, float]:
        return {"cpu": min(1.0, work / clocks["cpu"])}

    assert governed_clocks(STEPS, ["cpu"], busy) == {"cpu": clock, "memory": 8.0}


def test_where_it_swings_the_highest_clock_of_the_swing_counts() -> None:
    def busy(clocks: Mapping[str, float]) -> dict[str, float]:
        return {"cpu": 0.3 if clocks["cpu"] > 2 else 1.0}

    assert governed_clocks(STEPS, ["cpu"], busy)["cpu"] == 4.0
