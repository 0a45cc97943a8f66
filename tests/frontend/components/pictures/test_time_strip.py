from __future__ import annotations

import plotly.graph_objects as go

from frontend.components.pictures.time_strip import time_strip


def figure(end_s: float) -> go.Figure:
    return go.Figure(layout={"height": 200, "meta": {"time": {"end": end_s}}})


def test_pictures_that_end_together_share_their_cursor_unless_they_are_grouped() -> None:
    one, same, other = (time_strip(figure(end), summary="Charge.") for end in (10.0, 10.0, 20.0))
    groups = [getattr(each, "data-group") for each in (one, same, other)]
    assert groups[0] == groups[1] != groups[2]
    assert getattr(time_strip(figure(10.0), summary="Charge.", group="all"), "data-group") == "all"


def test_it_takes_the_focus_and_says_what_it_shows() -> None:
    strip = time_strip(figure(10.0), summary="Charge.")
    assert (strip.tabIndex, strip.role, getattr(strip, "aria-label")) == ("0", "img", "Charge.")
