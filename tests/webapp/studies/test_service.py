"""Studies from their document to their last run, on both databases and with real workers."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engines.contract.errors import ProblemError
from tests.support.databases import MOSTLY_SQLITE, SQLITE
from tests.support.live import LiveSite
from tests.webapp.studies.services_for_tests import GRID
from webapp.deletions import service as deletions
from webapp.runs import wakeup
from webapp.runs.models import Run
from webapp.runs.queue import claim
from webapp.runs.service import get_run, start
from webapp.studies import service
from webapp.studies.models import Study
from webapp.studies.tables import study_table
from webapp.teams.models import Membership
from webapp.teams.visibility import NotAllowed, NotVisible, personal_project


def test_a_study_stores_every_cell_as_a_run_that_pins_its_problem(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[int] = []
    monkeypatch.setattr(wakeup, "notify_workers", lambda: rung.append(Run.objects.count()))
    study = service.create(live_site.ann, {**GRID, "title": "Twelve"})
    assert rung == [12], "the bell rings once, after the commit"
    runs = list(Run.objects.filter(study=study).order_by("pk"))
    assert len(runs) == 12 and len({run.problem_hash for run in runs}) == 12
    last = runs[-1]
    assert last.cell == {"params.steps": 3, "params.designs_per_step": 4, "seed": 3}
    assert (last.params["steps"], last.params["designs_per_step"], last.seed) == (3, 4, 3)
    assert (last.project, last.owner, last.status) == (study.project, live_site.ann, "queued")
    assert last.title == "steps=3, designs_per_step=4, seed=3 · Twelve"
    alone = start(live_site.ann, {"engine": "toy", "params": {"steps": 3, "designs_per_step": 4}, "seed": 3})
    assert (last.problem_hash, last.plan, last.needs) == (alone.problem_hash, alone.plan, alone.needs)
    assert alone.study is None and alone.cell == {}
    again = service.create(live_site.ann, study.document)
    assert [run.problem_hash for run in again.runs.order_by("pk")] == [run.problem_hash for run in runs]


def test_documents_are_pinned_and_their_titles_kept(live_site: LiveSite) -> None:
    project = personal_project(live_site.ann)
    for slug, weights in (("even", [1, 1, 1]), ("odd", [1, 3, 5])):
        content = {"schema": "toy/1", "slug": slug, "title": slug.title(), "weights": weights}
        store_toy_document(live_site, project, content)
    study = service.create(live_site.ann, {"engine": "toy", "inputs": {"weights": ["even", "odd"]}, "seeds": [1, 2]})
    assert study.titles == {"weights": {"even": "Even", "odd": "Odd"}}
    pinned = {(run.cell["inputs.weights"], run.inputs.get().slug, run.inputs.get().version) for run in study.runs.all()}
    assert pinned == {("even", "even", 1), ("odd", "odd", 1)}


def store_toy_document(site: LiveSite, project: Any, content: dict[str, Any]) -> None:
    """The catalogue knows no toy documents, so the rows are made by hand."""
    from webapp.catalogue.models import Document, DocumentVersion

    document = Document.objects.create(project=project, kind="data", slug=content["slug"])
    DocumentVersion.objects.create(
        document=document, number=1, schema="toy/1", title=content["title"], summary="", content=content,
        content_hash="0" * 64, created_by=site.ann,
    )  # fmt: skip


@SQLITE
def test_a_failure_while_storing_leaves_nothing(live_site: LiveSite, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise OSError("the disk is full")

    monkeypatch.setattr(service, "inputs_of", broken)
    with pytest.raises(OSError, match="disk"):
        service.create(live_site.ann, GRID)
    assert not Study.objects.exists() and not Run.objects.exists()


def test_a_foreign_study_cannot_be_told_from_one_that_does_not_exist(live_site: LiveSite) -> None:
    study = service.create(live_site.ann, GRID)
    for who, number in ((live_site.bob, study.pk), (AnonymousUser(), study.pk), (live_site.ann, study.pk + 1)):
        with pytest.raises(NotVisible):
            service.get_study(who, number)
    for act in (service.stop_all, service.continue_all):
        with pytest.raises(NotVisible):
            act(live_site.bob, study)
    assert not service.visible_studies(live_site.bob).exists() and Run.objects.filter(wish="run").count() == 12
    with pytest.raises(NotVisible):
        service.create(live_site.bob, GRID, project=personal_project(live_site.ann))
    Membership.objects.create(project=study.project, user=live_site.bob, role="viewer")
    assert service.get_study(live_site.bob, study.pk) == study
    for act in (service.stop_all, service.continue_all):
        with pytest.raises(NotAllowed, match="editor"):
            act(live_site.bob, study)


def test_a_study_does_not_keep_others_waiting(live_site: LiveSite) -> None:
    service.create(live_site.ann, {"engine": "toy", "seeds": list(range(100))})
    first = claim.claim_next("one", claim.Offer())
    bobs = start(live_site.bob, {"engine": "toy"})
    Membership.objects.create(project=personal_project(live_site.ann), user=live_site.bob, role="editor")
    guest = start(live_site.bob, {"engine": "toy"}, project=personal_project(live_site.ann))
    taken = [claim.claim_next(name, claim.Offer()) for name in ("two", "three", "four")]
    assert first is not None and all(taken)
    # Bob's project first, having none at work; then ann's, where bob has none; only then the study again.
    assert [fencing_token.run_id for fencing_token in taken[:1] if fencing_token] == [bobs.pk]
    assert guest.pk in {fencing_token.run_id for fencing_token in taken if fencing_token}


def test_stop_and_continue_reach_every_run_that_they_concern(live_site: LiveSite) -> None:
    study = service.create(live_site.ann, GRID)
    other = live_site.start()
    runs = list(study.runs.order_by("pk"))
    Run.objects.filter(pk=runs[0].pk).update(status="done", outcome="infeasible", fraction=1.0)
    Run.objects.filter(pk=runs[1].pk).update(status="failed", outcome="error")
    claimed = claim.claim_next("one", claim.Offer())
    assert claimed is not None
    assert service.stop_all(live_site.ann, study) == 10
    with CaptureQueriesContext(connection) as seen:
        found = service.progress(study)
    assert len(seen) == 1
    assert (found.total, found.done, found.failed, found.stopped, found.running) == (12, 1, 1, 9, 1)
    assert found.infeasible == 1 and found.to_continue == 10 and found.live
    other.refresh_from_db()
    assert (other.status, other.wish) == ("queued", "run")
    assert service.continue_all(live_site.ann, study) == 10
    found = service.progress(study)
    assert (found.queued, found.running, found.done) == (10, 1, 1)
    Study.objects.filter(pk=study.pk).update(engine_version=9)
    with pytest.raises(ProblemError, match="version"):
        service.continue_all(live_site.ann, study)


def test_a_deleted_run_leaves_its_cell_empty(live_site: LiveSite) -> None:
    study = service.create(live_site.ann, GRID)
    gone = study.runs.order_by("pk")[0]
    deletions.delete(live_site.ann, "run", gone.pk)
    assert service.progress(study).total == 11 == service.runs_of(study).count()
    assert service.stop_all(live_site.ann, study) == 11


@MOSTLY_SQLITE
def test_workers_do_a_study_and_one_of_its_runs_is_stopped_and_continued(live_site: LiveSite) -> None:
    live_site.worker(PARETOSCOPE_WORKER_SLOTS="2")
    go_on = live_site.database.folder / "go-on"
    held = {"hold_at": 2, "hold_until": str(go_on)}  # the long ones alone
    slow = {"params": {"steps": {"each": [2, 20]}, "designs_per_step": 2, **held}, "seeds": [1, 2]}
    study = service.create(live_site.ann, {"engine": "toy", **slow})
    long = study.runs.filter(params__steps=20).order_by("pk").first()
    assert long is not None
    live_site.wait_for_steps(long, 1)
    service.stop_all(live_site.ann, study)
    live_site.wait(lambda: not service.progress(study).live, "everything stopped")
    assert get_run(live_site.ann, long.pk).status == "stopped"
    go_on.touch()
    assert service.continue_all(live_site.ann, study) >= 1
    live_site.wait(lambda: service.progress(study).done == 4, "everything done")
    for run in study.runs.all():
        live_site.assert_same_designs(run)
    table = study_table(study)
    assert [cell.count for row in table.rows for cell in row.cells if cell.runs] == [2, 2]
