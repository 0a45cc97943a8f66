"""What the run page answers to clicks, keys and sliders, as the browser asks for it."""

from __future__ import annotations

import base64
from typing import Any, ClassVar

import numpy as np

from engines.contract.designs import Designs
from engines.contract.results import Breakdown
from frontend.designs.run_designs import DesignCache, RunDesigns
from frontend.ids.run import RunIds
from frontend.ids.shell import ShellIds
from frontend.pages.run.reading import designs_of, explained
from frontend.pages.run.tabs.results import result_csv
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People
from webapp.runs.models import Run

SELECTION = {"design": 3, "window": 0, "follow": False}
CHOICES = {"view": "2d", "x": "latency_s", "y": "energy_j", "z": "", "colour": "", "size": "", "log": "", "hidden": []}


def values(run: Run, **changed: Any) -> dict[str, Any]:
    base = {
        f"{RunIds.RUN}.data": run.pk,
        f"{RunIds.DATA}.data": {"count": run.design_count, "attempt": 1, "live": False, "seen": None},
        f"{RunIds.CHOICES}.data": CHOICES,
        f"{RunIds.REGION}.data": {},
        f"{RunIds.FRONT_ORDER}.data": [],
        f"{RunIds.RANKING}.data": {"by": "", "values": {}},
        f"{RunIds.SHORT_BY}.value": "",
        f"{RunIds.LIMITS}.data": {},
        f"{RunIds.SELECTION}.data": SELECTION,
        f"{RunIds.VIEW}.data": {},
        f"{ShellIds.SCHEME}.data": "light",
        f"{ShellIds.VIEWPORT}.data": {"width": 1440, "height": 900},
    }
    return base | changed


def test_the_front_has_every_design(people: People, run: Run, ask: Ask) -> None:
    answer = ask(
        people.viewer, f"{RunIds.FRONT}.figure...{RunIds.FRONT_SUMMARY}.aria-label...{RunIds.FRONT_EMPTY}", values(run)
    )
    response = answer.json()["response"]
    assert response[RunIds.FRONT_SUMMARY]["aria-label"].startswith("Pareto front of 40 designs")
    assert response[RunIds.VIEW]["data"]["axes"] == ["latency_s", "energy_j", ""]
    assert response[RunIds.FRONT_EMPTY]["children"] == ""


def test_no_design_left_names_the_limit_and_offers_to_relax_it(people: People, run: Run, ask: Ask) -> None:
    key = f"{RunIds.FRONT}.figure...{RunIds.FRONT_SUMMARY}.aria-label...{RunIds.FRONT_EMPTY}"
    answer = ask(people.viewer, key, values(run, **{f"{RunIds.LIMITS}.data": {"latency_s": 0.001}}))
    text = str(answer.json()["response"][RunIds.FRONT_EMPTY])
    assert "Latency" in text and "Relax to" in text


def test_a_picture_fitted_to_few_designs_is_fitted_again(people: People, run: Run, ask: Ask) -> None:
    key = f"{RunIds.FRONT}.figure...{RunIds.FRONT_SUMMARY}.aria-label...{RunIds.FRONT_EMPTY}"
    view = {"axes": ["latency_s", "energy_j", ""], "x": [5.0, 6.0], "y": [7.0, 8.0], "count": 8}
    early = ask(people.viewer, key, values(run, **{f"{RunIds.VIEW}.data": view})).json()["response"][RunIds.VIEW][
        "data"
    ]
    assert early["x"] != view["x"] and early["count"] == 40


def select(ask: Ask, user: Any, run: Run, changed: str, **given: Any) -> Any:
    answer = ask(user, f"{RunIds.FOLLOWED}.data", values(run, **given), changed)
    return answer.json()["response"][RunIds.FOLLOWED]["data"] if answer.status_code == 200 else None


def test_a_key_selects(people: People, run: Run, ask: Ask) -> None:
    key = {f"{RunIds.KEYS}.data": {"what": "window-next", "far": False}}
    found = select(ask, people.viewer, run, f"{RunIds.KEYS}.data", **key)
    assert found["selection"] == SELECTION | {"window": 1} and found["on"] == SELECTION


def test_the_page_of_a_run_and_of_no_run(people: People, run: Run, ask: Ask) -> None:
    from frontend.pages.run.page import layout
    from frontend.request import serving

    class Request:
        user = people.viewer
        COOKIES: ClassVar[dict[str, str]] = {}

    with serving(Request()):  # type: ignore[arg-type]
        assert RunIds.FRONT in str(layout(run_id=str(run.pk)))
        Request.user = people.stranger
        foreign, missing = str(layout(run_id=str(run.pk))), str(layout(run_id="999999"))
        assert foreign == missing == str(layout(run_id="nonsense"))
        assert "There is no such run here" in foreign


