"""Recordings read from documents, and synthetic ones."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given, settings

from engines.recordings.loader import load_recording, recording_words
from hardware.errors import HardwareError
from tests.hardware.documents_for_tests import changed
from tests.support.mutations import mutated

_RECORDING: dict[str, Any] = {
    "schema": "recording/1",
    "slug": "pond",
    "title": "Pond",
    "source": "made up",
    "measures": "air",
    "units": {"light": "%", "air": "degC"},
    "tracks": [{"title": "one", "times_s": [0, 1, 3], "columns": {"light": [0, 50, 100], "air": [9, 9.5, 10]}}],
}
_GENERATOR = {"kind": "routes", "tracks": 2, "duration_s": 60, "step_s": 1, "seed": 1}


def recording_content(**changes: Any) -> dict[str, Any]:
    """A fresh recording; `changes` as for `package_content`."""
    return changed(_RECORDING, changes)


def test_columns_are_converted_once_and_resampled_by_straight_lines() -> None:
    recording = load_recording(recording_content())
    assert recording.units == {"light": "share", "air": "degC"} and recording.measures == "air"
    assert recording.tracks[0].columns["light"].tolist() == [0, 0.5, 1]
    again = recording.tracks[0].resampled(1.0)
    assert again.times_s.tolist() == [0, 1, 2, 3] and again.columns["light"].tolist() == [0, 0.5, 0.75, 1]
    assert recording_words(recording) == "1 track, 3 s in all: light, air"


@pytest.mark.parametrize(
    ("changes", "key", "accepted"),
    [
        ({"tracks": []}, "tracks", "or a generator"),
        (
            {"generator": _GENERATOR},
            "tracks",
            "A recording has either tracks or a generator. tracks must be given, or a generator given",
        ),
        ({"units": {"light": "lumen", "air": "degC"}}, "units.light", "mW"),
        ({"units": {"light": "%"}}, "tracks.0.columns", "['light']"),
        ({"measures": None}, "measures", "one of light, air"),
        (
            {"measures": "route"},
            "measures",
            "A route needs latitude and longitude, or x and y. measures must be one of light, air",
        ),
        ({"measures": "rain"}, "measures", "light, air"),
    ],
)
def test_it_names_key_and_values_accepted(changes: dict[str, Any], key: str, accepted: str) -> None:
    with pytest.raises(HardwareError) as caught:
        load_recording(recording_content(**changes))
    assert caught.value.key == key and accepted in str(caught.value)


def place_content(latitudes: list[float], longitudes: list[float], unit: str = "deg") -> dict[str, Any]:
    """A recording of places, a second each."""
    columns = {"latitude": latitudes, "longitude": longitudes}
    track = {"title": "one", "times_s": list(range(len(latitudes))), "columns": columns}
    return recording_content(measures=None, units=dict.fromkeys(columns, unit)) | {"tracks": [track]}


def test_longitudes_go_on_over_the_date_line() -> None:
    content = place_content([1, 2, 3], [179.5, -179.5, -178])
    (track,) = load_recording(content).tracks
    assert track.columns["longitude"].tolist() == [179.5, 180.5, 182]
    assert content["tracks"][0]["columns"]["longitude"] == [179.5, -179.5, -178]
    assert load_recording(place_content([1, 2], [359.5, 0.5])).tracks[0].columns["longitude"].tolist() == [359.5, 360.5]


@pytest.mark.parametrize(
    ("content", "key", "accepted"),
    [
        (place_content([1, 90.5], [1, 2]), "tracks.0.columns.latitude", "from -90 to 90 deg"),
        (place_content([1, 2], [1, 2], "m"), "units.latitude", "deg"),
    ],
)
def test_places_that_are_none_are_refused(content: dict[str, Any], key: str, accepted: str) -> None:
    with pytest.raises(HardwareError) as caught:
        load_recording(content)
    assert (caught.value.key, caught.value.accepted) == (key, accepted)


def test_times_that_do_not_ascend_are_named() -> None:
    content = recording_content()
    content["tracks"] = [{"title": "one", "times_s": [0, 2, 1], "columns": {"light": [0, 1, 2], "air": [1, 1, 1]}}]
    with pytest.raises(HardwareError) as caught:
        load_recording(content)
    assert caught.value.key == "tracks.0.times_s.2"


@settings(deadline=None)
@given(mutated(recording_content()))
def test_a_document_loads_or_is_refused_but_never_crashes(content: dict[str, Any]) -> None:
    with contextlib.suppress(HardwareError):
        assert load_recording(content).tracks


def test_too_many_points_are_not_drawn() -> None:
    generator = _GENERATOR | {"tracks": 1000, "duration_s": 1e5}
    content = {
        key: value for key, value in recording_content(generator=generator).items() if key not in ("tracks", "units")
    }
    with pytest.raises(HardwareError) as caught:
        load_recording(content)
    assert caught.value.key == "generator.tracks"
