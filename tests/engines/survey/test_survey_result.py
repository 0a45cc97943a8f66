"""Fronts within and across devices, and surveys as plain data."""

from __future__ import annotations

import numpy as np

from engines.contract.encoding.decoding import encoded, from_plain
from engines.survey.survey_result import (
    MOST_POINTS,
    DeviceEstimate,
    DeviceMapping,
    Survey,
    SurveyRow,
    front_of,
    reached,
)


def surveyed(name: str, *points: tuple[float, float]) -> SurveyRow:
    way = DeviceMapping(*points[0], "alone")
    return SurveyRow(name, name, "soc/1", DeviceEstimate(way, way, points, True, "dataflow", "int8"))


def test_a_front_has_no_point_that_another_beats_and_keeps_its_ends() -> None:
    assert front_of(np.array([2.0, 1.0, 3.0, 2.0]), np.array([2.0, 4.0, 2.5, 3.0])) == ((1.0, 4.0), (2.0, 2.0))
    many = front_of(np.arange(1.0, 101.0), np.arange(100.0, 0.0, -1.0))
    assert len(many) == MOST_POINTS and many[0] == (1.0, 100.0) and many[-1] == (100.0, 1.0)


def test_devices_reach_the_front_with_any_of_their_points_and_equal_ones_together() -> None:
    devices = [
        surveyed("fast", (1.0, 9.0), (5.0, 5.0)),
        surveyed("beaten", (2.0, 10.0)),
        surveyed("equal", (1.0 + 1e-12, 9.0)),
        SurveyRow("unable", "Unable", "soc/1", None, "no unit"),
    ]
    assert reached(devices) == (True, False, True, False)
    assert reached(devices[3:]) == (False,) and reached([]) == ()


def test_a_survey_is_the_same_after_it_was_sent() -> None:
    found = Survey("Net", 3, 1e9, (surveyed("a", (1.0, 2.0)), SurveyRow("b", "B", "soc/1", None, "no unit")))
    assert from_plain(Survey, encoded(found)) == found
    assert [each.name for each in found.able] == ["a"] and [each.name for each in found.unable] == ["b"]
