"""The traces tab: a readout of every series, events, and what belongs to a trace."""

from __future__ import annotations

from frontend.pages.run.tabs.traces import readout
from tests.frontend.pages.run.tabs.cases import TRACE, words_of


def test_the_readout_tells_least_time_weighted_mean_most_and_last() -> None:
    text = words_of(readout(TRACE))
    # 90 % for half an hour, 50 % for an hour and a half.
    for expected in ("'60.0'", "'20.0'", "'100'", "Power (mW)", "'25.0'", "half are empty", "1\\xa0h 30"):
        assert expected in text, expected
