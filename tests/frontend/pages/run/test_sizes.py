from __future__ import annotations

import pytest

from engines.contract.results import Breakdown
from frontend.figures.schedule.schedule import LEAST_WIDTH_PX
from frontend.pages.run import sizes as page_sizes
from tests.frontend.pages.run.states.cases import curve, overview, report, sizes
from tests.support.toy_engine import ToyEngine
from webapp.runs.models import Run


def test_curves_stay_below_the_front_of_an_engine_without_schedules(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    report(run, 9, curve(3), sizes())
    assert "Training loss" not in str(overview(run)[0])
    monkeypatch.setattr(ToyEngine, "result_types", (Breakdown,))
    text = str(overview(run)[0])
    assert "Training loss" in text and "Sizes" not in text


@pytest.mark.parametrize(("window_px", "expected_px"), [(390, LEAST_WIDTH_PX), (800, 766), (1280, 1026)])
def test_schedules_are_drawn_for_the_width_that_they_have(window_px: int, expected_px: int) -> None:
    assert page_sizes.sizes({"width": window_px, "height": 844}).schedule_plot[0] == expected_px
