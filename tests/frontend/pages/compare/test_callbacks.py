from __future__ import annotations

import json
from typing import Any

from tests.frontend.conftest import Ask
from tests.support.stored_runs import People
from webapp.comparisons.service import entries_of, keep, state_of, visible_comparisons


def test_keeping_needs_a_title_and_leads_to_the_kept_one(people: People, runs: list[Any], ask: Ask) -> None:
    entries = [{"run": run.pk, "design": None} for run in runs]
    pressed = '{"name":"keep","type":"compare-action"}.n_clicks'
    values = {
        "compare-add.value": None, pressed: 1, "compare-title.value": "", "compare-axes.data": {},
        "compare-selected.data": {}, "compare-entries.data": entries, "compare-number.data": 0,
    }  # fmt: skip
    answer = ask(people.owner, "compare-location.href", values, pressed).json()["response"]
    assert "title: must be a question or a name" in json.dumps(answer["compare-error"])
    answer = ask(people.owner, "compare-location.href", {**values, "compare-title.value": "Why?"}, pressed).json()
    kept = visible_comparisons(people.owner).get()
    assert answer["response"]["compare-location"]["href"] == f"/compare/{kept.pk}"
    assert kept.title == "Why?"
    values |= {"compare-number.data": kept.pk, "compare-seen.data": state_of(kept)}
    keep(people.owner, "Theirs", entries_of(people.owner, entries), {}, kept)
    mine = {**values, "compare-title.value": "Mine"}
    answer = ask(people.owner, "compare-location.href", mine, pressed).json()["response"]
    page = json.dumps(answer["compare-error"], ensure_ascii=False)
    assert "They changed" in page and "Why?" in page and "Theirs" in page and "Mine" in page and "Keep mine" in page
    mine["compare-seen.data"] = answer["compare-seen"]["data"]
    ask(people.owner, "compare-location.href", mine, pressed)
    assert visible_comparisons(people.owner).get().title == "Mine"


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
