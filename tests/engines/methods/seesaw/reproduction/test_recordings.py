from __future__ import annotations

import numpy as np
import pytest

from engines.methods.seesaw.reproduction.recordings import camera_videos, tracker_routes
from engines.methods.seesaw.reproduction.rows import BOARD, SHARES, TOLERANCES
from tests.engines.methods.seesaw.reproduction.cases import rows_of


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
    assert {reading for name, reading in rows if not name.startswith("Gain")} == {SHARES}


def test_videos_by_hand() -> None:
    columns = {
        "gain_percent": np.array([10.0, 20, 30]), "mean_rate_hz": np.array([25.0, 20, 15]),
        "error_percent": np.array([5.0, 11, 12]), "decision_s": np.array([4e-6, 5e-6, 6e-6]),
        "flash_bytes": np.array([300.0, 300, 1500]),
    }  # fmt: skip
    rows = rows_of(camera_videos(lambda _: columns))
    for place, tolerance in enumerate(TOLERANCES):
        words = f"tolerance {tolerance} %"
        gain, rate = (
            rows[f"{name}, {words}", SHARES]
            for name in ("Gain over sleep, average of gains per video", "Mean frame rate")
        )
        assert rows[gain.name, BOARD].ours == gain.ours == 10.0 * (place + 1)
        assert rate.ours == 25.0 - 5 * place
        assert (gain.baseline, rate.baseline) == (0, None)  # a gain of 0 % is none
        error = rows[f"Average error, {words}", SHARES]
        assert error.ours == columns["error_percent"][place] and error.ordering is [True, False, True][place]
    assert rows["Run time of a decision, camera", SHARES].ours == pytest.approx(5.0)
    assert rows["Flash of both trees", SHARES].ours == pytest.approx(
        1.4
    )  # kB, the mean of 300, 300 and 1500 bytes twice
    assert {reading for name, reading in rows if not name.startswith("Gain")} == {SHARES}
