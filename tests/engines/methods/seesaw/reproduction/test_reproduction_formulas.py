"""Formulas of the comparisons on columns made by hand: what is expected is worked out beside it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from engines.methods.seesaw.costs.power import node_power
from engines.methods.seesaw.reproduction.correlation import agriculture, cross_validation
from engines.methods.seesaw.reproduction.powers import camera_power, tracker_power, tree_power
from engines.methods.seesaw.reproduction.recordings import camera_videos, tracker_routes
from engines.methods.seesaw.reproduction.rows import (
    BOARD,
    CAMERA,
    LIFE_IS_BEHIND,
    NOISY,
    PUBLICATION,
    SHARES,
    SQUARE,
    SQUARED,
    TOLERANCES,
    TRACKER,
    node_of,
    power_of,
)
from engines.reproduction.comparisons import Comparison


def rows_of(comparisons: Iterable[Comparison]) -> dict[tuple[str, str], Comparison]:
    """Rows by name and reading."""
    return {(each.name, each.reading): each for each in comparisons}


def test_routes_by_hand() -> None:
    # Per tolerance a design with feedback, then one without.
    columns = {
        "gain_percent": np.array([10.0, 11, 20, 21, 30, 31]), "mean_interval_s": np.array([5.0, 6, 7, 8, 9, 10]),
        "mean_rate_hz": np.full(6, 0.5), "error_percent": np.array([1.0, 2, 3, 4, 5, 6]),
        "largest_error_percent": np.array([5.0, 7, 10, 10, 21, 20]),
        "decision_s": np.array([1e-6, 1e-6, 1e-6, 1e-6, 2e-6, 6e-6]), "flash_bytes": np.array([300.0, 300, 300, 300, 300, 1500]),
    }  # fmt: skip
    rows = rows_of(tracker_routes(lambda _: columns))
    for place, tolerance in enumerate(TOLERANCES):
        words = f"tolerance {tolerance} %"
        for reading in (SHARES, BOARD):
            assert rows[f"Gain over sleep, {words}, in use 100%", reading].ours == 10.0 * (place + 1)
        assert rows[f"Mean interval of updates, {words}", SHARES].ours == 5.0 + 2 * place
        assert rows[f"Average error, {words}", SHARES].ours == 1.0 + 2 * place
        largest = rows[f"Largest error with feedback, {words}", SHARES]
        assert largest.ours == [5.0, 10.0, 21.0][place] and largest.ordering is [True, False, False][place]
        assert rows[f"Largest error without feedback, {words}", SHARES].ours == [7.0, 10.0, 20.0][place]
    assert rows["Run time of a decision, tracker", SHARES].ours == pytest.approx(2.0)  # us
    assert rows["Flash of one tree, tracker", SHARES].ours == pytest.approx(0.5)  # kB
    assert {reading for name, reading in rows if not name.startswith("Gain")} == {SHARES}


def test_videos_by_hand() -> None:
    columns = {
        "gain_percent": np.array([10.0, 20, 30]), "mean_rate_hz": np.array([25.0, 20, 15]),
        "error_percent": np.array([5.0, 11, 12]), "decision_s": np.array([4e-6, 5e-6, 6e-6]), "flash_bytes": np.full(3, 700.0),
    }  # fmt: skip
    rows = rows_of(camera_videos(lambda _: columns))
    for place, tolerance in enumerate(TOLERANCES):
        words = f"tolerance {tolerance} %"
        assert rows[f"Gain over sleep, average of gains per video, {words}", BOARD].ours == 10.0 * (place + 1)
        assert rows[f"Mean frame rate, {words}", SHARES].ours == 25.0 - 5 * place
        error = rows[f"Average error, {words}", SHARES]
        assert error.ours == columns["error_percent"][place] and error.ordering is [True, False, True][place]
    assert rows["Run time of a decision, camera", SHARES].ours == pytest.approx(5.0)
    assert rows["Flash of one tree, camera", SHARES].ours == pytest.approx(0.7)


def test_cross_validation_by_hand() -> None:
    # True data 0.2; the least of partly random data 0.3: 1.5 times as much, squared 2.25 times.
    errors = np.array([0.2, 0.3, 0.5, 0.4, 0.6])
    rows = rows_of(cross_validation(lambda case: errors if case.device == TRACKER else errors[::-1]))
    true, least = (next(name for name, _ in rows if name.startswith(start)) for start in ("Cross", "Randomised"))
    assert "tracker" in true and "tracker" in least
    assert rows[true, SHARES].ours == pytest.approx(0.2) and rows[true, SQUARE].ours == pytest.approx(0.04)
    assert rows[least, SHARES].ours == pytest.approx(1.5) and rows[least, SQUARE].ours == pytest.approx(2.25)
    assert rows[least, SHARES].ordering is True and "25%, 50%, 75%, 100% random" in least
    assert (rows[true, SHARES].why, rows[true, SQUARE].why) == (NOISY, SQUARED)
    even = rows_of(cross_validation(lambda case: np.full(5, 0.2) if case.device == TRACKER else errors))
    assert even[least, SHARES].ordering is False
    assert rows[least.replace("tracker", "camera"), SHARES].ordering is False  # 0.2 of 0.6


def test_rain_by_hand() -> None:
    errors = {"temperature": {5: 6.0, 10: 3.0, 20: 4.0}, "humidity": {5: 3.0, 10: 6.0, 20: 4.0}}
    rows = rows_of(agriculture(lambda case: errors[case.sensor][case.tolerance_percent]))
    name = "Rain: cross-validation error of temperature over that of humidity, tolerance {} %"
    found = [rows[name.format(tolerance), ""] for tolerance in TOLERANCES]
    assert [(each.ours, each.ordering) for each in found] == [(2.0, True), (0.5, False), (1.0, False)]
    temperature, humidity = (PUBLICATION.value(f"table3.1.{each}.tol5") for each in ("temperature", "humidity"))
    assert found[0].published == temperature / humidity


def test_lives_and_gains_of_the_tracker_by_its_power() -> None:
    rows = rows_of(tracker_power())
    for reading, calibration in ((SHARES, "shares"), (BOARD, "board")):
        power = power_of(TRACKER, calibration)  # type: ignore[arg-type]
        mean = float(power.mean_w(1.0))
        assert rows["Share of the sensor fusion (10 mW) in the mean power", reading].ours == pytest.approx(
            100 * 0.01 / mean
        )
        for activity in (0.1, 0.2, 0.4):
            row = rows[f"Gain of sleep, in use {activity:.0%} of the time", reading]
            assert row.ours == pytest.approx(power.without_sleep_w / float(power.mean_w(1.0, activity)))
        interval = PUBLICATION.value("fig3.11.average_update_interval.tol10")
        row = rows["Gain over sleep at the published mean interval, tolerance 10 %, in use 10%", reading]
        assert row.ours == pytest.approx(100 * (float(power.mean_w(1.0, 0.1) / power.mean_w(1 / interval, 0.1)) - 1))
        assert row.ours > 0
    assert rows["Share of the sensor fusion (10 mW) in the mean power", BOARD].why == LIFE_IS_BEHIND
    assert rows["Share of the sensor fusion (10 mW) in the mean power", SHARES].why == ""
    name = "Gain over sleep at the published mean interval, tolerance 5 %, in use {}%"
    kinds = {(use, reading): rows[name.format(use), reading] for use in (10, 100) for reading in (SHARES, BOARD)}
    assert {key: row.kind for key, row in kinds.items() if row.kind == "fitted"} == {(100, SHARES): "fitted"}
    assert {key for key, row in kinds.items() if "average of gains" in row.why} == {(100, SHARES), (100, BOARD)}
    # 0.37 Wh at the printed 206 mW; the printed 7.8 h would be 47.4 mW.
    life = rows["Life at 1 Hz", BOARD]
    assert life.ours == pytest.approx(0.37 / 0.206, rel=0.002)
    board = power_of(TRACKER, "board")
    assert life.ours == pytest.approx(board.capacity_j / float(board.mean_w(1.0)) / 3600)
    assert "7.8 h from 0.37 Wh is 0.0474 W" in life.why and "0.206 W" in life.why
    receiver = 7.8 / 0.74  # the battery lasts 7.8 h, 74 % of the power is the receiver's
    assert rows["Life of the commercial tracker, the receiver alone", SHARES].ours == pytest.approx(receiver)


def test_gains_of_the_camera_by_its_power() -> None:
    rows = rows_of(camera_power())
    shares, board = power_of(CAMERA, "shares"), power_of(CAMERA, "board")
    assert rows["Gain of sleep at 30 frames/s", SHARES].ours == pytest.approx(
        100 * (shares.without_sleep_w / float(shares.mean_w(30.0)) - 1)
    )
    assert rows["Life at 30 frames/s, without sleep", BOARD].ours == pytest.approx(
        board.capacity_j / board.without_sleep_w / 3600
    )
    with pytest.raises(KeyError):
        rows["Gain of sleep at 30 frames/s", BOARD]
    # Active, idle and writing: 492 + 40 + 216 mW of 2.144 W; 36 % is printed in the one place.
    share = rows["Share of the processor: its printed powers together over the mean power", SHARES]
    assert share.ours == pytest.approx(100 * 0.748 / shares.without_sleep_w) and "748 mW" in share.why
    assert share.published == PUBLICATION.value("camera.share_sensor_processor_gps")[1]
    assert share.sources == ("camera.share_sensor_processor_gps[1]",)
    assert rows["Gain of sleep at 30 frames/s", SHARES].sources == ("fig3.9.sleep_gain_30fps",)
    for tolerance in TOLERANCES:
        rate = PUBLICATION.value(f"fig3.7.average_frame_rate.tol{tolerance}")
        row = rows[f"Gain over sleep at the published mean frame rate, tolerance {tolerance} %", SHARES]
        assert row.ours == pytest.approx(100 * (float(shares.mean_w(30.0) / shares.mean_w(rate)) - 1)) and row.ours > 0
        assert f"gives {100 * (30 - rate) / rate:.3g} %" in row.why


def test_each_device_has_its_own_fitted_share() -> None:
    tracker, camera = (node_power(node_of(slug), "shares", standby, sleep)
                       for slug, standby, sleep in ((TRACKER, 0.31, 0.0), (CAMERA, 0.0, 0.42)))  # fmt: skip
    for expected, slug in ((tracker, TRACKER), (camera, CAMERA)):
        np.testing.assert_array_equal(power_of(slug, "shares").active_w, expected.active_w)


def test_power_of_a_tree_is_its_time_once_a_second_times_a_power() -> None:
    rows = rows_of(tree_power())
    seconds = PUBLICATION.value("tree.runtime_camera") / 1e6
    row = rows["Power of the tree, camera: published run time x published power", ""]
    assert row.ours == pytest.approx(1e6 * seconds * 0.216, rel=1e-9)  # uW; writing takes 216 mW
    assert "write power, 216 mW" in row.reason
    share = rows["Share of the tree in the power, camera", ""]
    camera = power_of(CAMERA, "shares")
    assert share.ours == pytest.approx(100 * seconds * 0.216 / float(camera.mean_w(30.0)))
