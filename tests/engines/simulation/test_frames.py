"""Frames one by one."""

import numpy as np

from engines.simulation.frames import frame_by_frame
from tests.engines.simulation.boards import board, mapping, network, unit


def test_a_pipeline_is_as_fast_as_its_slowest_stage() -> None:
    one = board([unit("a"), unit("b")], network("x", [[0.01, 1.0], [1.0, 0.03]]))
    np.testing.assert_allclose(frame_by_frame(one, mapping([[1, 2]], [[0, 1]], [1, 1]), 90), [100 / 3], rtol=0.02)


def test_two_networks_take_turns_by_time() -> None:
    one = board([unit("a")], network("x", [[0.01]]), network("y", [[0.04]]))
    np.testing.assert_allclose(frame_by_frame(one, mapping([[1], [1]], [[0], [0]], [1]), 90), [50.0, 12.5], rtol=0.05)


def test_frames_that_come_at_a_rate_wait_for_no_other() -> None:
    one = board([unit("a")], network("x", [[0.01]]), network("y", [[0.02]], most_per_s=10.0))
    np.testing.assert_allclose(frame_by_frame(one, mapping([[1], [1]], [[0], [0]], [1]), 60), [80.0, 10.0], rtol=0.05)
