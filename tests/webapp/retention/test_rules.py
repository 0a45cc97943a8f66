"""What goes, what stays, and that a dry run says exactly that."""

from __future__ import annotations

from typing import Any

from axes.models import AccessAttempt
from django.contrib.sessions.models import Session
from django.db.models import Model
from django.test import Client

from tests.support.databases import LiveDatabase
from tests.support.stored_runs import People, finished_run, make_people
from tests.support.toy_engine import toys_offered
from tests.webapp.retention.cases import ago, link, old_failed_run, said
from webapp.api.models import StartedOnce
from webapp.deletions.service import delete
from webapp.runs.models import Checkpoint, DesignChunk, FileBlob, Run, RunFile
from webapp.runs.results.readers import provenance
from webapp.runs.storage.design_chunks import stored_designs
from webapp.sharing.models import ShareLink
from webapp.teams.invitations import invite
from webapp.teams.models import Invitation
from webapp.webhooks.models import Delivery
from webapp.webhooks.service import make_webhook, send_test


def test_old_failed_and_stopped_runs_go_and_can_be_brought_back(people: People, months: None) -> None:
    failed, stopped = old_failed_run(people), old_failed_run(people, "stopped")
    kept = [old_failed_run(people, "done"), old_failed_run(people, days=59), finished_run(people)]
    dry = said("--dry-run")
    assert not Run.objects.filter(deleted__isnull=False).exists()
    chunks = DesignChunk.objects.filter(run=failed)
    held = sum(len(chunk.scalars) + len(chunk.decisions) for chunk in chunks)
    assert dry[0] == (
        f"failed runs: run {failed.pk} “Toy run” of Lab, failed, to be removed for good in 30 days, {held} bytes."
    ), "its file is a file of the other runs, too"
    assert said() == [*dry[:-1], dry[-1].replace("Would be removed", "Removed")] and len(dry) == 3
    assert set(Run.objects.filter(deleted=None)) == set(kept)
    assert said()[0].startswith("Removed: 0")
    Run.objects.filter(pk__in=[failed.pk, stopped.pk]).update(deleted=ago(31))
    assert [line.partition(",")[0] for line in said()[:2]] == [
        f"deleted: run {number} “Toy run” of Lab" for number in (failed.pk, stopped.pk)
    ]
    assert set(Run.objects.all()) == set(kept)


def test_what_is_removed_for_good_frees_the_bytes_that_were_told(people: People) -> None:
    run, other = finished_run(people), finished_run(people)
    own = FileBlob.objects.create(sha256="a" * 64, size=1000)
    RunFile.objects.create(run=run, name="own.bin", media_type="x/y", step_number=1, blob=own)
    Checkpoint.objects.create(run=run, step_number=1, design_count=1, attempt=1, data=b"x" * 500)
    chunks = [len(chunk.scalars) + len(chunk.decisions) for chunk in DesignChunk.objects.filter(run=run)]
    delete(people.owner, "run", run.pk)
    Run.objects.filter(pk=run.pk).update(deleted=ago(31))
    told = said("--dry-run")[-1]
    assert f"frees {1500 + sum(chunks)} bytes" in told, "the file that another run has as well stays"
    assert said()[-1] == told.replace("Would be removed", "Removed")
    assert list(Run.objects.all()) == [other] and not FileBlob.objects.filter(pk=own.pk).exists()
    assert FileBlob.objects.count() == 1


def test_the_checkpoint_of_a_run_that_is_done_is_emptied(people: People) -> None:
    done, stopped = old_failed_run(people, "done"), old_failed_run(people, "stopped")
    for run in (done, stopped):
        Checkpoint.objects.create(run=run, step_number=1, design_count=2, attempt=1, data=b"x" * 500)
    told, before = provenance(done), stored_designs(done.pk)
    assert said()[0] == f"checkpoints: checkpoint of run {done.pk}, which is done, 500 bytes."
    assert [len(each.data) for each in Checkpoint.objects.order_by("run_id")] == [0, 500]
    after = stored_designs(done.pk)
    assert provenance(done) == told and before is not None and after is not None and after.equals(before)
    assert said()[0].startswith("Removed: 0")


def aged(model: type[Model], **fields: Any) -> int:
    """One of two rows is made old; its key."""
    number = model._default_manager.order_by("pk").values_list("pk", flat=True)[0]
    model._default_manager.filter(pk=number).update(**fields)
    return int(number) if not isinstance(number, str) else 0


def test_small_things_that_are_over_go_one_of_two_each(people: People) -> None:
    for person in (people.owner, people.viewer):
        Client().force_login(person)
        StartedOnce.objects.create(user=person, key="x", digest="0" * 64)
        invite(people.owner, people.project, f"{person}@example.org", "viewer")
        AccessAttempt.objects.create(username=str(person), ip_address="192.0.2.1", failures_since_start=1)
    run = finished_run(people)
    for _ in range(2):
        link(people, run)
    hook = make_webhook(people.owner, people.project, "https://example.org/", ["run.done"])[0]
    for _ in range(2):
        send_test(people.owner, hook.pk)
    Delivery.objects.update(status="delivered")
    waiting = send_test(people.owner, hook.pk)
    Delivery.objects.filter(pk=waiting.pk).update(created=ago(31))
    aged(Session, expire_date=ago(0.01))
    aged(StartedOnce, since=ago(1.1))
    aged(Invitation, expires=ago(31))
    aged(AccessAttempt, attempt_time=ago(31))
    aged(ShareLink, expires=ago(31))
    aged(Delivery, created=ago(31))
    dry = said("--dry-run")
    assert [line.partition(":")[0] for line in dry[:-1]] == [
        "deliveries", "sessions", "keys", "links", "invitations", "wrong passwords",
    ]  # fmt: skip
    assert all(": 1 " in line for line in dry[:-1]) and dry[-1].startswith("Would be removed: 6")
    assert said()[:-1] == dry[:-1]
    for model, left in (
        (Session, 1),
        (StartedOnce, 1),
        (Invitation, 1),
        (AccessAttempt, 1),
        (ShareLink, 1),
        (Delivery, 2),
    ):
        assert model._default_manager.count() == left, model
    assert Delivery.objects.filter(pk=waiting.pk).exists(), "what still waits is sent, however old"


def test_the_rules_are_the_same_on_both_databases(live_database: LiveDatabase, settings: Any) -> None:
    settings.PARETOSCOPE_KEEP_FAILED_DAYS = 60
    with toys_offered():
        people = make_people()
        run = old_failed_run(people)
        done = old_failed_run(people, "done")
        Checkpoint.objects.create(run=done, step_number=1, design_count=2, attempt=1, data=b"x" * 500)
        gone = finished_run(people)
        Run.objects.filter(pk=gone.pk).update(deleted=ago(31))
        dry = said("--dry-run")
        assert [line.partition(":")[0] for line in dry[:-1]] == ["deleted", "deleted", "failed runs", "checkpoints"]
        assert said()[:-1] == dry[:-1]
        assert Run.objects.get(pk=run.pk).deleted is not None and not Run.objects.filter(pk=gone.pk).exists()
