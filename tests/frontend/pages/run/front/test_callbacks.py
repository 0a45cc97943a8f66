from __future__ import annotations

import pytest

from frontend.ids.run import RunIds
from frontend.pages.run.front.choices import HIDEABLE
from frontend.pages.run.run_reader import designs_of
from tests.frontend.conftest import Ask
from tests.frontend.pages.run.cases import CHOICES, values
from tests.frontend.pages.run.front.cases import designs
from tests.support.stored_runs import People
from webapp.runs.models import Run


def test_undo_puts_the_sliders_back(people: People, run: Run, ask: Ask) -> None:
    before = {"latency_s": float(designs_of(run).columns["latency_s"][:8].max())}
    given = values(run, **{f"{RunIds.UNDO}.data": {"limits": before, "at": 1}, f"{RunIds.LIMITS}.data": {}})
    answer = ask(people.viewer, f"{RunIds.LIMIT_BOX}.children", given, f"{RunIds.UNDO}.data")
    boxes = answer.json()["response"][RunIds.LIMIT_BOX]["children"]
    sliders = [box["props"]["children"][2]["props"] for box in boxes]
    assert next(s["value"] for s in sliders if s["id"]["name"] == "latency_s") == before["latency_s"]
    assert answer.json()["response"][RunIds.LIMITS]["data"] == before


def test_every_view_shows_the_selected_design_in_a_trace_of_its_own(people: People, run: Run, ask: Ask) -> None:
    head = f"{RunIds.FRONT}.figure"
    for view in ("3d", "matrix", "parallel"):
        given = values(run, **{f"{RunIds.CHOICES}.data": {**CHOICES, "view": view}})
        key = f"{head}...{RunIds.FRONT_SUMMARY}.aria-label...{RunIds.FRONT_EMPTY}"
        answer = ask(people.viewer, key, given, f"{RunIds.CHOICES}.data").json()["response"]
        traces, kept = answer[RunIds.FRONT]["figure"]["data"], answer[RunIds.VIEW]["data"]
        assert (kept["kind"], kept["traces"], traces[-1]["name"]) == (view, len(traces), "selected")


@pytest.mark.parametrize(("count", "shown"), [(3, ["dominated", "points"]), (8, ["dominated", "baselines", "points"])])
def test_baselines_that_come_while_a_run_is_watched_get_their_switch(
    people: People, run: Run, ask: Ask, monkeypatch: pytest.MonkeyPatch, count: int, shown: list[str]
) -> None:
    monkeypatch.setattr("frontend.pages.run.front.callbacks.designs_of", lambda _run: designs(count))
    ids = {name: f'{{"name":"{name}","type":"{RunIds.SHOW_BOX_TYPE}"}}' for name in HIDEABLE}
    given = values(run, **dict.fromkeys(f"{each}.id" for each in ids.values()))
    given |= {f'{{"name":"{axis}","type":"{RunIds.CHOICE_TYPE}"}}.value': "latency_s" for axis in "xy"}
    key = f'{{"name":["ALL"],"type":"{RunIds.SHOW_BOX_TYPE}"}}.hidden'
    answer = ask(people.viewer, key, given, f"{RunIds.DATA}.data").json()["response"]
    assert [name for name, each in ids.items() if not answer[each]["hidden"]] == shown
