from __future__ import annotations

import plotly.graph_objects as go

from engines.exchange.schedule_differences import compare_schedules
from frontend.figures.schedule.schedule_difference import (
    difference_height_px,
    difference_sentence,
    schedule_difference_figure,
)
from tests.frontend.figures.samples import sample_schedule
from tests.frontend.pages.run.tabs.cases import moved_schedule


def test_both_schedules_stand_on_one_time_axis_with_their_changes_outlined() -> None:
    before, after = sample_schedule(), moved_schedule()
    found = compare_schedules(before, after)
    picture = schedule_difference_figure(before, after, found, "light")
    go.Figure(picture.to_dict())
    assert picture.layout.height == difference_height_px(before, after)
    moved = [trace for trace in picture.data if trace.name == "moved"]
    assert {trace.yaxis for trace in moved} == {"y", "y2"}
    # ResNet-50 and U-Net each have parts that moved; what stayed steps back behind a veil.
    assert any(trace.name == "the same" for trace in picture.data)
    assert picture.layout.yaxis.domain[0] == picture.layout.yaxis2.domain[1]
    assert difference_sentence(found).startswith("45 layers moved, 1 segment got longer")


def test_equal_schedules_say_so() -> None:
    same = compare_schedules(sample_schedule(), sample_schedule())
    assert difference_sentence(same).startswith("No layer moved")
