from __future__ import annotations

import numpy as np
import pytest

from engines.recordings.loader import builtin_recordings, load_recording, recording_words


@pytest.mark.parametrize("slug", builtin_recordings())
def test_built_in_recordings_are_synthetic_and_say_so(slug: str) -> None:
    content = builtin_recordings()[slug]
    recording = load_recording(content)
    assert recording.slug == slug and recording.synthetic and recording_words(recording).startswith("synthetic")
    assert "synthetic" in content["title"].lower() and "not recorded" in content["summary"]
    again = load_recording(content)
    assert all(
        np.array_equal(a.columns[n], b.columns[n])
        for a, b in zip(recording.tracks, again.tracks, strict=True)
        for n in a.columns
    )
