"""What was written before a clock was set back holds nothing up, and whoever is at work notices nothing."""

from __future__ import annotations

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support.live import LiveSite
from webapp.runs import service
from webapp.runs.bundles import run_import
from webapp.runs.models import Run, WorkerBeat
from webapp.runs.queue import claim, workers
from webapp.runs.storage.lease import LEASE_S, bring_back, from_now

HOUR_S = 3600.0


def left_s(run: Run) -> float:
    """Seconds until its lease runs out, by the clock of the database."""
    found = Run.objects.annotate(now=from_now(0.0)).get(pk=run.pk)
    assert found.lease_expires is not None
    return (found.lease_expires - found.now).total_seconds()  # type: ignore[no-any-return]


def pass_lease(run: Run) -> None:
    """Its lease is as a second after `LEASE_S`."""
    Run.objects.filter(pk=run.pk).update(lease_expires=from_now(left_s(run) - LEASE_S - 1.0))


def test_a_run_whose_worker_died_before_is_taken_as_soon_as_any_other(live_site: LiveSite) -> None:
    run = live_site.start()
    assert claim.claim_next("dead", claim.Offer()) is not None
    Run.objects.filter(pk=run.pk).update(lease_expires=from_now(HOUR_S + LEASE_S))
    assert claim.sweep() == 0 and 0.0 < left_s(run) <= LEASE_S
    assert claim.claim_next("other", claim.Offer()) is None, "its worker may live"
    pass_lease(run)
    taken = claim.claim_next("other", claim.Offer())
    assert taken is not None and (taken.run_id, taken.attempt) == (run.pk, 2)


def test_a_stop_wished_of_it_is_done(live_site: LiveSite) -> None:
    run = live_site.start()
    claim.claim_next("dead", claim.Offer())
    service.request_stop(live_site.ann, run)
    Run.objects.filter(pk=run.pk).update(lease_expires=from_now(HOUR_S))
    assert claim.sweep() == 0
    pass_lease(run)
    assert claim.sweep() == 1
    run.refresh_from_db()
    assert run.status == "stopped"


def test_a_keeper_that_lives_keeps_its_run(live_site: LiveSite) -> None:
    run = live_site.start()
    fencing_token = claim.claim_next("alive", claim.Offer())
    assert fencing_token is not None
    Run.objects.filter(pk=run.pk).update(lease_expires=from_now(HOUR_S))
    claim.sweep()
    fencing_token.renew()
    run.refresh_from_db()
    assert (run.attempt, run.lease_owner, claim.claim_next("other", claim.Offer())) == (1, "alive", None)


def test_leases_of_now_are_left_alone_without_a_write(live_site: LiveSite) -> None:
    run = live_site.start()
    claim.claim_next("alive", claim.Offer())
    before = Run.objects.get(pk=run.pk).lease_expires
    with CaptureQueriesContext(connection) as asked:
        assert bring_back(Run.objects.filter(pk=run.pk), "lease_expires", LEASE_S) == 0
    assert [query["sql"].split()[0] for query in asked.captured_queries if "runs_run" in query["sql"]] == ["SELECT"]
    assert Run.objects.get(pk=run.pk).lease_expires == before


def test_an_import_whose_process_went_away_is_deleted(live_site: LiveSite) -> None:
    facts = {"engine": "toy", "engine_version": 1, "project_id": live_site.start().project_id}
    run = run_import.PiecewiseImport(Run(**facts, owner=live_site.ann, title="Copy", status="done"), 2).run
    Run.objects.filter(pk=run.pk).update(lease_expires=from_now(HOUR_S))
    assert not run_import.sweep_imports() and left_s(run) <= run_import.IMPORT_LEASE_S
    Run.objects.filter(pk=run.pk).update(lease_expires=from_now(-1.0))
    while run_import.sweep_imports():
        pass
    assert not Run.objects.filter(pk=run.pk).exists()


def test_a_worker_that_died_before_does_not_seem_to_live(live_site: LiveSite) -> None:
    workers.beat("dead", 1, 0, claim.Offer())
    WorkerBeat.objects.update(seen=from_now(HOUR_S))
    assert workers.live_workers() == []
    workers.beat("alive", 1, 0, claim.Offer())
    WorkerBeat.objects.filter(name="dead").update(seen=from_now(-2 * workers.ALIVE_S))
    assert [beat.name for beat in workers.live_workers()] == ["alive"]
    WorkerBeat.objects.filter(name="dead").update(seen=from_now(HOUR_S))
    workers.beat("alive", 1, 0, claim.Offer())
    assert WorkerBeat.objects.filter(name="dead", seen__lte=from_now(0.0)).exists()


def test_who_was_served_before_does_not_come_last(live_site: LiveSite) -> None:
    anns, bobs = (service.start(user, {"engine": "toy"}) for user in (live_site.ann, live_site.bob))
    for run, begun_s in ((anns, HOUR_S), (bobs, -1.0)):
        Run.objects.filter(pk=run.pk).update(status="done", started=from_now(begun_s))
    bobs_next = service.start(live_site.bob, {"engine": "toy", "seed": 2})
    anns_next = service.start(live_site.ann, {"engine": "toy", "seed": 2})
    order = [fencing_token.run_id for _ in range(2) if (fencing_token := claim.claim_next("worker", claim.Offer()))]
    assert order == [anns_next.pk, bobs_next.pk]