def test_undo_puts_the_sliders_back(people: People, run: Run, ask: Ask) -> None:
    before = {"latency_s": float(designs_of(run).columns["latency_s"][:8].max())}
    given = values(run, **{f"{RunIds.UNDO}.data": {"limits": before, "at": 1}, f"{RunIds.LIMITS}.data": {}})
    answer = ask(people.viewer, f"{RunIds.LIMIT_BOX}.children", given, f"{RunIds.UNDO}.data")
    boxes = answer.json()["response"][RunIds.LIMIT_BOX]["children"]
    sliders = [box["props"]["children"][2]["props"] for box in boxes]
    assert next(s["value"] for s in sliders if s["id"]["name"] == "latency_s") == before["latency_s"]
    assert answer.json()["response"][RunIds.LIMITS]["data"] == before


def test_relaxing_the_limit_in_the_way_brings_designs_back(people: People, run: Run, ask: Ask) -> None:
    relax = f'{{"name":"latency_s","type":"{RunIds.RELAX_TYPE}"}}.n_clicks'
    given = values(run, **{relax: 1, f"{RunIds.LIMITS}.data": {"latency_s": 0.001}})
    answer = ask(people.viewer, f"{RunIds.LIMIT_BOX}.children", given, relax).json()["response"]
    limit = answer[RunIds.LIMITS]["data"]["latency_s"]
    assert limit == designs_of(run).columns["latency_s"].min()


def test_the_table_holds_what_passes_constraints_and_lasso(people: People, run: Run, ask: Ask) -> None:
    latency, energy = (designs_of(run).columns[name] for name in ("latency_s", "energy_j"))
    middle, high = float(np.median(latency)), float(energy.max()) + 1
    corners = [[0.0, 0.0], [middle, 0.0], [middle, high], [0.0, high]]
    lasso = {"x": "latency_s", "y": "energy_j", "points": corners}
    page = {f"{RunIds.TABLE}.getRowsRequest": {"startRow": 0, "endRow": 100}}

    def rows(**given: Any) -> int:
        answer = ask(people.viewer, f"{RunIds.TABLE}.getRowsResponse", values(run, **page, **given))
        return int(answer.json()["response"][RunIds.TABLE]["getRowsResponse"]["rowCount"])

    assert rows() == 40
    assert rows(**{f"{RunIds.REGION}.data": lasso}) == int((latency < middle).sum())
    assert rows(**{f"{RunIds.LIMITS}.data": {"latency_s": middle}}) == int((latency <= middle).sum())


def test_the_short_list_follows_the_weights(people: People, run: Run, ask: Ask) -> None:
    weight = {name: f'{{"name":"{name}","type":"{RunIds.RANKING_TYPE}"}}' for name in ("latency_s", "energy_j")}
    ranking = {f"{RunIds.SHORT_BY}.value": "weights", f"{RunIds.RANKING}.data": {"by": "weights", "values": {}}}

    def first(latency: float, energy: float) -> int:
        fields = {f"{weight['latency_s']}.value": latency, f"{weight['energy_j']}.value": energy}
        fields |= {f"{key}.id": None for key in weight.values()}
        answer = ask(people.viewer, f"{RunIds.SHORT_WORDS}.data", values(run, **ranking, **fields)).json()["response"]
        assert answer[RunIds.RANKING]["data"]["values"] == {"latency_s": latency, "energy_j": energy}
        rows = answer[RunIds.SHORT_WORDS]["data"]["html"][RunIds.SHORT_LIST]
        return int(rows.partition('title="Design ')[2].partition('"')[0])

    designs = designs_of(run)
    assert first(1, 0) == designs.front[0] and first(0, 1) == designs.front[-1]


def test_every_view_shows_the_selected_design_in_a_trace_of_its_own(people: People, run: Run, ask: Ask) -> None:
    head = f"{RunIds.FRONT}.figure"
    for view in ("3d", "matrix", "parallel"):
        given = values(run, **{f"{RunIds.CHOICES}.data": {**CHOICES, "view": view}})
        key = f"{head}...{RunIds.FRONT_SUMMARY}.aria-label...{RunIds.FRONT_EMPTY}"
        answer = ask(people.viewer, key, given, f"{RunIds.CHOICES}.data").json()["response"]
        traces, kept = answer[RunIds.FRONT]["figure"]["data"], answer[RunIds.VIEW]["data"]
        assert (kept["kind"], kept["traces"], traces[-1]["name"]) == (view, len(traces), "selected")


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


def test_the_cache_of_designs_keeps_as_many_runs_as_fit() -> None:
    def table(count: int) -> Designs:
        return Designs({"latency_s": np.ones(count)}, [{}] * count, np.arange(count), ["search"] * count)

    one = RunDesigns.empty((), "").extended(table(100)).nbytes
    cache = DesignCache(capacity_bytes=2 * one)
    read: list[str] = []

    def start(name: str) -> Any:
        return lambda: (read.append(name), RunDesigns.empty((), ""))[1]

    for name in ("a", "b", "c", "b", "a"):
        cache.get(name, 1, start(name), lambda after: table(0 if after else 100))
    assert read == ["a", "b", "c", "a"]
