"""The page of a comparison: what it shows, what its callbacks answer, and the file it makes."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from django.test import Client

from engines.contract.quantities import Quantity
from frontend.components.legend import model_legend
from frontend.components.static_html import static_html
from frontend.pages.compare.asked import asked_entries, study_entries
from frontend.pages.compare.data import (
    Strip,
    address_of,
    logarithmic,
    sides_of,
    usual_axes,
    usual_scale,
    work_done,
)
from frontend.pages.compare.measures import MetricRow, fronts_of, metric_rows
from frontend.pages.compare.strips import strips_legend
from frontend.pages.compare.view import differences_line, metric_table, pairs_table
from tests.frontend.conftest import Ask
from tests.frontend.figures.samples import sample_schedule
from tests.support.stored_runs import People, finished_run, give_other_engine, give_workload
from tests.support.toy_engine import ToyWithoutCheckpointsEngine
from tests.webapp.studies.test_statistics import give
from webapp.comparisons.measures import measure
from webapp.comparisons.service import Entry, keep, visible_comparisons
from webapp.runs.models import Run
from webapp.studies import service as studies


@pytest.fixture
def runs(people: People) -> list[Any]:
    return [finished_run(people, steps=steps, designs_per_step=6) for steps in (3, 5)]


def page(user: Any, pathname: str, search: str = "") -> str:
    from frontend.bridge import get_app

    client = Client()
    client.force_login(user)
    client.get("/_dash-layout")  # with it, Dash registers what turns an address into a page
    key = next(key for key in get_app().callback_map if "_pages_content.children" in key)
    spec = get_app().callback_map[key]
    given = {"pathname": pathname, "search": search}
    body = {
        "output": key,
        "outputs": [{"id": "_pages_content", "property": "children"}, {"id": "_pages_store", "property": "data"}],
        "inputs": [{**item, "value": given[item["property"]]} for item in spec["inputs"]],
        "changedPropIds": ["_pages_location.pathname"],
        "state": [],
    }
    answer = client.post("/_dash-update-component", json.dumps(body), content_type="application/json")
    assert answer.status_code == 200, answer.content
    return json.dumps(answer.json(), ensure_ascii=False)


def test_an_address_names_runs_and_designs() -> None:
    assert asked_entries({"runs": "3,5,x,-1", "designs": "12,"}) == [
        {"run": 3, "design": 12},
        {"run": 5, "design": None},
    ]
    assert asked_entries({}) == []
    assert asked_entries({"runs": "9" * 30}) == []


def test_the_page_shows_runs_differences_and_measures(people: People, runs: list[Any]) -> None:
    shown = page(people.viewer, "/compare", f"?runs={runs[0].pk},{runs[1].pk}")
    for words in ("Differs in", "steps", "3 → 5", "Hypervolume", "Covers the others", "Epsilon indicator"):
        assert words in shown, words
    assert "not kept" in shown


def test_a_run_of_others_is_left_out(people: People, runs: list[Any]) -> None:
    shown = page(people.stranger, "/compare", f"?runs={runs[0].pk},{runs[1].pk}")
    assert "None of these runs can be shown" in shown and runs[0].title not in shown


def test_a_kept_comparison_has_an_address_of_its_own(people: People, runs: list[Any]) -> None:
    made = keep(people.owner, "Does it pay?", [Entry(run) for run in runs], {})
    assert "Does it pay?" in page(people.viewer, f"/compare/{made.pk}")
    assert "There is no such comparison here" in page(people.stranger, f"/compare/{made.pk}")
    assert "Does it pay?" in page(people.viewer, "/compare")
    assert "Does it pay?" not in page(people.stranger, "/compare")


def test_keeping_needs_a_title_and_leads_to_the_kept_one(people: People, runs: list[Any], ask: Ask) -> None:
    entries = [{"run": run.pk, "design": None} for run in runs]
    pressed = '{"name":"keep","type":"compare-action"}.n_clicks'
    values = {
        "compare-add.value": None, pressed: 1, "compare-title.value": "", "compare-axes.data": {},
        "compare-selected.data": {}, "compare-entries.data": entries, "compare-number.data": 0,
    }  # fmt: skip
    answer = ask(people.owner, "compare-location.href", values, pressed).json()["response"]
    assert "title: takes a question" in json.dumps(answer["compare-error"])
    answer = ask(people.owner, "compare-location.href", {**values, "compare-title.value": "Why?"}, pressed).json()
    kept = visible_comparisons(people.owner).get()
    assert answer["response"]["compare-location"]["href"] == f"/compare/{kept.pk}"
    assert kept.title == "Why?"


def test_the_file_stands_on_its_own(people: People, runs: list[Any]) -> None:
    client = Client()
    client.force_login(people.viewer)
    query = {"runs": f"{runs[0].pk},{runs[1].pk}", "title": "<b>Why?</b>"}
    answer = client.get("/compare/page.html", query)
    text = answer.content.decode()
    assert answer.headers["Content-Disposition"] == f'attachment; filename="comparison-{runs[0].pk}-{runs[1].pk}.html"'
    assert "<title>&lt;b&gt;Why?&lt;/b&gt;</title>" in text and "Epsilon indicator" in text
    assert " src=" not in text.split("<script>")[0]
    client.force_login(people.stranger)
    assert client.get("/compare/page.html", query).status_code == 404


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
        "Selected designs, further figures",
    }
    assert address_of([Entry(runs[0], 4), Entry(runs[1])], 7) == f"/compare/7?runs={runs[0].pk},{runs[1].pk}&designs=4,"


def test_only_values_that_read_differently_are_better() -> None:
    row = MetricRow("", "Energy", "J", (4.23401, 4.23402, 5.0), "low")
    assert row.best == {0, 1}
    assert MetricRow("", "Energy", "J", (4.0, 4.0), "low").best == frozenset()
    assert MetricRow("", "Energy", "J", (4.0, float("nan")), "low").best == frozenset()
    assert MetricRow("", "Rate", "Hz", (1.0, 2.0), "high").best == {1}
    assert MetricRow("", "Windows", "", (1.0, 2.0), "none").best == frozenset()


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


def test_the_legend_names_the_models_of_every_workload(people: People, runs: list[Any]) -> None:
    """Colours follow the order of a workload's models: one legend for two workloads would name the wrong ones."""
    sides = sides_of([Entry(run) for run in runs])
    one = sample_schedule()
    other = replace(one, models=tuple(f"other {model}" for model in one.models))
    shared = static_html(strips_legend([Strip(side, schedule=one) for side in sides]))
    assert shared.count("run-letter") == 0 and shared.count(one.models[0]) == static_html(
        model_legend(one.models)
    ).count(one.models[0])
    apart = static_html(strips_legend([Strip(sides[0], schedule=one), Strip(sides[1], schedule=other)]))
    assert apart.count("run-letter") == 2
    assert all(model in apart for model in (*one.models, *other.models))


