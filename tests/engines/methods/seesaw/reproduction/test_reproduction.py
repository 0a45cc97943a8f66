"""Published values beside computed ones: what follows from the powers, and what an independent check of them found."""

from __future__ import annotations

from math import isfinite

import pytest

from engines.methods.seesaw.reproduction.rows import BOARD, SHARES, TOLERANCES
from engines.reproduction.comparisons import Comparison
from engines.reproduction.reproductions import comparisons_of

GAIN = "Gain over sleep at the published mean interval, tolerance {} %, in use {}%"


@pytest.fixture(scope="module")
def quick() -> dict[tuple[str, str], Comparison]:
    return {(row.name, row.reading): row for row in comparisons_of("seesaw", quick=True)}


def test_published_values_stand_beside_computed_ones(quick: dict[tuple[str, str], Comparison]) -> None:
    assert all(row.where and row.group and isfinite(row.ours) and row.published for row in quick.values())
    assert {row.kind for row in quick.values()} == {"arithmetic", "fitted", "predicted", "repeated"}


def test_lives_follow_from_printed_powers_and_contradict_the_printed_ones(quick) -> None:
    tracker, camera = quick["Life at 1 Hz", BOARD], quick["Life at 30 frames/s, without sleep", BOARD]
    assert tracker.kind == "predicted" and tracker.ours == pytest.approx(1.8, abs=0.01) and "contradict" in tracker.why
    assert camera.ours == pytest.approx(6.95, abs=0.01) and "contradict" in camera.why
    assert "2.5 h" in camera.why
    assert quick["Life of the commercial camera", BOARD].ours == camera.ours


def test_a_figure_that_went_in_is_not_compared_with_itself(quick: dict[tuple[str, str], Comparison]) -> None:
    """Only what took one more figure to get stands under the shares, from which lives and shares come out as they went in."""
    lives = [name for name, reading in quick if reading == SHARES and name.startswith("Life")]
    assert lives == ["Life of the commercial tracker, the receiver alone"]
    shares = {name for name, reading in quick if reading == SHARES and name.startswith("Share")}
    assert shares == {
        "Share of the sensor fusion (10 mW) in the mean power",
        "Share of the processor: its published powers together over the mean power",
    }


def test_gains_of_the_tracker_are_predicted_by_its_board(quick) -> None:
    expected = {(0.1, "sleep"): 6.96, (0.2, "sleep"): 4.19, (0.4, "sleep"): 2.33}
    for (activity, _), gain in expected.items():
        row = quick[f"Gain of sleep, in use {activity:.0%} of the time", BOARD]
        assert row.ours == pytest.approx(gain, abs=0.005) and row.kind == "arithmetic" and not row.why
    for tolerance, activity, percent in (
        (5, 100, 71.7),
        (10, 100, 80.2),
        (20, 100, 84.7),
        (5, 10, 41.0),
        (20, 10, 46.9),
    ):
        row = quick[GAIN.format(tolerance, activity), BOARD]
        assert row.ours == pytest.approx(percent, abs=0.1)
        assert row.kind == ("repeated" if activity == 100 else "predicted")


def test_a_share_of_the_fusion_chip_closes_without_a_fitted_constant(quick) -> None:
    row = quick["Share of the sensor fusion (10 mW) in the mean power", SHARES]
    assert row.kind == "arithmetic" and row.ratio == pytest.approx(1, abs=0.01)


def test_gains_of_the_camera_cannot_be_those_of_averages(quick) -> None:
    for tolerance, percent in ((5, 6.2), (10, 11.8), (20, 24.0)):
        row = quick[f"Gain over sleep at the published mean frame rate, tolerance {tolerance} %", SHARES]
        assert row.ours == pytest.approx(percent, abs=0.1) and row.ours < row.published and row.why


def test_the_power_of_the_tree_is_its_run_time_times_a_printed_power(quick) -> None:
    rows = [row for row in quick.values() if row.name.startswith("Power of the tree")]
    assert len(rows) == 2 and all(row.ratio == pytest.approx(1, abs=0.04) and row.kind == "arithmetic" for row in rows)


@pytest.mark.long
def test_on_synthetic_routes_feedback_caps_the_largest_error() -> None:
    rows = {(row.name, row.reading): row for row in comparisons_of("seesaw")}
    for tolerance in TOLERANCES:
        capped = rows[f"Largest error with feedback, tolerance {tolerance} %", SHARES]
        free = rows[f"Largest error without feedback, tolerance {tolerance} %", SHARES]
        assert capped.ours < tolerance + 1.0 and capped.ours < free.ours and capped.ordering
        assert capped.kind == free.kind == "fitted" and "synthetic" in capped.why
        rain = rows[f"Rain: cross-validation error of temperature over that of humidity, tolerance {tolerance} %", ""]
        assert rain.ours > 1 and rain.ordering


def test_the_processors_share_follows_from_its_board_and_the_trackers_life_from_its_receiver(
    quick: dict[tuple[str, str], Comparison],
) -> None:
    processor = quick["Share of the processor: its published powers together over the mean power", SHARES]
    assert processor.kind == "arithmetic" and processor.ours == pytest.approx(100 * (0.492 + 0.04 + 0.216) / 2.144)
    assert "748 mW" in processor.why and "31 %" in processor.why
    commercial = quick["Life of the commercial tracker, the receiver alone", SHARES]
    assert (commercial.published, commercial.kind, commercial.test) == (10, "arithmetic", "at most")
    assert commercial.ours == pytest.approx(7.8 / 0.74)
