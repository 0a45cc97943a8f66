from __future__ import annotations

import pytest

from engines.contract.results import Breakdown
from tests.frontend.pages.run.states.cases import curve, overview, report, sizes
from tests.support.toy_engine import ToyEngine
from webapp.runs.models import Run


def test_curves_stay_below_the_front_of_an_engine_without_schedules(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    report(run, 9, curve(3), sizes())
    assert "Training loss" not in str(overview(run)[0])
    monkeypatch.setattr(ToyEngine, "explains", (Breakdown,))
    text = str(overview(run)[0])
    assert "Training loss" in text and "Sizes" not in text
