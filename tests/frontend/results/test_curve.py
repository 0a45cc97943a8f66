from __future__ import annotations

from dataclasses import replace

import numpy as np

from engines.contract.results import Curve, Series
from frontend.results.curve import VIEW

ONE = Curve("c", "Energy", np.arange(3.0), "Distance", "m", (Series("eager", np.arange(3.0), "J"),))
TWO = replace(ONE, series=(*ONE.series, Series("late", np.ones(3), "s")))


def test_every_unit_has_a_panel_with_room_of_its_own() -> None:
    assert VIEW.card is not None
    assert [VIEW.card.room(each, 400, 300).least for each in (ONE, TWO)] == [140, 220]
    heights = [VIEW.card.figure(each, "light", 400, 300).layout.height for each in (ONE, TWO)]
    assert heights[0] == 300 and abs(heights[1] - 300) < 2


def test_a_sentence_names_what_is_drawn_over_what() -> None:
    assert VIEW.sentence(TWO) == "Energy: eager, late over distance."
