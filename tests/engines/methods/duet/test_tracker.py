"""The scratchpad and its location tracker."""

from collections import deque

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.methods.duet.tracker import Scratchpad, TrackerState


def test_the_example_of_the_text() -> None:
    """Ten liked movies: the eleventh takes the place of the first, and the second is the oldest then."""
    scratchpad = Scratchpad(np.arange(1.0, 11.0)[:, None], base=100)
    assert scratchpad.state == TrackerState(100, 109, 109)
    assert scratchpad.rows[9, 0] == 1
    assert scratchpad.update(np.array([11.0])) == 109
    assert scratchpad.state.oldest == 108 and scratchpad.rows[8, 0] == 2
    for movie in range(12, 21):
        scratchpad.update(np.array([float(movie)]))
    assert scratchpad.state.oldest == 109  # circled back from Base to End
    assert scratchpad.rows[:, 0].tolist() == list(range(20, 10, -1))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 9), st.lists(st.integers(0, 99), max_size=40))
def test_it_is_a_deque_of_fixed_length(size: int, clicks: list[int]) -> None:
    history = deque([float(number) for number in range(-size, 0)], maxlen=size)
    scratchpad = Scratchpad(np.array(history)[:, None])
    for click in clicks:
        history.append(float(click))
        scratchpad.update(np.array([float(click)]))
        assert scratchpad.history()[:, 0].tolist() == list(history)
        assert scratchpad.rows[scratchpad.state.oldest, 0] == history[0]


def test_rows_of_another_width_are_refused() -> None:
    with pytest.raises(ValueError, match="n from 1 on"):
        Scratchpad(np.empty((0, 4)))
    with pytest.raises(ValueError, match="shape"):
        Scratchpad(np.zeros((3, 4))).update(np.zeros(5))
