"""Starting an exploration from the form, as the browser asks for it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from engines.documents.builtin import builtin_documents
from engines.registry import get_engine
from frontend.components.form import format_value
from frontend.ids.new import NewIds
from frontend.pages.new.data import Draft, specs_of
from frontend.pages.new.summary import judge
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People
from webapp.catalogue.service import store_version
from webapp.runs.models import Run

DRAFT = Draft("scar", {"hardware": "simba-3x3-het-sides", "workload": "mlperf-scenario-4"})


def form(**changed: str) -> dict[str, Any]:
    specs = specs_of(get_engine("scar"))
    raw = {spec.name: changed.get(spec.name, format_value(spec, spec.default)) for spec in specs}
    keys = {name: json.dumps({"name": name, "type": str(NewIds.PARAMETER_TYPE)}, separators=(",", ":")) for name in raw}
    return {f"{keys[name]}.value": value for name, value in raw.items()}


def shown(user: Any, limit: Any = None, **params: Any) -> dict[str, Any]:
    """What a summary of these parameters leaves behind."""
    draft = replace(DRAFT, params=params, stop_after_minutes=limit)
    return {"token": judge(user, draft, get_engine(draft.engine)).token}


def begin(ask: Ask, user: Any, limit: str = "", judged: Any = None, **changed: str) -> Any:
    values = {f"{NewIds.START}.n_clicks": 1, f"{NewIds.DRAFT}.data": DRAFT.to_json(), **form(**changed)}
    values |= {f"{NewIds.TITLE}.value": "", f"{NewIds.TITLE}.placeholder": "Scenario 4 on Het-Sides"}
    values |= {f"{NewIds.STOP_AFTER}.value": limit}
    values |= {f"{NewIds.JUDGED}.data": judged or {"token": ""}}
    return ask(user, f"{NewIds.LOCATION}.href", values, f"{NewIds.START}.n_clicks").json()["response"]


def test_start_stores_the_run_and_leads_to_it(people: People, ask: Ask) -> None:
    answer = begin(ask, people.stranger, judged=shown(people.stranger, n_splits=2), n_splits="2")
    run = Run.objects.get()
    assert answer[NewIds.LOCATION]["href"] == f"/runs/{run.pk}"
    assert answer[NewIds.JUDGED]["data"]["token"] == ""  # a second click finds nothing to start
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
    begin(ask, people.stranger, limit="2.5", judged=shown(people.stranger, 2.5))
    assert Run.objects.get().stop_after_minutes == 2.5


@pytest.mark.parametrize("limit", ["", "3"])
def test_what_is_not_what_the_summary_shows_is_not_started(people: People, ask: Ask, limit: str) -> None:
    before = shown(people.stranger, n_splits=2)
    answer = begin(ask, people.stranger, limit, before, n_splits="2" if limit else "3")
    assert not Run.objects.exists() and answer[NewIds.AGAIN]["data"] == 1
    assert "What was shown has changed" in str(answer[NewIds.START_ERROR])


def test_a_document_that_changed_since_the_summary_was_made_is_not_started(people: People, ask: Ask) -> None:
    package = {**builtin_documents("hardware")["simba-3x3-het-sides"].content, "slug": "mine"}
    store_version(people.owner, people.project, "hardware", package)
    draft = replace(DRAFT, inputs={**DRAFT.inputs, "hardware": "lab/mine"})
    judged = {"token": judge(people.owner, draft, get_engine("scar")).token}
    store_version(people.owner, people.project, "hardware", {**package, "title": "Another"})
    values = {f"{NewIds.START}.n_clicks": 1, f"{NewIds.DRAFT}.data": draft.to_json(), f"{NewIds.JUDGED}.data": judged}
    values |= {f"{NewIds.TITLE}.value": "", f"{NewIds.TITLE}.placeholder": "", f"{NewIds.STOP_AFTER}.value": ""}
    answer = ask(people.owner, f"{NewIds.LOCATION}.href", {**values, **form()}, f"{NewIds.START}.n_clicks").json()
    assert not Run.objects.exists() and "changed" in str(answer["response"][NewIds.START_ERROR])


def test_what_a_summary_is_made_of_comes_back_with_it(people: People, ask: Ask) -> None:
    error = {"slot": "hardware", "type": str(NewIds.SLOT_ERROR_TYPE)}
    key = json.dumps(error, separators=(",", ":"))
    values = {f"{NewIds.DRAFT}.data": DRAFT.to_json(), f"{NewIds.STOP_AFTER}.value": "4", f"{NewIds.AGAIN}.data": None}
    values |= {**form(n_splits="2"), f"{key}.id": error}
    for part in ("help", "field"):  # the fields around the controls, which the answer is for
        values |= {name.replace('new-param"', f'new-param-{part}"').replace(".value", ".id"): "" for name in form()}
    answer = ask(people.owner, f"{NewIds.SUMMARY}.children", values, f"{NewIds.DRAFT}.data").json()["response"]
    judged = answer[NewIds.JUDGED]["data"]
    assert (judged["draft"], judged["limit"], judged["form"]["n_splits"]) == (DRAFT.to_json(), "4", "2")
    assert judged["token"] == shown(people.owner, 4.0, n_splits=2)["token"]
