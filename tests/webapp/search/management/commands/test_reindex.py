"""The index is written once more."""

from __future__ import annotations

from django.core.management import call_command

from tests.support.stored_runs import People, finished_run
from tests.webapp.search.cases import numbers
from webapp.search.indexing import index
from webapp.search.models import SearchEntry


def test_the_index_can_be_written_anew(people: People) -> None:
    run = finished_run(people)
    SearchEntry.objects.all().delete()
    assert numbers(people.owner, "toy") == []
    call_command("reindex", verbosity=0)
    assert numbers(people.owner, "toy") == [run.pk]
    assert index("run", [run.pk, run.pk + 1]) == 1 and SearchEntry.objects.filter(kind="run").count() == 1
