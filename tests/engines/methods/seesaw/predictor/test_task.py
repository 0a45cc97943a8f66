from __future__ import annotations

import numpy as np
import pytest

from engines.methods.seesaw.predictor.task import frame_errors, held_errors


def test_a_series_that_is_held() -> None:
    values = np.array([0.0, 1, 2, 3, 4])
    # Every second value is taken: 0, 1 off in turn, over a range of 4.
    assert held_errors(values, np.array([1.0, 2.0]), 4.0).tolist() == [[0, 0.125]] * 4 + [[0, 0]]


def test_the_error_of_a_video_grows_with_motion_and_with_dropped_frames() -> None:
    errors = frame_errors(np.array([0.0, 4.0]), np.array([10.0, 15.0, 30.0]), 6.0)
    assert errors[0].tolist() == [0, 0, 0]
    # At 15 of 30 frames/s a frame is shown twice: 0 and 4 pixels off, 2 on average.
    assert errors[1] == pytest.approx([1 - np.exp(-4 / 6), 1 - np.exp(-2 / 6), 0])
