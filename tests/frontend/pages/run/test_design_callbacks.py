from __future__ import annotations

import pytest

from engines.contract.results import Breakdown
from frontend.bridge import get_app
from tests.support.toy_engine import ToyEngine
from webapp.runs.models import Run


def test_tabs_that_stay_empty_are_gone_before_any_design(training: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    get_app()
    from frontend.pages.run.design_callbacks import empty_lower_card
    from frontend.pages.run.tabs.registry import lacking_tabs

    assert lacking_tabs(training) == {"cost-models", "grid", "traces", "measured"}
    assert empty_lower_card(training) == ("Schedule", "card run-schedule")
    monkeypatch.setattr(ToyEngine, "result_types", (Breakdown,))
    assert lacking_tabs(training) == {"cost-models", "grid", "traces", "schedule", "measured"}
    assert empty_lower_card(training)[1].endswith("empty")
    monkeypatch.setattr(ToyEngine, "result_types", None)
    monkeypatch.setattr("frontend.pages.run.run_reader._explained_types", {})
    assert lacking_tabs(training) == {"cost-models", "measured"}
