"""Whose turn it is: nobody waits for another's hundred."""

from __future__ import annotations

from django.contrib.auth import get_user_model

from tests.support.live import LiveSite
from webapp.runs import claim, service
from webapp.runs.models import Run
from webapp.runs.turns import in_turn, waiting_in
from webapp.teams.models import Membership, Project


def _queue(run: Run, count: int, **changed: object) -> None:
    """So many more like it, as a study stores them."""
    rows = []
    for _ in range(count):
        facts = {
            field.attname: getattr(run, field.attname) for field in Run._meta.concrete_fields if field.attname != "id"
        }
        rows.append(Run(**{**facts, **changed}))
    Run.objects.bulk_create(rows)


def test_a_hundred_queued_runs_of_one_person_delay_anothers_first_by_one_run(live_site: LiveSite) -> None:
    """With one slot: the next is taken only when the last is done. People of the same project, and of another one."""
    team = Project.objects.create(slug="team", title="Team")
    for user in (live_site.ann, live_site.bob):
        Membership.objects.create(project=team, user=user, role="editor")
    first = service.start(live_site.ann, {"engine": "toy"}, team)
    _queue(first, 99)
    fence = claim.claim_next("worker", claim.Offer())
    assert fence is not None and Run.objects.get(pk=fence.run_id).owner == live_site.ann
    beside = service.start(live_site.bob, {"engine": "toy"}, team)
    cat = get_user_model().objects.create_user("cat")
    elsewhere = service.start(cat, {"engine": "toy", "seed": 2})
    taken = []
    for _ in range(4):
        Run.objects.filter(status="running").update(status="done")
        fence = claim.claim_next("worker", claim.Offer())
        assert fence is not None
        taken.append(fence.run_id)
    assert taken[0] == elsewhere.pk, "a project that was never served goes first"
    assert taken.index(beside.pk) == 1, "and within the project, who was never served"


def test_an_urgent_run_goes_before_all_turns_and_what_was_left_behind_goes_on(live_site: LiveSite) -> None:
    anns = live_site.start()
    bobs = service.start(live_site.bob, {"engine": "toy"})
    urgent = service.start(live_site.bob, {"engine": "toy", "seed": 3}, priority=5)
    order = [fence.run_id for _ in range(2) if (fence := claim.claim_next("worker", claim.Offer()))]
    assert order == [urgent.pk, anns.pk]
    Run.objects.filter(pk=anns.pk).update(lease_expires="2020-01-01T00:00:00Z")
    fence = claim.claim_next("other", claim.Offer())
    assert fence is not None and (fence.run_id, fence.attempt) == (anns.pk, 2)
    assert [who.owner for who in in_turn(waiting_in(Run.objects.filter(status="queued")))] == [live_site.bob.pk]
    assert claim.claim_next("worker", claim.Offer()).run_id == bobs.pk  # type: ignore[union-attr]
