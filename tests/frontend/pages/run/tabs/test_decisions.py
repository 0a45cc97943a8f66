"""Decisions against figures, and which of them matter."""

from __future__ import annotations

from typing import Any

from frontend.ids.run import RunIds
from frontend.pages.run.run_reader import designs_of
from frontend.pages.run.tabs.decisions import (
    importance_card,
    offered_quantities,
    plot_card,
    plotted_features,
    sample_of,
)
from tests.frontend.conftest import Ask
from tests.frontend.pages.run.cases import panel
from tests.support.stored_runs import People
from webapp.runs.models import Run


def test_the_tab_offers_figures_that_differ_objectives_first(people: People, run: Run, ask: Ask) -> None:
    content = panel(ask, people.viewer, run, "decisions", **{f"{RunIds.DECIDED}.data": {"of": "energy_j", "by": ""}})
    assert RunIds.DECIDED_OF in content
    assert "'value': 'energy_j'" in content


def test_a_plot_is_of_the_decision_asked_for_else_of_the_first(run: Run) -> None:
    designs = designs_of(run)
    quantity = offered_quantities(designs)[0].name
    sample = sample_of(run, designs, quantity)
    features = list(plotted_features(run, designs, sample))
    assert len(sample.texts) == len(sample.values) == sample.total == int(designs.searched.sum())
    for asked in ("", features[-1]):
        _, titles, shown = plot_card(run, quantity, asked, "light")
        assert (titles, shown) == (features, asked or features[0])


def test_too_few_designs_say_so(run: Run, monkeypatch: Any) -> None:
    monkeypatch.setattr("frontend.pages.run.tabs.decisions.LEAST_DESIGNS", 10_000)
    assert "At least 10000 designs" in str(importance_card(run, "latency_s", "light"))
