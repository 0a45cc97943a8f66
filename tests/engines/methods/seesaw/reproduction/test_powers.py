from __future__ import annotations

import pytest

from engines.methods.seesaw.reproduction.powers import camera_power, tracker_power, tree_power
from engines.methods.seesaw.reproduction.rows import (
    BOARD,
    CAMERA,
    LIFE_IS_BEHIND,
    PUBLICATION,
    SHARES,
    TOLERANCES,
    TRACKER,
    power_of,
)
from tests.engines.methods.seesaw.reproduction.cases import rows_of


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
    assert rows["Share of the sensor fusion (10 mW) in the mean power", SHARES].reason == ""
    name = "Gain over sleep at the published mean interval, tolerance 5 %, in use {}%"
    kinds = {(use, reading): rows[name.format(use), reading] for use in (10, 100) for reading in (SHARES, BOARD)}
    assert {key[0]: row.kind for key, row in kinds.items()} == {100: "repeated", 10: "predicted"}  # routes have rows
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
    share = rows["Share of the processor: its published powers together over the mean power", SHARES]
    assert share.ours == pytest.approx(100 * 0.748 / shares.without_sleep_w) and "748 mW" in share.why
    assert share.published == PUBLICATION.value("camera.share_sensor_processor_gps")[1]
    assert share.sources == ("camera.share_sensor_processor_gps[1]",)
    assert rows["Gain of sleep at 30 frames/s", SHARES].sources == ("fig3.9.sleep_gain_30fps",)
    for tolerance in TOLERANCES:
        rate = PUBLICATION.value(f"fig3.7.average_frame_rate.tol{tolerance}")
        row = rows[f"Gain over sleep at the published mean frame rate, tolerance {tolerance} %", SHARES]
        assert row.ours == pytest.approx(100 * (float(shares.mean_w(30.0) / shares.mean_w(rate)) - 1)) and row.ours > 0
        assert f"gives {100 * (30 - rate) / rate:.3g} %" in row.why


def test_power_of_a_tree_is_its_time_once_a_second_times_a_power() -> None:
    rows = rows_of(tree_power())
    seconds = PUBLICATION.value("tree.runtime_camera") / 1e6
    row = rows["Power of the tree, camera: published run time x published power", ""]
    assert row.ours == pytest.approx(1e6 * seconds * 0.216, rel=1e-9)  # uW; writing takes 216 mW
    assert "write power, 216 mW" in row.reason
    share = rows["Share of the tree in the power, camera", ""]
    camera = power_of(CAMERA, "shares")
    assert share.ours == pytest.approx(100 * seconds * 0.216 / float(camera.mean_w(30.0)))
