from __future__ import annotations

from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.calibration.movable import calibration_figures, calibration_with

CONTENT = builtin_calibrations()["xavier-magnas"]


def test_every_calibration_stays_valid_at_both_ends_of_every_figure() -> None:
    for content in builtin_calibrations().values():
        figures = calibration_figures(content)
        assert len({figure.name for figure in figures}) == len(figures) > 2
        for figure in figures:
            for end in (figure.low, figure.high):
                load_calibration(calibration_with(content, figure.at(end), "assumed"))


def test_the_launch_time_of_every_measured_unit_can_be_moved() -> None:
    figures = {figure.name: figure for figure in calibration_figures(CONTENT)}
    assert {"launch-gpu", "launch-dla", "hand-over", "power-gpu"} <= set(figures)
    launch = figures["launch-gpu"]
    moved = load_calibration(calibration_with(CONTENT, launch.at(10.0), "a test"))
    assert (launch.title, launch.unit, moved.value("gpu.launch_us")) == ("GPU: launch time per operator", "µs", 10.0)


def test_a_moved_parameter_is_assumed_and_no_measurement_stands_for_the_calibration() -> None:
    launch = next(figure for figure in calibration_figures(CONTENT) if figure.name == "launch-gpu")
    moved = load_calibration(calibration_with(CONTENT, launch.at(10.0), "a test"))
    assert (moved.parameters["gpu.launch_us"].role, moved.parameters["gpu.launch_us"].note) == ("assumed", "a test")
    assert not moved.rows and moved.error_factor("latency") is None and CONTENT["rows"]
