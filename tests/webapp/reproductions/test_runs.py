"""A reproduction as a run: kept for everybody once it is done, by the one attempt that ends it."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite, isnan

import pytest
from django.db import transaction

from engines.contract.errors import ProblemError
from engines.registry import get_engine
from engines.reproduction.comparisons import compared
from engines.reproduction.reproductions import comparisons_of, listed, seconds_of, versions_of
from engines.reproduction.verdicts import verdict_counts
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.runner.frame_parts import pack_step
from tests.support.stored_runs import People, make_people
from webapp.reproductions import runs, service
from webapp.reproductions.models import Reproduction
from webapp.runs.bundles.bundle_export import write_bundle
from webapp.runs.bundles.bundle_import import import_bundle
from webapp.runs.errors import FencedOutError
from webapp.runs.foreground import run_here
from webapp.runs.inputs.problems import problem_of
from webapp.runs.models import Run
from webapp.runs.queue import claim
from webapp.runs.storage.lease import FencingToken
from webapp.runs.storage.store import RunStore
from webapp.teams.visibility import NotAllowed


@pytest.fixture
def people(db: None, monkeypatch: pytest.MonkeyPatch) -> People:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    return make_people()


def stored_steps(run: Run) -> RunStore:
    """Everything but the end of a claimed run."""
    with transaction.atomic():
        store = RunStore(claim.claim_created("test", run))
    store.rewind()
    problem = problem_of(run)
    for number, step in enumerate(drive(get_engine("reproduction"), problem, LocalContext(problem)), start=1):
        store.store_step(number, pack_step(step, number), None, None)
    return store


def test_a_child_process_computes_it_and_everybody_sees_it(transactional_db: None) -> None:
    people = make_people()
    document = {"engine": "reproduction", "params": {"method": "seesaw", "quick": True}}
    run = run_here(people.owner, document)
    assert run.status == "done", run.outcome_detail
    made = Reproduction.objects.get(run=run)
    assert (made.engine, made.quick, made.versions) == ("seesaw", True, versions_of("seesaw"))
    assert made.platform["python"] and made.duration_s > 0
    computed = {row.key: replace(row, reason=row.why) for row in comparisons_of("seesaw", quick=True)}
    assert {row.key: row for row in service.comparisons(made)} == computed
    found = service.shown("seesaw")
    assert {key for key, origin in found.made.items() if origin.at == "site"} == set(computed) and not found.outdated
    assert [origin.at for origin in found.origins] == ["site", "release"]  # quick: the others are those of the release
    assert {row.key: row.ours for row in found.rows if row.key in computed} == {k: r.ours for k, r in computed.items()}


def test_nothing_is_kept_of_a_run_that_another_attempt_has(people: People) -> None:
    run = runs.start(people.owner, "sbrs", quick=True)
    store = stored_steps(run)
    Run.objects.filter(pk=run.pk).update(attempt=2)
    with pytest.raises(FencedOutError):
        store.finish(None)
    assert not Reproduction.objects.exists()
    RunStore(FencingToken(run.pk, 2)).finish(None)
    assert Reproduction.objects.get().run == run


def test_a_bundle_brings_no_reproduction(people: People) -> None:
    run = runs.start(people.owner, "sbrs", quick=True)
    stored_steps(run).finish(None)
    Reproduction.objects.all().delete()
    with write_bundle(Run.objects.get(pk=run.pk)) as bundle, pytest.raises(ProblemError, match="reproduction"):
        import_bundle(people.owner, people.project, bundle.read(), "run.zip")
    assert not Reproduction.objects.exists()


def test_permissions_are_those_of_starting_runs(people: People) -> None:
    with pytest.raises(NotAllowed):
        runs.start(people.viewer, "sbrs", quick=True, project=people.project)
    with pytest.raises(ProblemError, match="seesaw"):
        runs.start(people.owner, "toy", quick=True)
    run = runs.start(people.owner, "sbrs", quick=True)
    assert run.title == f"Published results of {get_engine('sbrs').title}, quick"
    assert runs.newest_run(people.owner, "sbrs") == run
    assert runs.newest_run(people.stranger, "sbrs") is None and runs.newest_run(people.owner, "scar") is None


def test_ours_of_the_release_is_shown_before_anything_is_computed_here(db: None) -> None:
    found = service.shown("scar")
    assert [row.key for row in found.rows] == [row.key for row in listed("scar")] == list(found.made)
    (made,) = found.origins
    assert (made.at, made.versions, made.outdated) == ("release", versions_of("scar"), False)
    assert made.words == f"computed at release with scar {versions_of('scar')['scar']} on {made.computed}"
    assert any(isfinite(row.ours) and row.why for row in found.rows)


def test_ours_of_another_version_is_out_of_date(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.reproductions.service.versions_of", lambda _: {"sbrs": 99})
    assert service.shown("sbrs").outdated


def test_every_published_value_is_shown_where_nothing_is_computed(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.reproductions.service.shipped_of", lambda _: None)
    found = service.shown("scar")
    assert len(found.rows) == len(listed("scar"))
    assert all(isnan(row.ours) and not row.why for row in found.rows) and not found.computed and not found.origins
    assert verdict_counts(compared(found.rows), found.computed) == {"not computed": len(compared(found.rows))}


def test_the_expected_time_is_that_of_last_time_here(db: None) -> None:
    assert runs.expected_s("sbrs", True) == seconds_of("sbrs", True)
    facts = {"engine": "sbrs", "engine_version": 1, "quick": True, "comparisons": [], "platform": {}}
    Reproduction.objects.create(**facts, versions={"sbrs": 99}, duration_s=70.0)
    assert runs.expected_s("sbrs", True) == seconds_of("sbrs", True)
    Reproduction.objects.create(**facts, versions=versions_of("sbrs"), duration_s=7.0)
    assert runs.expected_s("sbrs", True) == 7.0


def test_installed_versions_go_before_others_and_complete_ones_before_quick_ones(db: None) -> None:
    facts = {"engine": "sbrs", "engine_version": 1, "comparisons": [], "platform": {}, "duration_s": 1.0}
    old = Reproduction.objects.create(**facts, quick=False, versions={"sbrs": 99})
    assert service.newest("sbrs") == old and service.is_outdated(old)
    assert [made.at for made in service.shown("sbrs").origins] == ["release"]  # which is not out of date
    quick = Reproduction.objects.create(**facts, quick=True, versions=versions_of("sbrs"))
    assert service.newest("sbrs") == quick
    complete = Reproduction.objects.create(**facts, quick=False, versions=versions_of("sbrs"))
    Reproduction.objects.create(**facts, quick=True, versions=versions_of("sbrs"))
    assert service.newest("sbrs") == complete
