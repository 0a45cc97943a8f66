"""What the run page answers to clicks, keys and sliders, as the browser asks for it."""

from __future__ import annotations

import base64
from typing import Any, ClassVar

import numpy as np

from engines.results import Breakdown
from frontend.ids.run import RunIds
from frontend.ids.shell import ShellIds
from frontend.pages.run_data import DesignCache, RunDesigns
from frontend.pages.run_results import result_csv
from frontend.pages.run_view import designs_of, explained
from tests.frontend.pages.conftest import Ask
from tests.support.stored_runs import People, finished_run
from webapp.runs.models import Run

SELECTION = {"design": 3, "window": 0, "follow": False, "x": "latency_s", "y": "energy_j"}


def values(run: Run, **changed: Any) -> dict[str, Any]:
    base = {
        f"{RunIds.RUN}.data": run.pk,
        f"{RunIds.DATA}.data": {"count": run.design_count, "attempt": 1, "live": False, "seen": None},
        f"{RunIds.X_AXIS}.value": "latency_s",
        f"{RunIds.Y_AXIS}.value": "energy_j",
        f"{RunIds.LIMITS}.data": {},
        f"{RunIds.SELECTION}.data": SELECTION,
        f"{RunIds.VIEW}.data": None,
        f"{ShellIds.SCHEME}.data": "light",
        f"{ShellIds.VIEWPORT}.data": {"width": 1440, "height": 900},
    }
    for name in ("dominated", "baselines", "products"):
        base[f'{{"name":"{name}","type":"{RunIds.SHOW_TYPE}"}}.checked'] = True
    return base | changed


def test_the_front_has_every_design(people: People, run: Run, ask: Ask) -> None:
    answer = ask(
        people.viewer, f"{RunIds.FRONT}.figure...{RunIds.FRONT_SUMMARY}.aria-label...{RunIds.FRONT_EMPTY}", values(run)
    )
    response = answer.json()["response"]
    assert response[RunIds.FRONT_SUMMARY]["aria-label"].startswith("Pareto front of 40 designs")
    assert response[RunIds.VIEW]["data"]["axes"] == ["latency_s", "energy_j"]
    assert response[RunIds.FRONT_EMPTY]["children"] == ""


def test_no_design_left_names_the_limit_and_offers_to_relax_it(people: People, run: Run, ask: Ask) -> None:
    key = f"{RunIds.FRONT}.figure...{RunIds.FRONT_SUMMARY}.aria-label...{RunIds.FRONT_EMPTY}"
    answer = ask(people.viewer, key, values(run, **{f"{RunIds.LIMITS}.data": {"latency_s": 0.001}}))
    text = str(answer.json()["response"][RunIds.FRONT_EMPTY])
    assert "Latency" in text and "Relax to" in text


def test_a_picture_fitted_to_few_designs_is_fitted_again(people: People, run: Run, ask: Ask) -> None:
    key = f"{RunIds.FRONT}.figure...{RunIds.FRONT_SUMMARY}.aria-label...{RunIds.FRONT_EMPTY}"
    view = {"axes": ["latency_s", "energy_j"], "x": [5.0, 6.0], "y": [7.0, 8.0], "count": 8}
    early = ask(people.viewer, key, values(run, **{f"{RunIds.VIEW}.data": view})).json()["response"][RunIds.VIEW][
        "data"
    ]
    assert early["x"] != view["x"] and early["count"] == 40


def select(ask: Ask, user: Any, run: Run, changed: str, **given: Any) -> Any:
    answer = ask(user, f"{RunIds.SELECTION}.data", values(run, **given), changed)
    return answer.json()["response"][RunIds.SELECTION]["data"] if answer.status_code == 200 else None


def test_a_click_on_the_front_selects(people: People, run: Run, ask: Ask) -> None:
    click = {f"{RunIds.FRONT}.clickData": {"points": [{"customdata": 7}]}}
    assert select(ask, people.viewer, run, f"{RunIds.FRONT}.clickData", **click)["design"] == 7


def test_a_click_beside_every_design_changes_nothing(people: People, run: Run, ask: Ask) -> None:
    assert (
        select(ask, people.viewer, run, f"{RunIds.FRONT}.clickData", **{f"{RunIds.FRONT}.clickData": {"points": [{}]}})
        is None
    )


def test_a_row_of_the_table_and_a_key_select(people: People, run: Run, ask: Ask) -> None:
    row = {f"{RunIds.TABLE}.cellClicked": {"rowId": "11"}}
    assert select(ask, people.viewer, run, f"{RunIds.TABLE}.cellClicked", **row)["design"] == 11
    key = {f"{RunIds.KEYS}.data": {"what": "window-next", "far": False}}
    assert select(ask, people.viewer, run, f"{RunIds.KEYS}.data", **key)["window"] == 1


def test_the_page_of_a_run_and_of_no_run(people: People, run: Run, ask: Ask) -> None:
    from frontend.bridge import _request
    from frontend.pages.run import layout

    class Request:
        user = people.viewer
        COOKIES: ClassVar[dict[str, str]] = {}

    token = _request.set(Request())  # type: ignore[arg-type]
    try:
        assert RunIds.FRONT in str(layout(run_id=str(run.pk)))
        Request.user = people.stranger
        foreign, missing = str(layout(run_id=str(run.pk))), str(layout(run_id="999999"))
        assert foreign == missing == str(layout(run_id="nonsense"))
        assert "There is no such run here" in foreign
    finally:
        _request.reset(token)


