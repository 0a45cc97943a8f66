from __future__ import annotations

import json

import pytest

from frontend.ids.new import NewIds
from tests.frontend.conftest import Ask
from tests.frontend.pages.new.cases import DRAFT, begin, form, shown
from tests.support.stored_runs import People
from webapp.runs.models import Run


@pytest.mark.parametrize("limit", ["", "3"])
def test_what_is_not_what_the_summary_shows_is_not_started(people: People, ask: Ask, limit: str) -> None:
    before = shown(people.stranger, n_splits=2)
    answer = begin(ask, people.stranger, limit, before, n_splits="2" if limit else "3")
    assert not Run.objects.exists() and answer[NewIds.AGAIN]["data"] == 1
    assert "The page changed" in str(answer[NewIds.START_ERROR])


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
