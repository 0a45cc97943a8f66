"""Starting an exploration from the form, as the browser asks for it."""

from __future__ import annotations

import json
from typing import Any

from engines.registry import get_engine
from frontend.components.form import format_value
from frontend.ids.new import NewIds
from frontend.pages.new_data import Draft, specs_of
from tests.frontend.pages.conftest import Ask
from tests.support.stored_runs import People
from webapp.runs.models import Run

DRAFT = Draft("scar", {"hardware": "simba-3x3-het-sides", "workload": "mlperf-scenario-4"})


def form(**changed: str) -> dict[str, Any]:
    specs = specs_of(get_engine("scar"))
    raw = {spec.name: changed.get(spec.name, format_value(spec, spec.default)) for spec in specs}
    keys = {name: json.dumps({"name": name, "type": str(NewIds.PARAMETER_TYPE)}, separators=(",", ":")) for name in raw}
    return {f"{keys[name]}.value": value for name, value in raw.items()}


def begin(ask: Ask, user: Any, limit: str = "", **changed: str) -> Any:
    values = {f"{NewIds.START}.n_clicks": 1, f"{NewIds.DRAFT}.data": DRAFT.to_json(), **form(**changed)}
    values |= {f"{NewIds.TITLE}.value": "", f"{NewIds.TITLE}.placeholder": "Scenario 4 on Het-Sides"}
    values |= {f"{NewIds.STOP_AFTER}.value": limit}
    return ask(user, f"{NewIds.LOCATION}.href", values, f"{NewIds.START}.n_clicks").json()["response"]


def test_start_stores_the_run_and_leads_to_it(people: People, ask: Ask) -> None:
    answer = begin(ask, people.stranger, n_splits="2")
    run = Run.objects.get()
    assert answer[NewIds.LOCATION]["href"] == f"/runs/{run.pk}"
    assert (run.owner, run.title, run.params["n_splits"], run.status) == (
        people.stranger, "Scenario 4 on Het-Sides", 2, "queued",
    )  # fmt: skip


def test_a_mistake_stores_nothing_and_is_told(people: People, ask: Ask) -> None:
    answer = begin(ask, people.stranger, n_splits="99")
    assert not Run.objects.exists()
    assert "Got 99" in str(answer[NewIds.START_ERROR])


def test_a_time_limit_goes_with_the_run_and_a_wrong_one_is_told(people: People, ask: Ask) -> None:
    assert "stop_after_minutes: must be a number" in str(begin(ask, people.stranger, limit="soon")[NewIds.START_ERROR])
    assert not Run.objects.exists()
    begin(ask, people.stranger, limit="2.5")
    assert Run.objects.get().stop_after_minutes == 2.5
