"""The index follows what is stored, and decides nothing."""

from __future__ import annotations

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tests.support.stored_runs import People, finished_run
from tests.webapp.search.cases import numbers
from webapp.comparisons import service as comparisons
from webapp.deletions import service as deletions
from webapp.runs.models import Run
from webapp.search.index_updates import _migrated
from webapp.search.models import SearchEntry
from webapp.teams.models import Membership


def test_what_is_deleted_or_somewhere_else_is_not_found(people: People) -> None:
    both = [finished_run(people), finished_run(people)]
    kept = comparisons.keep(
        people.owner, "Which zebra?", comparisons.entries_of(people.owner, [{"run": run.pk} for run in both]), {}
    )
    assert numbers(people.viewer, "zebra", "comparison") == [kept.pk]
    deletions.delete(people.owner, "comparison", kept.pk)
    assert numbers(people.viewer, "zebra", "comparison") == []
    deletions.restore(people.owner, "comparison", kept.pk)
    assert numbers(people.viewer, "zebra", "comparison") == [kept.pk]
    # The index does not decide: whoever left the project finds nothing, whatever stands in it.
    Membership.objects.filter(user=people.viewer).delete()
    assert numbers(people.viewer, "zebra", "comparison") == []
    Run.objects.filter(pk=both[0].pk).update(project=people.stranger.personal_project)
    assert both[0].pk not in numbers(people.owner, "toy") and both[1].pk in numbers(people.owner, "toy")
    both[1].delete()
    assert not SearchEntry.objects.filter(kind="run", number=both[1].pk).exists()


def test_what_is_stored_is_indexed_once_all_is_migrated(people: People) -> None:
    """`manage.py migrate comparisons zero` leaves a table out that the index would be made of."""
    run = finished_run(people)
    SearchEntry.objects.all().delete()
    MigrationRecorder(connection).record_unapplied("comparisons", "0003_deleted")
    _migrated(sender=None)
    assert not SearchEntry.objects.exists()
    MigrationRecorder(connection).record_applied("comparisons", "0003_deleted")
    _migrated(sender=None)
    assert SearchEntry.objects.filter(kind="run", number=run.pk).exists()
