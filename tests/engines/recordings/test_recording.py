from __future__ import annotations

import numpy as np

from engines.recordings.recording import Track


def test_a_track_that_begins_late_begins_at_nought_when_resampled() -> None:
    track = Track("late", np.array([10.0, 12.0]), {"a": np.array([1.0, 3.0])})
    assert track.resampled(1.0).columns["a"].tolist() == [1, 2, 3] and track.duration_s == 2
