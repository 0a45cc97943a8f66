"""What is found by which words, by whom, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
from django.core.management import call_command
from django.test import Client

from engines.contract.designs import table_from_bytes, table_to_bytes
from tests.support.databases import LiveDatabase
from tests.support.stored_runs import People, finished_run, make_people
from tests.support.toy_engine import toys_offered
from webapp.catalogue import service as catalogue
from webapp.comparisons import service as comparisons
from webapp.deletions import service as deletions
from webapp.runs import service as runs
from webapp.runs.models import DesignChunk, Run
from webapp.runs.signals import run_done
from webapp.search.indexing import index, labels_of
from webapp.search.models import SearchEntry
from webapp.search.service import found
from webapp.search.words import words_of
from webapp.studies import service as studies
from webapp.teams.models import Membership


@pytest.fixture
def people(live_database: LiveDatabase) -> Iterator[People]:
    """On both databases, where commits are commits."""
    with toys_offered():
        yield make_people()


def numbers(who: Any, query: str, kind: str = "run") -> list[int]:
    return [each.pk for each in found(who, query, kind, 6)]


def test_words_are_the_same_on_both_databases() -> None:
    assert words_of("Het-Sides_3x3, Größe 0.5 µm", None, "HET") == [
        "het",
        "sides",
        "3x3",
        "große",
        "0",
        "5",
        "μm",
        "none",
    ]
    assert words_of("Café") == ["cafe"] and words_of("', \" * ( % :") == []
    assert len(words_of(" ".join(map(str, range(9000))))) == 3000


def test_everything_is_found_by_every_word_or_its_beginning(people: People) -> None:
    run = runs.create(people.owner, {"engine": "toy", "title": "Größe of a sensor-node"}, people.project)
    study = studies.create(people.owner, {"engine": "toy", "seeds": [1, 2], "title": "Seeds matter"}, people.project)
    content = catalogue.copy_of(people.owner, "hardware", "simba-3x3-nvdla") | {
        "slug": "ours",
        "title": "Our own board",
    }
    document = catalogue.store_version(people.owner, people.project, "hardware", content).document
    for query in ("groß", "SENSOR", "node größe", "toy senso", "ann node", f"{run.pk} sensor"):
        assert numbers(people.viewer, query) == [run.pk], query
    assert numbers(people.viewer, "sensor zebra") == numbers(people.viewer, "ensor") == []
    assert numbers(people.viewer, "seeds", "study") == [study.pk]
    assert set(numbers(people.viewer, "seeds")) == set(study.runs.values_list("pk", flat=True))
    assert numbers(people.viewer, "own boa", "document") == [document.pk]
    for wrong in ("", "  ", "'; DROP TABLE", "%", '"', "a AND (", "x" * 4000):
        assert numbers(people.viewer, wrong) == []
    assert numbers(people.stranger, "sensor") == numbers(people.stranger, "seeds", "study") == []


def test_labels_of_designs_are_found_once_the_run_is_done(people: People) -> None:
    run = finished_run(people)
    chunk = DesignChunk.objects.filter(run=run)[0]
    table = table_from_bytes(bytes(chunk.scalars))
    labels = pa.array(["", *["Standalone NVDLA"] * (table.num_rows - 1)])
    named = table.set_column(table.column_names.index("label"), "label", labels)
    DesignChunk.objects.filter(pk=chunk.pk).update(scalars=table_to_bytes(named))
    Run.objects.filter(pk=run.pk).update(design_count=table.num_rows)
    run.refresh_from_db()
    assert list(labels_of(run)) == ["Standalone NVDLA"] and numbers(people.owner, "standalone") == []
    run_done.send(sender=Run, run_id=run.pk)
    assert numbers(people.owner, "standalone nvd") == [run.pk]


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


def test_the_index_can_be_written_anew(people: People) -> None:
    run = finished_run(people)
    SearchEntry.objects.all().delete()
    assert numbers(people.owner, "toy") == []
    call_command("reindex", verbosity=0)
    assert numbers(people.owner, "toy") == [run.pk]
    assert index("run", [run.pk, run.pk + 1]) == 1 and SearchEntry.objects.filter(kind="run").count() == 1


def test_it_is_asked_over_rest(people: People) -> None:
    run = finished_run(people)
    client = Client()
    client.force_login(people.viewer)
    answer = client.get("/api/v1/search/?q=toy+run").json()
    assert [(each["kind"], each["number"], each["title"]) for each in answer] == [("run", run.pk, "Toy run")]
    assert client.get("/api/v1/search/").status_code == 400
    client.force_login(people.stranger)
    assert client.get("/api/v1/search/?q=toy").json() == []
