"""The page of a comparison: what it shows, what its callbacks answer, and the file it makes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engines.contract.quantities import Quantity
from frontend.designs.run_words import quantities_of
from frontend.pages.compare.data import (
    Side,
    address_of,
    axis_choices,
    drawn,
    logarithmic,
    sides_of,
    usual_axes,
    usual_scale,
    work_done,
)
from frontend.pages.compare.measures import metric_rows
from frontend.pages.compare.view import fronts_picture, fronts_remarks
from tests.frontend.conftest import Ask
from tests.frontend.figures.samples import sample_schedule
from tests.frontend.pages.compare.cases import page
from tests.support.stored_runs import People, finished_run
from webapp.comparisons.service import Entry


def test_axes_are_shared_quantities(people: People, runs: list[Any]) -> None:
    sides = sides_of([Entry(run) for run in runs])
    usual = usual_axes(sides)
    assert usual is not None and usual[0] != usual[1]
    assert usual_axes(sides, usual[1], usual[0]) == usual[::-1]
    assert usual_axes(sides, "nonsense", "nonsense") == usual
    assert usual_axes([]) is None
    assert {row.group.split(" over")[0] for row in metric_rows(sides)} == {
        "Selected designs",
        "Best of the run",
        "Fronts",
        "Selected designs, other metrics",
    }
    assert address_of([Entry(runs[0], 4), Entry(runs[1])], 7) == f"/compare/7?runs={runs[0].pk},{runs[1].pk}&designs=4,"


def test_the_work_done_agrees_with_a_sum_over_bars() -> None:
    schedule = sample_schedule()
    end_s = float(schedule.bar_end_s.max()) * 1.2
    done = work_done(schedule, end_s)
    computing = schedule.bar_kind == schedule.kinds.index("compute")
    start, end = schedule.bar_start_s[computing], schedule.bar_end_s[computing]
    for at, moment in enumerate(np.linspace(0, end_s, len(done))):
        worked = np.clip(moment - start, 0, end - start).sum() / (end - start).sum()
        assert done[at] == pytest.approx(worked, abs=1e-4)
    assert done[0] == 0.0 and done[-1] == 1.0


def test_fronts_that_lie_far_apart_are_drawn_on_logarithmic_axes(people: People, runs: list[Any], ask: Ask) -> None:
    sides = sides_of([Entry(run) for run in runs])
    axes = ("latency_s", "energy_j")
    assert usual_scale(sides, axes) == "linear" and usual_scale(sides, axes, "log") == "log"
    far = {**sides[1].designs.columns, "latency_s": sides[1].designs.columns["latency_s"] * 1e4}
    apart = [sides[0], replace(sides[1], designs=replace(sides[1].designs, columns=far))]
    assert usual_scale(apart, axes) == "log" and usual_scale(apart, axes, "linear") == "linear"
    assert logarithmic(apart, axes, "log") == "xy" and logarithmic(apart, axes, "linear") == ""
    columns = {**far, "energy_j": far["energy_j"] - far["energy_j"].max()}
    negative = [sides[0], replace(sides[1], designs=replace(sides[1].designs, columns=columns))]
    assert logarithmic(negative, axes, "log") == "x", "what is not above zero has no place on a logarithmic axis"

    given = {
        "compare-x.value": axes[0], "compare-y.value": axes[1], "compare-log.checked": True, "scheme.data": "light",
        "compare-selected.data": {}, "viewport.data": {"width": 1440, "height": 900}, "compare-axes.data": {},
        "compare-entries.data": [{"run": run.pk, "design": None} for run in runs],
    }  # fmt: skip
    answer = ask(people.viewer, "compare-fronts.figure", given, "compare-log.checked").json()["response"]
    assert answer["compare-fronts"]["figure"]["layout"]["xaxis"]["type"] == "log"
    assert answer["compare-axes"]["data"] == {"x": axes[0], "y": axes[1], "scale": "log"}
    given |= {"compare-axes.data": {"scale": "linear"}}
    answer = ask(people.viewer, "compare-fronts.figure", given, "compare-x.value").json()["response"]
    assert answer["compare-fronts"]["figure"]["layout"]["xaxis"]["type"] == "linear", "a choice stays"
    assert answer["compare-log"] == {"checked": False, "disabled": False}
    assert '"type":"log"' in page(people.viewer, "/compare", f"?runs={runs[0].pk},{runs[1].pk}&scale=log").replace(
        ": ", ":"
    )


@pytest.fixture
def three(people: People, runs: list[Any], monkeypatch: pytest.MonkeyPatch) -> list[Side]:
    """Two runs with latency and energy, and a third one of an engine that has latency and another metric."""
    third = finished_run(people, steps=1, designs_per_step=3)
    sides = sides_of([Entry(run) for run in (*runs[:2], third)])
    cost = Quantity("each_usd", "Cost", "$", "minimise", "objective")
    own = (sides[2].designs.quantity("latency_s"), cost)
    columns = {"latency_s": sides[2].designs.columns["latency_s"], "each_usd": np.arange(3.0)}
    sides[2] = replace(
        sides[2], designs=replace(sides[2].designs, quantities=own, columns=columns, primary="latency_s")
    )
    monkeypatch.setattr(
        "frontend.pages.compare.data.quantities_of", lambda run: own if run.pk == third.pk else quantities_of(run)
    )
    monkeypatch.setattr(
        "frontend.pages.compare.measures.quantities_of", lambda run: own if run.pk == third.pk else quantities_of(run)
    )
    return sides


def test_runs_that_share_two_metrics_are_drawn_and_the_others_are_named(three: list[Side]) -> None:
    axes = usual_axes(three)
    assert axes == ("latency_s", "energy_j")
    assert [side.style.letter for side in drawn(three, axes)] == ["A", "B"]
    assert "C is not drawn: it has no energy." in fronts_remarks(three, axes)
    assert "each_usd" not in [quantity.name for quantity in axis_choices(three)], "one run alone has it"
    names = {
        trace["name"][0]
        for trace in fronts_picture(three, axes, "light", (600, 300))["data"]
        if "front" in trace["name"]
    }
    assert names == {"A", "B"}
    assert usual_axes([three[0], three[2]]) is None, "one common metric spans no picture"


def test_the_table_has_what_any_two_runs_share(three: list[Side]) -> None:
    rows = {row.title: row for row in metric_rows(three) if row.group.startswith("Selected designs")}
    assert np.isfinite(rows["Latency"].values).all()
    assert np.isfinite(rows["Energy"].values).tolist() == [True, True, False] and rows["Energy"].texts[2] == "–"
    assert "Cost" not in rows


def test_equal_fronts_are_both_visible_and_told(people: People, runs: list[Any]) -> None:
    sides = sides_of([Entry(runs[0]), Entry(runs[0])])
    picture = fronts_picture(sides, ("latency_s", "energy_j"), "light", (600, 300))
    marks = [trace["marker"] for trace in picture["data"] if trace["name"] in ("A front", "B front")]
    assert marks[1]["size"] > marks[0]["size"] and marks[1]["symbol"].endswith("-open")
    assert fronts_remarks(sides, ("latency_s", "energy_j")) == [
        "B and A have equal fronts: a ring around the marks of A."
    ]
    assert not fronts_remarks(sides_of([Entry(run) for run in runs[:2]]), ("latency_s", "energy_j"))
