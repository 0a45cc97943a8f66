"""Order in which workers claim runs."""

from __future__ import annotations

import threading

from django.db import connections

from tests.support.live import LiveSite
from webapp.runs import service
from webapp.runs.models import Run
from webapp.runs.queue import claim, workers
from webapp.teams.models import Membership, Project
from webapp.teams.visibility import personal_project

EVERYTHING = claim.Offer(frozenset({"torch", "gpu", "data"}))
EXPIRED = "2020-01-01T00:00:00Z"


def claimed(offer: claim.Offer = EVERYTHING, owner: str = "test") -> int | None:
    fencing_token = claim.claim_next(owner, offer)
    return fencing_token.run_id if fencing_token else None


def test_the_oldest_goes_first_and_priority_before_age(live_site: LiveSite) -> None:
    runs = [live_site.start() for _ in range(3)]
    Run.objects.filter(pk=runs[2].pk).update(priority=1)
    assert [claimed(), claimed(), claimed(), claimed()] == [runs[2].pk, runs[0].pk, runs[1].pk, None]


def test_projects_take_turns_and_so_do_owners_within_one(live_site: LiveSite) -> None:
    anns = [live_site.start() for _ in range(3)]
    bobs = service.start(live_site.bob, {"engine": "toy"})
    assert [claimed(), claimed()] == [anns[0].pk, bobs.pk]
    Membership.objects.create(project=personal_project(live_site.ann), user=live_site.bob, role="editor")
    guest = service.start(live_site.bob, {"engine": "toy"}, project=personal_project(live_site.ann))
    Run.objects.filter(pk=bobs.pk).update(status="done")
    assert claimed() == guest.pk  # the project has one run of ann's at work and none of bob's


def test_one_who_queues_many_delays_anothers_first_by_one_run_with_a_single_worker(live_site: LiveSite) -> None:
    for _ in range(6):
        live_site.start()
    first = claimed()
    bobs = [service.start(live_site.bob, {"engine": "toy"}).pk for _ in range(2)]
    order = []
    for _ in range(5):  # one slot: the next is taken only when the last is done
        Run.objects.filter(status="running").update(status="done")
        order.append(claimed())
    assert first is not None and [taken in bobs for taken in order] == [True, False, True, False, False]


def test_a_run_whose_worker_went_away_goes_on_before_others_begin(live_site: LiveSite) -> None:
    anns = live_site.start()
    assert claimed() == anns.pk
    service.start(live_site.bob, {"engine": "toy"})
    Run.objects.filter(pk=anns.pk).update(lease_expires=EXPIRED)
    assert claimed() == anns.pk


def test_a_worker_takes_only_what_it_can_do(live_site: LiveSite) -> None:
    run = live_site.start()
    Run.objects.filter(pk=run.pk).update(needs="gpu,torch")
    assert claimed(claim.Offer()) is None
    assert claimed(claim.Offer(frozenset({"torch"}))) is None
    assert claimed(claim.Offer(frozenset({"torch", "gpu"}))) == run.pk


def test_a_short_only_worker_leaves_long_runs_alone(live_site: LiveSite) -> None:
    long = live_site.start(steps=1000, step_seconds=1.0)
    short = live_site.start(steps=3)
    assert long.estimated_s > 60 > short.estimated_s
    assert claimed(claim.Offer(short_only=True)) == short.pk
    assert claimed(claim.Offer(short_only=True)) is None
    assert claimed(claim.Offer()) == long.pk


def test_a_long_run_with_less_than_a_minute_left_of_its_limit_is_short(live_site: LiveSite) -> None:
    long = live_site.start(steps=1000, step_seconds=1.0)
    Run.objects.filter(pk=long.pk).update(stop_after_minutes=3.0, computed_s=60.0)
    assert claimed(claim.Offer(short_only=True)) is None
    workers.beat("kept for short runs", 1, 0, claim.Offer(short_only=True))
    workers.beat("busy", 1, 1, claim.Offer())
    long.refresh_from_db()
    assert workers.waits_beside_idle(long, workers.live_workers())
    Run.objects.filter(pk=long.pk).update(computed_s=121.0)
    long.refresh_from_db()
    assert not workers.waits_beside_idle(long, workers.live_workers())
    assert claimed(claim.Offer(short_only=True)) == long.pk


