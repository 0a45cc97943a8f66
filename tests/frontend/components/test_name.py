"""Names that are too long for their place."""

from __future__ import annotations

import pytest

from frontend.components.name import cut_name, cut_words, halves


@pytest.mark.parametrize(
    "text",
    ["", "ResNet-50", "NVIDIA Jetson AGX Xavier, 15 W", "Scenario 4 on Het-Sides, seed 12", "withoutanybreakinit"],
)
def test_halves_are_the_whole_name(text: str) -> None:
    assert "".join(halves(text)) == text


def test_the_end_of_a_name_stays_whole() -> None:
    head, tail = halves("Scenario 4 on the heterogeneous package, seed 12")
    assert tail.endswith("seed 12") and abs(len(head) - len(tail)) < 14


def test_the_whole_name_is_told_on_pointing_at_it() -> None:
    assert cut_name("Scenario 4 on Het-Sides, seed 12").title == "Scenario 4 on Het-Sides, seed 12"


def test_words_are_cut_in_their_middle() -> None:
    assert cut_words("short", 10) == "short"
    found = cut_words("mobilenet-v2-quantised-seed-12", 15)
    assert len(found) <= 15 and found.startswith("mobile") and found.endswith("seed-12")