def test_a_study_opens_as_the_median_runs_of_its_groups(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.runs.bell.ring", lambda: None)
    grid = {"engine": "toy", "params": {"steps": {"each": [1, 2]}}, "seeds": [1, 2, 3], "title": "Two ways"}
    study = studies.create(people.owner, grid, project=people.project)
    assert "Nothing of this study can be compared" in page(people.owner, "/compare", f"?study={study.pk}")
    for run in study.runs.all():
        give(run, [(run.params["steps"] + run.seed / 10, 1.0)])
    entries = study_entries(people.viewer, {"study": str(study.pk), "measure": "latency_s"})
    runs = [Run.objects.get(pk=entry["run"]) for entry in entries]
    assert [(run.params["steps"], run.seed) for run in runs] == [(1, 2), (2, 2)]
    assert runs[0].title in page(people.viewer, "/compare", f"?study={study.pk}&measure=latency_s")
    assert study_entries(people.stranger, {"study": str(study.pk)}) == []
    assert "Nothing of this study" in page(people.stranger, "/compare", f"?study={study.pk}")


def test_measures_are_computed_once(people: People, runs: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []
    monkeypatch.setattr(
        "frontend.pages.compare.measures.measure", lambda *given: (counted.append(1), measure(*given))[1]
    )
    for design in (None, 3, 5):
        metric_rows(sides_of([Entry(runs[0], design), Entry(runs[1])]))
    assert len(counted) == 1
    metric_rows(sides_of([Entry(runs[1]), Entry(runs[0])]))
    assert len(counted) == 2, "another order has other measures"


def test_three_runs_have_ratios_and_a_table_of_pairs(people: People, runs: list[Any]) -> None:
    sides = sides_of([Entry(run) for run in [*runs, finished_run(people, steps=2, designs_per_step=6)]])
    table = json.loads(json.dumps(str(metric_table(metric_rows(sides), sides))))
    assert table.count("compare-ratio") > 4 and "compare-bar" not in table
    pairs = pairs_table(sides)
    assert pairs is not None and str(pairs).count("dominated by ") == 3
    assert pairs_table(sides[:2]) is None


def test_only_what_meets_the_constraints_counts(people: People, runs: list[Any]) -> None:
    slack = Quantity("limit_slack", "Room", "", "none", "constraint")
    (side,) = sides_of([Entry(runs[0])])
    columns = {**side.designs.columns, "limit_slack": np.ones(len(side.designs))}
    within = np.argsort(columns["latency_s"])
    columns["limit_slack"][within[0]] = -1.0
    limited = replace(
        side, designs=replace(side.designs, columns=columns, quantities=(*side.designs.quantities, slack))
    )
    assert limited.best("latency_s") == columns["latency_s"][within[1]] > side.best("latency_s")
    before, after = fronts_of([side, side]).fronts[0], fronts_of([limited, limited, limited]).fronts[0]
    assert columns["latency_s"][within[0]] in before[:, 0] and columns["latency_s"][within[0]] not in after[:, 0]


def test_a_pick_sends_no_clouds(people: People, runs: list[Any], ask: Ask) -> None:
    entries = [{"run": run.pk, "design": None} for run in runs]
    given = {
        "compare-x.value": "latency_s", "compare-y.value": "energy_j", "scheme.data": "light",
        "compare-selected.data": {str(runs[0].pk): 3}, "viewport.data": {"width": 1440, "height": 900},
        "compare-entries.data": entries, "compare-axes.data": {}, "compare-log.checked": False,
    }  # fmt: skip
    sent = ask(people.viewer, "compare-fronts.figure", given, "compare-selected.data")
    drawn = ask(people.viewer, "compare-fronts.figure", given, "compare-x.value")
    patch = sent.json()["response"]["compare-fronts"]["figure"]
    assert patch["__dash_patch_update"] and len(sent.content) < len(drawn.content) / 2
    moved = [step for step in patch["operations"] if step["location"][-1] == "customdata"]
    assert moved[0]["params"]["value"] == ["A 3"]
    traces = drawn.json()["response"]["compare-fronts"]["figure"]["data"]
    assert traces[moved[0]["location"][1]]["name"] == "A selected"


def test_what_differs_between_three_is_told_by_letters(people: People, runs: list[Any]) -> None:
    third = finished_run(people, steps=3, designs_per_step=6, energy_limit_j=50.0)
    line = str(differences_line(sides_of([Entry(run) for run in [*runs, third]])))
    assert "A C: 3 · B: 5" in line and "A B: 100.0 · C: 50.0" in line
    assert MetricRow("g", "EDP", "J·s", (2.119, 0.06538), "low").texts == ("2.119", "0.06538")
    assert MetricRow("g", "EDP", "J·s", (2.119, 1.5), "low").texts == ("2.119", "1.500")


def test_between_unlike_runs_nothing_is_marked_as_better(
    people: People, runs: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    query = f"?runs={runs[0].pk},{runs[1].pk}"
    alike = page(people.viewer, "/compare", query)
    assert "bold is better" in alike and "side by side" not in alike
    assert re.search(r"compare-bar run-[ab]", alike) and "r num b" in alike
    give_workload(monkeypatch, runs[0], "gpt-2")
    give_other_engine(monkeypatch, runs[1])
    monkeypatch.setattr(ToyWithoutCheckpointsEngine, "inputs", {})
    shown = page(people.viewer, "/compare", query)
    assert "These runs differ in workload: their values stand side by side" in shown
    assert "gpt-2 v1 → none" in shown and "compare-bar" in shown
    for mark in ("bold is better", "r num b", "compare-bar run-a", "compare-bar run-b", "Covers the others", "Epsilon"):
        assert mark not in shown, mark
    third = finished_run(people, steps=2, designs_per_step=6)
    assert pairs_table(sides_of([Entry(run) for run in [*runs, third]])) is None
    client = Client()
    client.force_login(people.viewer)
    saved = client.get(f"/compare/page.html{query}").content.decode()
    assert "none of them is marked as better" in saved and "run-letter" in saved


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


def test_what_differs_by_less_than_its_estimate_may_be_off_is_told(runs: list[Any]) -> None:
    near = MetricRow("Best of the run", "Latency", "ms", (10.0, 11.0), "low", factors=(1.2, 1.1))
    assert near.best == {0} and near.inside_error == {0, 1}
    assert MetricRow("Best of the run", "Latency", "ms", (10.0, 11.0), "low").inside_error == frozenset()
    shown = str(metric_table([near], sides_of([Entry(run) for run in runs])))
    assert shown.count("≈") == 2 and "a factor of 1.20 on rows of its own source" in shown
