from __future__ import annotations

from dataclasses import replace

import numpy as np

from frontend.pages.run.tabs.schedule import schedule_tab
from tests.frontend.figures.samples import sample_schedule
from tests.frontend.words import words


def test_lanes_of_models_stand_beside_those_of_chiplets_where_there_are_several() -> None:
    several = sample_schedule()
    one = replace(several, models=several.models[:1], bar_model=np.zeros_like(several.bar_model))
    assert [len(schedule_tab(each, "light", 900).children) for each in (several, one)] == [2, 1]
    text = words(schedule_tab(several, "light", 900))
    assert "By chiplet" in text and "By model" in text and f"{several.lanes[0].busy_fraction:.0%}"[:-1] in text
