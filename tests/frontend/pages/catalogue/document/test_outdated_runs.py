from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from frontend.ids.catalogue import DocumentIds
from frontend.pages.catalogue.document.outdated_runs import outdated_box
from hardware.package.loader import builtin_hardware
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People
from webapp.catalogue.models import Document
from webapp.catalogue.official_documents import promote
from webapp.catalogue.service import store, store_version
from webapp.runs.models import Run, RunInput
from webapp.studies.rerun_studies import offers


@pytest.fixture
def board(people: People) -> Document:
    """An official board whose newest version a run of the project does not have yet."""
    root = get_user_model().objects.create_superuser("root", password="root-has-a-password")
    content = {**builtin_hardware()["simba-3x3-nvdla"], "slug": "board"}
    first = promote(root, store_version(people.owner, people.project, "hardware", content).document, "Measured")
    run = Run.objects.create(project=people.project, owner=people.owner, title="Old", engine="toy", engine_version=1)
    facts = {"slot": "hardware", "kind": "hardware", "slug": "board", "version": 1, "content": {}}
    RunInput.objects.create(run=run, content_hash=first.content_hash, **facts)
    store(root, first.document.project, "hardware", {**first.content, "clock_mhz": 612}, reason="Faster")
    return first.document


def test_each_sees_their_own_runs_and_administrators_how_many_there_are(people: People, board: Document) -> None:
    shown = str(outdated_box(people.viewer, board))
    assert "1 run with an older version" in shown and "Old" in shown and "Run again" in shown
    assert outdated_box(people.stranger, board) is None
    told = str(outdated_box(get_user_model().objects.get(username="root"), board))
    assert "0 runs with an older version" in told and "1 run in projects of which you are no member" in told
    assert "Old" not in told and "Run again" not in told


def test_a_study_that_cannot_be_started_says_why(people: People, board: Document, ask: Ask) -> None:
    def said(person: Any, name: str) -> str:
        pressed = json.dumps({"name": name, "type": DocumentIds.AGAIN_TYPE}, separators=(",", ":"), sort_keys=True)
        given = {f"{pressed}.n_clicks": 1}
        return str(ask(person, f"{DocumentIds.AGAIN_SAID}.children", given, f"{pressed}.n_clicks").json())

    name = f"{board.pk}-{offers(people.viewer, board)[0].name}"
    assert "one of the inputs weights" in said(people.viewer, name)  # toys take no hardware
    assert "have changed since the page was loaded" in said(people.stranger, name)
    assert "no longer exists" in said(people.viewer, "999999-x") and "no longer exists" in said(people.viewer, "x")
