"""Starting an exploration from the form, as the browser asks for it."""

from __future__ import annotations

from dataclasses import replace

from engines.documents.builtin import builtin_documents
from engines.registry import get_engine
from frontend.ids.new import NewIds
from frontend.pages.new.summary import judge
from tests.frontend.conftest import Ask
from tests.frontend.pages.new.cases import DRAFT, begin, form, shown
from tests.support.stored_runs import People
from webapp.catalogue.service import store_version
from webapp.runs.models import Run


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
