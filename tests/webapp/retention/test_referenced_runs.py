"""Old runs that somebody needs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engines.reproduction.reproductions import reproducible_engines
from tests.support.stored_runs import People
from tests.webapp.retention.cases import ago, link, old_failed_run, said
from webapp.annotations.models import Favourite, Note, Tag
from webapp.comparisons.models import Comparison
from webapp.reproductions.models import Reproduction
from webapp.runs.models import Run
from webapp.sharing.models import ShareLink
from webapp.studies import service as studies


def compared(people: People, run: Run) -> None:
    entries = [{"run": run.pk, "design": None}]
    Comparison.objects.create(project=people.project, owner=people.owner, title="Which?", entries=entries)


def reproduced(people: People, run: Run) -> None:
    engine = min(reproducible_engines())
    Reproduction.objects.create(
        engine=engine, engine_version=1, run=run, quick=True, comparisons=[], platform={}, duration_s=1.0
    )


def of_a_study(people: People, run: Run) -> None:
    study = studies.create(people.owner, {"engine": "toy", "seeds": [1]}, project=people.project)
    Run.objects.filter(pk=run.pk).update(study=study)


NEEDED: dict[str, Callable[[People, Run], object]] = {
    "starred": lambda people, run: Favourite.objects.create(user=people.viewer, kind="run", number=run.pk),
    "tagged": lambda people, run: Tag.objects.create(project=people.project, kind="run", number=run.pk, word="paper"),
    "noted": lambda people, run: Note.objects.create(
        project=people.project, kind="run", number=run.pk, owner=people.owner, text="x"
    ),
    "shared": link,
    "compared": compared,
    "reproduced": reproduced,
    "of a reproduction": lambda people, run: Run.objects.filter(pk=run.pk).update(engine="reproduction"),
    "of a study": of_a_study,
}


@pytest.mark.parametrize("why", NEEDED)
def test_a_run_that_somebody_needs_stays(people: People, months: None, why: str) -> None:
    run, other = old_failed_run(people), old_failed_run(people)
    NEEDED[why](people, run)
    said()
    assert list(Run.objects.filter(deleted__isnull=False)) == [other]


def test_a_link_that_is_over_keeps_nothing(people: People, months: None) -> None:
    run = old_failed_run(people)
    link(people, run)
    ShareLink.objects.update(expires=ago(1))
    said()
    assert Run.objects.get(pk=run.pk).deleted is not None and ShareLink.objects.count() == 1
