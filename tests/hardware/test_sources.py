"""Sources spread over the figures that they cover."""

from __future__ import annotations

import pytest

from hardware.errors import HardwareError
from hardware.sources import covers, spread_sources

FIGURES = ["chiplets.A.buffer_mib", "chiplets.B.buffer_mib", "clock_mhz"]


@pytest.mark.parametrize(
    ("pattern", "key", "expected"),
    [
        ("chiplets", "chiplets.A.buffer_mib", True),
        ("chiplets.*.buffer_mib", "chiplets.A.buffer_mib", True),
        ("chiplets.B", "chiplets.A.buffer_mib", False),
        ("chiplets.A.buffer_mib.x", "chiplets.A.buffer_mib", False),
        ("clock", "clock_mhz", False),
    ],
)
def test_a_pattern_covers_itself_and_what_is_below(pattern: str, key: str, expected: bool) -> None:
    assert covers(pattern, key) is expected


def test_the_longest_pattern_counts_then_the_one_with_fewer_stars() -> None:
    sources = {
        "chiplets": "short",
        "chiplets.*.buffer_mib": "star",
        "chiplets.A.buffer_mib": "own",
        "clock_mhz": "clock",
    }
    spread = spread_sources(sources, FIGURES, "mine.yaml")
    assert spread == dict(zip(FIGURES, ["own", "star", "clock"], strict=True))


def test_a_figure_without_a_source_is_refused() -> None:
    with pytest.raises(HardwareError) as caught:
        spread_sources({"chiplets": "a"}, FIGURES, "mine.yaml")
    assert caught.value.key == "sources.clock_mhz"


def test_a_source_without_a_figure_is_refused() -> None:
    with pytest.raises(HardwareError) as caught:
        spread_sources({"chiplets": "a", "clock_mhz": "b", "chiplets.C": "c"}, FIGURES, "mine.yaml")
    assert caught.value.key == "sources.chiplets.C"
