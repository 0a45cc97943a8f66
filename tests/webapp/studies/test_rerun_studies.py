from __future__ import annotations

from typing import Any

import pytest

from engines.contract.engine import Document as EngineDocument
from engines.contract.errors import ProblemError
from tests.support.stored_runs import People, make_people
from webapp.catalogue.models import Document, DocumentVersion
from webapp.runs import service as runs
from webapp.studies import rerun_studies
from webapp.studies.models import Study
from webapp.teams.visibility import NotAllowed


@pytest.fixture
def people(db: None, toys: None, monkeypatch: pytest.MonkeyPatch) -> People:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    return make_people()


def add_version(document: Document, weights: list[int]) -> DocumentVersion:
    """The catalogue knows no toy documents, so the rows are made by hand."""
    content = {"schema": "toy/1", "slug": document.slug, "title": "Weights", "weights": weights}
    number = document.versions.count() + 1
    digest = EngineDocument("data", document.slug, number, content).content_hash()
    facts = {"schema": "toy/1", "title": "Weights", "content": content, "content_hash": digest}
    return DocumentVersion.objects.create(document=document, number=number, **facts)


@pytest.fixture
def document(people: People) -> Document:
    """A document of two versions; three runs pin the first: two differ in their seeds, one in a parameter."""
    found = Document.objects.create(project=people.project, kind="data", slug="even")
    add_version(found, [1, 1, 1])
    for seed, steps in ((1, 2), (2, 2), (1, 3)):
        problem: dict[str, Any] = {
            "engine": "toy",
            "inputs": {"weights": "lab/even"},
            "params": {"steps": steps},
            "seed": seed,
        }
        runs.start(people.owner, problem, project=people.project)
    add_version(found, [1, 3, 5])
    return found


def test_runs_that_differ_in_their_seeds_are_one_study_of_before_and_after(people: People, document: Document) -> None:
    other, both = rerun_studies.offers(people.owner, document)
    assert (len(other.runs), other.cells, len(both.runs), both.cells) == (1, 2, 2, 4)
    study = rerun_studies.start(people.owner, document, both.name, people.project)
    assert study.title == f"even: version 1 and 2, {both.engine.title}"
    cells = {(run.inputs.get().version, run.seed, run.params["steps"]) for run in study.runs.all()}
    assert cells == {(1, 1, 2), (1, 2, 2), (2, 1, 2), (2, 2, 2)}
    assert (study.owner, study.project) == (people.owner, people.project)


def test_what_the_study_computes_is_not_out_of_date(people: People, document: Document) -> None:
    before = list(rerun_studies.seen_out_of_date(people.owner, document))
    rerun_studies.start(people.owner, document, rerun_studies.offers(people.owner, document)[1].name, people.project)
    assert len(before) == 3 and list(rerun_studies.seen_out_of_date(people.owner, document)) == before


def test_one_is_offered_what_one_sees(people: People, document: Document) -> None:
    assert rerun_studies.offers(people.stranger, document) == []
    offered = rerun_studies.offers(people.viewer, document)
    assert len(offered) == 2
    with pytest.raises(NotAllowed):
        rerun_studies.start(people.viewer, document, offered[0].name, people.project)
    assert rerun_studies.start(people.viewer, document, offered[0].name).project == people.viewer.personal_project


def test_an_offer_that_is_over_starts_nothing(people: People, document: Document) -> None:
    name = rerun_studies.offers(people.owner, document)[0].name
    add_version(document, [1, 1, 1])  # as the runs have it
    with pytest.raises(ProblemError, match=r"have changed since the page was loaded.*Reload the page"):
        rerun_studies.start(people.owner, document, name, people.project)
    assert not Study.objects.exists()


def test_an_input_that_is_gone_is_not_offered(
    people: People, document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rerun_studies, "_reference", lambda *_: None)
    assert len(rerun_studies.offers(people.owner, document)) == 2  # the edited document is named by its own versions
    for run in rerun_studies.seen_out_of_date(people.owner, document)[:1]:
        run.inputs.create(slot="other", kind="data", slug="gone", version=1, content={}, content_hash="f" * 64)
    assert len(rerun_studies.offers(people.owner, document)) == 1
