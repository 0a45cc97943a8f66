"""The index follows what is stored, and decides nothing."""

from __future__ import annotations

from tests.support.stored_runs import People, finished_run
from tests.webapp.search.cases import numbers
from webapp.comparisons import service as comparisons
from webapp.deletions import service as deletions
from webapp.runs.models import Run
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
