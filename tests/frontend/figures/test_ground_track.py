import math

import numpy as np

from engines.contract.results import GroundCircle, GroundLine, GroundTrack
from frontend.figures.ground_track import ground_track_figure

TRACK = GroundTrack(
    "road",
    "The road",
    np.array([0.0, 1.0, 2.0]),
    np.array([0.0, 10.0, 20.0]),
    np.array([0.0, 2.0, 0.0]),
    np.array([0.0, math.pi / 2, 0.0]),
    (GroundCircle("Obstacle 1", 10.0, -3.0, 0.5), GroundCircle("rbar", 10.0, -3.0, 4.0, "keep out")),
    (GroundLine("Middle of the lane", np.array([0.0, 20.0]), np.zeros(2)),),
)


def test_metres_are_as_long_along_the_road_as_across() -> None:
    layout = ground_track_figure(TRACK, "light").layout
    assert layout.yaxis.scaleanchor == "x"
    assert tuple(layout.yaxis.range) == (-8.0, 3.0)
    assert tuple(layout.xaxis.range) == (-1.0, 21.0)


def test_the_browser_is_told_where_the_vehicle_is_and_how_it_heads() -> None:
    figure = ground_track_figure(TRACK, "dark")
    track = figure.layout.meta["track"]
    assert figure.data[track["trace"]].name == "Vehicle at the cursor"
    assert track["x"] == [0.0, 10.0, 20.0]
    assert track["angle"] == [90.0, 0.0, 90.0]  # markers turn clockwise from up


def test_without_a_cursor_there_is_no_vehicle() -> None:
    figure = ground_track_figure(TRACK, "light", height_px=200, cursor=False)
    assert figure.layout.height == 200
    assert [trace.name for trace in figure.data] == ["Middle of the lane", "Obstacle 1", "rbar", "Way driven"]
