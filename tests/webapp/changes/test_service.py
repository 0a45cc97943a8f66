"""What is written down, by whom it is seen, and what filters leave."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.db import models
from django.test import Client

from engines.contract.errors import ProblemError
from tests.support.stored_runs import People, finished_run, make_people
from webapp.api.tokens import make_token
from webapp.changes.acting import command_line
from webapp.changes.exports import csv_lines
from webapp.changes.models import Change
from webapp.changes.recording import WATCHED
from webapp.changes.service import Asked, lines, page_of, people_of, read_asked, visible_changes
from webapp.comparisons import service as comparisons
from webapp.deletions import service as deletions
from webapp.runs import service
from webapp.runs.models import Run
from webapp.teams.command_line import command_user

# What people do not do themselves, or what is told with something else.
UNWATCHED = {
    "runs.RunInput": "made with its run",
    "runs.StepRecord": "stored by workers",
    "runs.Checkpoint": "stored by workers",
    "runs.DesignChunk": "stored by workers",
    "runs.RunResult": "stored by workers",
    "runs.FileBlob": "content without a name",
    "runs.FilePart": "part of a FileBlob",
    "runs.RunFile": "stored by workers",
    "runs.DocumentFile": "made with its version",
    "runs.LogLine": "stored by workers",
    "runs.WorkerBeat": "a worker's sign of life",
    "reproductions.Reproduction": "facts about the product",
    "changes.Change": "the log itself",
    "api.StartedOnce": "remembers that a program asked twice",
    "talk.Favourite": "a person's own, which nobody else sees",
    "talk.Notice": "made with its note",
    "webhooks.Delivery": "sent by workers",
    "retention.LastRetention": "a date of the site",
    "search.SearchEntry": "follows what it is about",
}


@pytest.fixture
def people(db: Any, toys: None) -> People:
    return make_people()


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def newest(**asked: Any) -> Change:
    return Change.objects.filter(**asked).order_by("-pk")[0]


def a_document() -> dict[str, Any]:
    return {"engine": "toy", "params": {"steps": 2}, "seed": 3, "title": "Toy run", "project": "lab"}


def start_over_rest(people: People, **headers: str) -> Run:
    client = Client() if headers else signed_in(people.owner)
    answer = client.post("/api/v1/runs/", a_document(), content_type="application/json", headers=headers)
    assert answer.status_code == 201, answer.content
    return Run.objects.get(pk=answer.json()["id"])


def test_every_model_is_watched_or_exempt_with_a_reason() -> None:
    ours = {
        model._meta.label
        for model in apps.get_models()
        if model.__module__.startswith("webapp.") and issubclass(model, models.Model)
    }
    assert ours - set(WATCHED) - set(UNWATCHED) == set()
    assert set(UNWATCHED) <= ours and not set(UNWATCHED) & set(WATCHED)


def test_nothing_is_written_down_where_nobody_acts(people: People) -> None:
    finished_run(people)
    assert not Change.objects.exists()


def test_what_is_done_in_the_browser_is_told_with_its_values(people: People) -> None:
    run = start_over_rest(people)
    made = newest(object_id=run.pk, verb="made")
    assert (made.who, made.means, made.token, made.project_id) == ("ann", "browser", "", run.project_id)
    assert made.changes is not None and made.changes["title"] == [None, "Toy run"]
    answer = signed_in(people.editor).patch(
        f"/api/v1/runs/{run.pk}/",
        {"wish": "stop"},
        content_type="application/json",
        headers={"X-Request-ID": "abcd-1234"},
    )
    assert answer.headers["X-Request-ID"] == "abcd-1234"
    stopped = newest(verb="stopped")
    assert (stopped.who, stopped.cid, stopped.changes) == ("eve", "abcd-1234", {"status": ["queued", "stopped"]})
    signed_in(people.editor).patch(f"/api/v1/runs/{run.pk}/", {"wish": "stop"}, content_type="application/json")
    assert Change.objects.filter(verb="stopped").count() == 1, "asking again changes nothing"
    signed_in(people.owner).post(f"/api/v1/runs/{run.pk}/continue/", {}, content_type="application/json")
    assert newest(verb="continued").changes["status"] == ["stopped", "queued"]


def test_a_program_is_told_by_its_token(people: People) -> None:
    text = make_token(people.owner, "Script")[1]
    run = start_over_rest(people, Authorization=f"Token {text}")
    made = newest(object_id=run.pk, verb="made")
    assert (made.who, made.means, made.token) == ("ann", "api", "Script") and text not in str(made.changes)


def test_a_command_acts_for_the_person_it_names(people: People) -> None:
    with command_line():
        service.create(command_user("ann"), {"engine": "toy"}, people.project)
    made = newest(verb="made", content_type__model="run")
    assert (made.who, made.means) == ("ann", "command")


def test_secrets_are_not_in_the_log(people: People) -> None:
    with command_line():
        people.viewer.set_password("another-password")
        people.viewer.save()
        make_token(people.viewer, "Mine")
    told = newest(content_type__model="user").changes
    assert told == {"password": ["(not shown)", "(not shown)"]}
    assert "digest" not in str(newest(content_type__model="apitoken").changes)


def test_members_see_what_was_done_in_their_projects_and_strangers_nothing(people: People) -> None:
    run = start_over_rest(people)
    assert run.pk in [change.object_id for change in visible_changes(people.viewer, Asked(kind="run"))]
    assert not visible_changes(people.stranger).exists()
    with command_line() as who:
        who.person = lambda: people.stranger
        people.stranger.set_password("another-password")
        people.stranger.save()
    assert [change.content_type.model for change in visible_changes(people.stranger)] == ["user"]
    assert not visible_changes(people.owner, Asked(kind="account")).exists()


def test_filters_leave_what_they_say(people: People) -> None:
    first, second = start_over_rest(people), start_over_rest(people)
    service.request_stop(people.owner, second)
    assert [c.object_id for c in visible_changes(people.owner, Asked(kind="run", number=first.pk))] == [first.pk]
    assert not visible_changes(people.owner, Asked(person="eve")).exists()
    assert people_of(people.owner) == ["ann"]
    today = newest().timestamp.date()
    assert visible_changes(people.owner, Asked(since=today, until=today)).count() == 2
    page, go_on = page_of(visible_changes(people.owner), 1)
    assert [change.object_id for change in page] == [second.pk] and go_on == page[0].pk
    assert [c.object_id for c in page_of(visible_changes(people.owner), 1, go_on)[0]] == [first.pk]


@pytest.mark.parametrize(
    "given",
    [{"kind": "cat"}, {"means": "post"}, {"verb": "x"}, {"since": "yesterday"}, {"number": "3"}, {"number": "-1"}],
)
def test_a_filter_that_means_nothing_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(ProblemError):
        read_asked(given)


def test_a_file_has_a_line_per_field(people: People) -> None:
    run = start_over_rest(people)
    text = list(csv_lines(lines(visible_changes(people.owner, Asked(kind="run", number=run.pk)))))
    assert text[0].startswith("number,at,who,means") and any(",title,,Toy run" in line for line in text)
    answer = signed_in(people.owner).get("/api/v1/changes.csv?kind=run")
    assert b"".join(answer).decode().count("\n") == len(text)


def test_the_log_outlives_what_it_is_about(people: People) -> None:
    runs = [finished_run(people), finished_run(people)]
    with command_line() as who:
        who.person = lambda: people.owner
        entries = comparisons.entries_of(people.owner, [{"run": run.pk} for run in runs])
        kept = comparisons.keep(people.owner, "Which?", entries, {})
        comparisons.keep(people.owner, "Which one?", entries, {}, kept)
        deletions.delete(people.owner, "comparison", kept.pk)
    told = list(lines(visible_changes(people.viewer, Asked(kind="comparison"))))
    assert len(told) == 3 and ("title", "Which?", "Which one?") in told[1].differences


def test_a_page_of_the_interface_goes_on_where_the_one_before_ended(people: People) -> None:
    start_over_rest(people)
    client = signed_in(people.viewer)
    found = client.get("/api/v1/changes/?kind=run").json()
    assert found["before"] is None and found["changes"][0]["differences"]
    assert client.get(f"/api/v1/changes/?before={found['changes'][-1]['number']}").json()["changes"] == []
    assert client.get("/api/v1/changes/?kind=cat").status_code == 400
    assert signed_in(people.stranger).get("/api/v1/changes/").json()["changes"] == []
