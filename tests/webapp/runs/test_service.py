"""What people do with runs, and what they may not."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from engines.contract.errors import ProblemError
from tests.support.databases import SQLITE
from tests.support.live import LiveSite
from webapp.runs import service
from webapp.runs.models import Run
from webapp.runs.queue import claim
from webapp.runs.results import readers
from webapp.teams.models import Membership
from webapp.teams.visibility import NotAllowed, NotVisible, personal_project


def test_a_run_pins_its_problem(live_site: LiveSite) -> None:
    run = service.start(live_site.ann, {"engine": "toy", "params": {"steps": 7}, "seed": 3}, title="First")
    run = service.get_run(live_site.ann, run.pk)
    assert (run.status, run.wish, run.title, run.seed, run.params["steps"]) == ("queued", "run", "First", 3, 7)
    assert run.project == personal_project(live_site.ann) and run.owner == live_site.ann
    assert run.problem["params"]["designs_per_step"] == 4 and run.problem_hash == readers.problem_of(run).hash()
    assert run.plan["evaluations"] == 28 and run.created is not None and run.queued_at is not None
    assert service.start_from(run) == {
        "engine": "toy", "inputs": {}, "params": run.params, "seed": 3, "title": "First",
    }  # fmt: skip
    again = service.start(live_site.ann, service.start_from(run), parent=run)
    assert again.problem_hash == run.problem_hash and again.parent == run and again.title == "First"


@SQLITE
@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({"engine": "toy", "params": {"steps": 0}}, "params.steps"),
        ({"engine": "toy", "params": {"nothing": 1}}, "params.nothing"),
        ({"engine": "toy", "seed": -1}, "seed"),
        ({"engine": "toy", "seed": "one"}, "seed"),
        ({"engine": "nothing"}, "engine"),
        ({"engine": ["toy"]}, "engine"),
        ({}, "engine"),
        ({"engine": "toy", "inputs": {"nothing": "x"}}, "inputs.nothing"),
        ({"engine": "toy", "inputs": {"weights": "no-such-document"}}, "inputs.weights"),
        ({"engine": "toy", "inputs": {"weights": 3}}, "inputs.weights"),
        ({"engine": "toy", "inputs": ["weights"]}, "inputs"),
        ({"engine": "toy", "version": 99}, "version"),
        ({"engine": "toy", "colour": "red"}, "colour"),
        (["engine"], "problem"),
    ],
)
def test_a_problem_that_cannot_be_run_names_its_field_and_stores_nothing(
    live_site: LiveSite, document: Any, field: str
) -> None:
    with pytest.raises(ProblemError) as caught:
        service.start(live_site.ann, document)
    assert caught.value.field == field and caught.value.accepted
    assert not Run.objects.exists()


def test_a_foreign_run_cannot_be_told_from_one_that_does_not_exist(live_site: LiveSite) -> None:
    run = live_site.start()
    for who, number in (
        (live_site.bob, run.pk),
        (AnonymousUser(), run.pk),
        (live_site.ann, run.pk + 1),
        (live_site.ann, "x"),
    ):
        with pytest.raises(NotVisible):
            service.get_run(who, number)
    for act in (service.request_stop, service.continue_run):
        with pytest.raises(NotVisible):
            act(live_site.bob, run)
    assert not service.visible_runs(live_site.bob).exists() and not service.visible_runs(AnonymousUser()).exists()
    with pytest.raises(NotVisible):
        service.start(live_site.bob, {"engine": "toy"}, parent=run)
    for target in ({"project": personal_project(live_site.ann)}, {}):
        document = {"engine": "toy"} | ({} if target else {"project": personal_project(live_site.ann).slug})
        with pytest.raises(NotVisible):
            service.start(live_site.bob, document, **target)
    run.refresh_from_db()
    assert run.wish == "run" and Run.objects.count() == 1


def test_a_viewer_sees_and_an_editor_acts(live_site: LiveSite) -> None:
    run = live_site.start()
    membership = Membership.objects.create(project=run.project, user=live_site.bob, role="viewer")
    assert service.get_run(live_site.bob, run.pk) == run
    with pytest.raises(NotAllowed, match="editor"):
        service.request_stop(live_site.bob, run)
    with pytest.raises(NotAllowed):
        service.start(live_site.bob, {"engine": "toy"}, project=run.project)
    membership.role = "editor"
    membership.save()
    assert service.request_stop(live_site.bob, run).status == "stopped"


def test_a_waiting_run_stops_at_once_and_can_be_continued(live_site: LiveSite) -> None:
    run = live_site.start()
    assert service.request_stop(live_site.ann, run).status == "stopped"
    assert service.request_stop(live_site.ann, run).status == "stopped"
    assert claim.claim_next("test", claim.Offer()) is None
    continuation = service.continue_run(live_site.ann, run)
    assert continuation.run.status == "queued" and continuation.from_step == 0 and "beginning" in continuation.text
    assert claim.claim_next("test", claim.Offer()) is not None


def test_engines_used_last_come_first_and_are_ones_own(live_site: LiveSite) -> None:
    for engine in ("toy", "toy-without-checkpoints", "toy"):
        service.start(live_site.ann, {"engine": engine})
    assert service.engines_of_late(live_site.ann, 5) == ["toy", "toy-without-checkpoints"]
    assert service.engines_of_late(live_site.ann, 1) == ["toy"]
    assert service.engines_of_late(AnonymousUser(), 5) == []