def test_a_running_run_is_taken_only_when_its_lease_expired(live_site: LiveSite) -> None:
    run = live_site.start()
    assert claimed(owner="first") == run.pk
    assert claimed(owner="second") is None
    Run.objects.filter(pk=run.pk).update(lease_expires=EXPIRED)
    assert claimed(owner="second") == run.pk
    run.refresh_from_db()
    assert (run.attempt, run.lease_owner) == (2, "second")
    assert run.attempt_reasons == [
        {"attempt": 1, "worker": "first", "reason": "The worker first stopped responding: its lease expired."}
    ]


def test_three_attempts_without_a_checkpoint_end_the_run_with_the_reasons(live_site: LiveSite) -> None:
    run = live_site.start()
    for number in (1, 2, 3):
        assert claimed(owner=f"worker {number}") == run.pk
        Run.objects.filter(pk=run.pk).update(lease_expires=EXPIRED)
    assert claimed() is None
    assert claim.sweep() == 1 and claim.sweep() == 0
    run.refresh_from_db()
    assert (run.status, run.outcome, run.attempt) == ("failed", "error", 4)
    assert [reason["worker"] for reason in run.outcome_detail["reasons"]] == ["worker 1", "worker 2", "worker 3"]


def test_the_sweep_stops_what_people_wished_to_stop_while_its_worker_was_gone(live_site: LiveSite) -> None:
    run = live_site.start()
    claimed()
    service.request_stop(live_site.ann, run)
    assert claim.sweep() == 0
    Run.objects.filter(pk=run.pk).update(lease_expires=EXPIRED)
    assert claimed() is None and claim.sweep() == 1
    run.refresh_from_db()
    assert (run.status, run.outcome) == ("stopped", "")


def test_a_stop_wished_while_the_run_was_given_back_is_kept(live_site: LiveSite) -> None:
    run = live_site.start()
    fencing_token = claim.claim_next("test", EVERYTHING)
    assert fencing_token is not None
    service.request_stop(live_site.ann, run)
    fencing_token.end(status=Run.Status.QUEUED)
    assert claimed() is None and claim.sweep() == 1
    run.refresh_from_db()
    assert run.status == "stopped"


def test_a_run_of_the_foreground_is_never_seen_waiting(live_site: LiveSite) -> None:
    run = service.create(live_site.ann, {"engine": "toy"})
    fencing_token = claim.claim_created("command", run)
    assert fencing_token.attempt == 1 and claimed() is None and claim.claim_this("other", run.pk) is None


def test_no_run_is_taken_twice_by_workers_that_look_at_once(live_site: LiveSite) -> None:
    runs = {live_site.start().pk for _ in range(24)}
    taken: list[int] = []
    errors: list[BaseException] = []

    def work(name: str) -> None:
        try:
            misses = 0
            while misses < 3:
                found = claimed(owner=name)
                if found is None:
                    misses += 1
                else:
                    taken.append(found)
        except Exception as error:  # noqa: BLE001  told by the test's own thread
            errors.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work, args=(f"worker {i}",)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(100)
    assert not errors
    assert sorted(taken) == sorted(runs)
    assert set(Run.objects.values_list("attempt", flat=True)) == {1}


def test_the_place_in_the_queue_survives_a_requeue(live_site: LiveSite) -> None:
    first, second = live_site.start(), live_site.start()
    fencing_token = claim.claim_next("test", EVERYTHING)
    assert fencing_token is not None
    fencing_token.end(status=Run.Status.QUEUED)
    assert [claimed(), claimed()] == [first.pk, second.pk]
    assert Project.objects.count() == 2