def test_undo_puts_the_sliders_back(people: People, run: Run, ask: Ask) -> None:
    before = {"latency_s": float(designs_of(run).columns["latency_s"][:8].max())}
    given = values(run, **{f"{RunIds.UNDO}.data": {"limits": before, "at": 1}, f"{RunIds.LIMITS}.data": {}})
    answer = ask(people.viewer, f"{RunIds.LIMIT_BOX}.children", given, f"{RunIds.UNDO}.data")
    boxes = answer.json()["response"][RunIds.LIMIT_BOX]["children"]
    sliders = [box["props"]["children"][2]["props"] for box in boxes]
    assert next(s["value"] for s in sliders if s["id"]["name"] == "latency_s") == before["latency_s"]


def limits_of(ask: Ask, user: Any, run: Run, value: float, low: float, high: float) -> Any:
    slider = f'{{"name":"latency_s","type":"{RunIds.LIMIT_TYPE}"}}'
    parts = [f'{{"name":"latency_s","type":"{kind}"}}.id' for kind in (RunIds.LIMIT_TEXT_TYPE, RunIds.HISTOGRAM_TYPE)]
    stands = {f"{slider}.value": value, f"{slider}.min": low, f"{slider}.max": high, f"{RunIds.LIMIT_VALUES}.data": 1}
    answer = ask(
        user, f"{RunIds.LIMITS}.data", values(run, **dict.fromkeys(parts), **stands), f"{RunIds.LIMIT_VALUES}.data"
    )
    return answer.json()["response"].get(RunIds.LIMITS, {}).get("data")


def test_the_sliders_become_limits(people: People, run: Run, ask: Ask) -> None:
    latency = designs_of(run).columns["latency_s"]
    limit, low, high = float(np.median(latency)), float(latency.min()), float(latency.max())
    assert limits_of(ask, people.viewer, run, limit, low, high) == {"latency_s": limit}


def test_a_slider_at_its_own_end_is_no_limit_though_a_live_run_went_further(people: People, run: Run, ask: Ask) -> None:
    latency = designs_of(run).columns["latency_s"]
    early = float(np.median(latency))
    assert limits_of(ask, people.viewer, run, early, float(latency.min()), early) is None


def test_the_heads_of_the_table_follow_the_values(people: People, run: Run, ask: Ask) -> None:
    key = f"{RunIds.TABLE}.columnDefs"
    changed = f"{RunIds.DATA}.data"
    answer = ask(people.viewer, key, values(run, **{key: []}), changed).json()["response"][RunIds.TABLE]["columnDefs"]
    assert any("(" in column["headerName"] for column in answer)
    again = ask(people.viewer, key, values(run, **{key: answer}), changed)
    assert again.json()["response"] == {}


def panel(ask: Ask, user: Any, run: Run, name: str, **given: Any) -> str:
    shown = f'{{"name":"{name}","type":"{RunIds.PANEL_TYPE}"}}'
    panels = {f"{shown}.id": None, f"{shown}.children": None}
    usual = {f"{RunIds.TAB}.data": name, f"{RunIds.SCALE}.data": "logarithmic"}
    key = f'{{"name":["ALL"],"type":"{RunIds.PANEL_TYPE}"}}.children'
    return str(ask(user, key, values(run, **panels, **(usual | given)), f"{RunIds.TAB}.data").json())


def test_the_data_tab_shows_what_run_and_design_report(people: People, run: Run, ask: Ask) -> None:
    text = panel(ask, people.viewer, run, "data")
    assert "5 steps made." in text and "The run" in text and "Design 0003" in text


def test_the_convergence_tab_takes_the_scale_that_was_chosen(people: People, run: Run, ask: Ask) -> None:
    assert "'type': 'log'" in panel(ask, people.viewer, run, "convergence")
    linear = panel(ask, people.viewer, run, "convergence", **{f"{RunIds.SCALE}.data": "linear"})
    assert "'type': 'log'" not in linear and "Hypervolume" in linear


def test_a_result_is_saved_at_full_precision(people: People, run: Run, ask: Ask) -> None:
    results = explained(run, 3)
    name = next(result.name for result in results if isinstance(result, Breakdown))
    item = f'{{"name":"{name}","of":"design","type":"{RunIds.RESULT_TYPE}"}}'
    answer = ask(
        people.viewer, f"{RunIds.DOWNLOAD}.data", values(run, **{f"{item}.n_clicks": 1}), f"{item}.n_clicks"
    ).json()["response"][RunIds.DOWNLOAD]["data"]
    assert answer["filename"] == f"run-{run.pk}-design-3-{name}.csv"
    assert base64.b64decode(answer["content"]) == result_csv(results, name)


def test_a_selection_sends_no_point_again(people: People, ask: Ask) -> None:
    run = finished_run(people, steps=2, designs_per_step=5000)
    assert len(designs_of(run)) == 10_000
    view = {"axes": ["latency_s", "energy_j"], "x": [1.0, 2.0], "y": [1.0, 4.0]}
    given = values(run, **{f"{RunIds.VIEW}.data": view})
    head = f"{RunIds.FRONT}.figure"
    whole = ask(people.viewer, f"{head}...{RunIds.FRONT_SUMMARY}.aria-label...{RunIds.FRONT_EMPTY}", given)
    patch = ask(people.viewer, f"{head}@", given, f"{RunIds.SELECTION}.data")
    assert patch.status_code == whole.status_code == 200
    assert len(patch.content) < 20_000 < 100_000 < len(whole.content)


def test_the_cache_of_designs_keeps_a_few_runs_only() -> None:
    cache = DesignCache(size=2)
    read: list[str] = []

    def start(name: str) -> Any:
        return lambda: (read.append(name), RunDesigns.empty((), ""))[1]

    class Nothing:
        columns: ClassVar[dict[str, Any]] = {}
        found_at_evaluation = origin = label = ()
        last_chunk = 0

    for name in ("a", "b", "c", "b", "a"):
        cache.get(name, 1, start(name), lambda _after: Nothing())
    assert read == ["a", "b", "c", "a"]
