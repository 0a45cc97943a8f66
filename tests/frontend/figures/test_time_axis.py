"""What a picture says of its time axis."""

import numpy as np

from engines.contract.results import Band, Event, Series, Trace
from frontend.figures.generic import trace_figure
from frontend.figures.time_axis import time_meta


def test_marks_are_in_order_once_each_and_on_the_axis() -> None:
    time = time_meta(0.0, 36_000.0, [7200.0, 60.0, 7200.0, 40_000.0])["time"]
    assert time == {"start": 0.0, "end": 36_000.0, "per_second": 1 / 3600, "unit": "h", "marks": [60.0, 7200.0]}


def test_a_trace_says_its_ends_its_events_and_the_unit_of_every_line() -> None:
    series = (Series("Power", np.array([0.02, 0.03, 0.0]), "W"), Series("Charge", np.array([9.0, 8.0, 7.0]), "%"))
    trace = Trace(
        "t", "T", np.array([5.0, 10.0, 20.0]), series, events=(Event(12.0, "empty"),), bands=(Band(5.0, 8.0, "walk"),)
    )
    figure = trace_figure(trace, "light")
    time = figure.layout.meta["time"]
    assert (time["start"], time["end"], time["per_second"], time["marks"]) == (5.0, 20.0, 1.0, [5.0, 12.0])
    assert [(line.name, line.meta["unit"]) for line in figure.data if line.meta] == [("Power", "mW"), ("Charge", "%")]


def test_a_trace_without_samples_has_no_length() -> None:
    figure = trace_figure(Trace("t", "T", np.empty(0), (Series("Power", np.empty(0), "W"),)), "light")
    assert (figure.layout.meta["time"]["start"], figure.layout.meta["time"]["end"]) == (0.0, 0.0)
