"""The traces tab: a readout of every series, events, and what belongs to a trace."""

from __future__ import annotations

from dataclasses import replace

from frontend.pages.run.tabs.traces import readout, traces_tab
from tests.frontend.figures.test_ground_track import TRACK
from tests.frontend.pages.run.tabs.cases import TRACE, words_of


def test_the_readout_tells_least_time_weighted_mean_most_and_last() -> None:
    text = words_of(readout(TRACE))
    # 90 % for half an hour, 50 % for an hour and a half.
    for expected in ("'60.0'", "'20.0'", "'100'", "Power (mW)", "'25.0'", "half are empty", "1\\xa0h 30"):
        assert expected in text, expected


def test_a_drive_from_above_stands_before_its_trace() -> None:
    text = str(
        traces_tab([TRACE, replace(TRACK, belongs_to=TRACE.name), replace(TRACK, title="Elsewhere")], "light", 1200)
    )
    assert text.index("The road") < text.index(TRACE.title)
    assert "Elsewhere" not in text
