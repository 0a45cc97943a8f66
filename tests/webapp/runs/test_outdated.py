from __future__ import annotations

from tests.support.stored_runs import People
from webapp.catalogue.service import copy_of, store_version
from webapp.runs.models import Run, RunInput
from webapp.runs.outdated import outdated_runs


def test_a_run_with_equal_content_is_not_out_of_date(people: People) -> None:
    package = copy_of(people.owner, "hardware", "simba-3x3-nvdla")
    first = store_version(people.owner, people.project, "hardware", package)
    run = Run.objects.create(
        project=people.project, owner=people.owner, title="Earlier", engine="toy", engine_version=1
    )
    RunInput.objects.create(
        run=run,
        slot="hardware",
        kind="hardware",
        slug=package["slug"],
        version=1,
        content_hash=first.content_hash,
        content={},
    )
    store_version(people.owner, people.project, "hardware", {**package, "title": "Changed"})
    assert list(outdated_runs(first.document)) == [run]
    store_version(people.owner, people.project, "hardware", package)
    assert list(outdated_runs(first.document)) == []
