"""Pages of environments and recordings, and their pictures."""

from __future__ import annotations

import numpy as np

from engines.recordings.loader import builtin_recordings, load_recording
from frontend.pages.catalogue.series.view import environment_trace, recording_trace, tracks_card
from hardware.environment.loader import builtin_environments, load_environment


def test_an_environment_is_drawn_with_its_steps_and_periods() -> None:
    trace = environment_trace(load_environment(builtin_environments()["uav-two-hour-flight"]))
    assert trace.time_s.tolist() == [0, 360, 3600, 5400, 7200]
    assert trace.series[0].y.tolist() == [12, 32, 12, 32, 32] and trace.series[0].style == "step"
    assert [band.title for band in trace.bands] == ["turbulent", "calm", "turbulent", "calm"]


def test_a_route_is_drawn_by_speed_and_turning_and_a_series_by_its_columns() -> None:
    route = recording_trace(load_recording(builtin_recordings()["synthetic-routes"]))
    assert [(series.title, series.unit) for series in route.series] == [("Speed", "m/s"), ("Turn per second", "°")]
    assert 1 < float(np.mean(route.series[0].y)) < 5
    weather = recording_trace(load_recording(builtin_recordings()["synthetic-weather"]))
    assert ("Humidity", "%") in [(series.title, series.unit) for series in weather.series]


def test_tracks_are_listed_with_their_length() -> None:
    text = str(tracks_card(load_recording(builtin_recordings()["synthetic-routes"])).to_plotly_json())
    assert "synthetic 200" in text and "km" in text
