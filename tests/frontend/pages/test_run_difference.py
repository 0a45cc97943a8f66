from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from engines.quantities import Quantity
from engines.schedule_differences import compare_costs, compare_schedules
from frontend.figures.schedule_difference import (
    difference_height_px,
    difference_sentence,
    schedule_difference_figure,
)
from frontend.pages.run_data import RunDesigns
from frontend.pages.run_difference import cost_table, pinned_chip, pinned_from
from tests.frontend.figures.samples import WINDOWS, sample_schedule


def _moved():
    """The sample with ResNet-50's first part on C8 and U-Net cut elsewhere."""
    first = ((3, (8,), (42,), (13.7,)), (2, (2, 1), (12, 22), (303.0, 132.0)), *WINDOWS[0][2:])
    return sample_schedule((first, *WINDOWS[1:]))


def test_both_schedules_stand_on_one_time_axis_with_their_changes_outlined() -> None:
    before, after = sample_schedule(), _moved()
    found = compare_schedules(before, after)
    picture = schedule_difference_figure(before, after, found, "light")
    go.Figure(picture.to_dict())
    assert picture.layout.height == difference_height_px(before, after)
    moved = [trace for trace in picture.data if trace.name == "moved"]
    assert {trace.yaxis for trace in moved} == {"y", "y2"}
    # ResNet-50 and U-Net each have parts that moved; what stayed steps back behind a veil.
    assert any(trace.name == "the same" for trace in picture.data)
    assert picture.layout.yaxis.domain[0] == picture.layout.yaxis2.domain[1]
    assert difference_sentence(found).startswith("45 layers moved, 1 part got longer")


def test_equal_schedules_say_so() -> None:
    same = compare_schedules(sample_schedule(), sample_schedule())
    assert difference_sentence(same).startswith("Nothing moved")


def test_the_better_value_is_bold() -> None:
    quantities = (Quantity("latency_s", "Latency", "s", "minimise", "objective"),)
    table = str(cost_table(compare_costs(quantities, {"latency_s": 0.5}, {"latency_s": 0.4}), ("one", "two")))
    assert "B(children='400', title='better')" in table
    assert "−100\\xa0ms" in table and "0.800" in table


def test_an_address_pins_only_designs_that_there_are() -> None:
    texts = np.array(["search"] * 6), np.array([""] * 6)
    designs = RunDesigns((), "", {}, np.arange(6), *texts)
    assert pinned_from("3", designs) == 3
    assert (
        pinned_from("", designs) is None and pinned_from("99999", designs) is None and pinned_from("x", designs) is None
    )
    assert pinned_from("²", designs) is None, "a digit, and no number"
    assert pinned_chip(designs, None) is None
    assert "A Design 0003" in str(pinned_chip(designs, 3))
