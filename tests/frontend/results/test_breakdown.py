from __future__ import annotations

import numpy as np
import pytest

from engines.contract.results import Breakdown
from frontend.figures.costs.profile import MOST_LYING_BARS
from frontend.results.breakdown import VIEW


def breakdown(bars: int) -> Breakdown:
    return Breakdown("parts", "Energy", tuple(f"m{i}" for i in range(bars)), ("compute",), np.ones((bars, 1)), "J")


@pytest.mark.parametrize(("bars", "wide"), [(MOST_LYING_BARS, False), (MOST_LYING_BARS + 1, True)])
def test_more_bars_than_can_lie_take_the_whole_width_and_any_height_on_a_card(bars: int, wide: bool) -> None:
    many = breakdown(bars)
    assert VIEW.wide(many) == wide and VIEW.card is not None
    room = VIEW.card.room(many, 400, 300)
    assert (room.most == float("inf")) == wide
    assert wide or room.least == 84 + 20 * bars < room.most
