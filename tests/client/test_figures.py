"""Figures of runs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paretoscope_client import ParetoscopeError, Run, front_figure
from webapp.runs.models import DesignChunk
from webapp.runs.models import Run as StoredRun

Stored = Callable[..., Run]


def test_a_figure_has_the_designs_and_their_front(stored_run: Stored) -> None:
    run = stored_run()
    figure, front = run.figure(), run.front().sort_values("latency_s")
    cloud, line = figure.data
    assert len(cloud.x) == 12 and list(line.x) == front["latency_s"].tolist()
    assert list(line.y) == front["energy_j"].tolist()
    assert figure.layout.xaxis.title.text == "Latency (s)" and figure.layout.yaxis.title.text == "Energy (J)"
    assert line.text[0].startswith(f"Design {front.index[0]}")


def test_axes_may_be_chosen_and_several_runs_compared(stored_run: Stored) -> None:
    runs = stored_run(), stored_run(steps=2)
    figure = front_figure(*runs, x="spread", y="latency_s")
    assert figure.layout.xaxis.title.text == "Spread" and len(figure.data) == 4
    assert len({trace.marker.color or trace.line.color for trace in figure.data}) == 2


def test_what_cannot_be_drawn_is_told(stored_run: Stored) -> None:
    with pytest.raises(ParetoscopeError, match=r"area_mm2: one of .*latency_s"):
        stored_run().figure(x="area_mm2")
    with pytest.raises(ParetoscopeError, match="at least one"):
        front_figure()


def test_a_run_without_designs_says_why(stored_run: Stored) -> None:
    run = stored_run()
    DesignChunk.objects.all().delete()
    StoredRun.objects.update(
        outcome="infeasible",
        outcome_detail={
            "limit": "Energy",
            "demand": 2.0,
            "bound": 1.0,
            "unit": "J",
            "remedies": [{"text": "Allow 2 J."}],
        },
    )
    with pytest.raises(ParetoscopeError, match=r"No design can meet the limits. Energy: 2 J needed.* Allow 2 J"):
        run.refresh().figure()
