"""Whose turn it is: nobody waits for another's hundred."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import pytest
from django.contrib.auth import get_user_model

from tests.support.live import LiveSite
from webapp.runs import service
from webapp.runs.models import Run
from webapp.runs.queue import claim
from webapp.runs.queue.fair_queue import in_turn, waiting_in
from webapp.teams.models import Membership, Project


def _queue(run: Run, count: int, **changed: object) -> None:
    """Queue more runs like one, as a study stores them."""
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
    fencing_token = claim.claim_next("worker", claim.Offer())
    assert fencing_token is not None and Run.objects.get(pk=fencing_token.run_id).owner == live_site.ann
    beside = service.start(live_site.bob, {"engine": "toy"}, team)
    cat = get_user_model().objects.create_user("cat")
    elsewhere = service.start(cat, {"engine": "toy", "seed": 2})
    taken = []
    for _ in range(4):
        Run.objects.filter(status="running").update(status="done")
        fencing_token = claim.claim_next("worker", claim.Offer())
        assert fencing_token is not None
        taken.append(fencing_token.run_id)
    assert taken[0] == elsewhere.pk, "a project that was never served goes first"
    assert taken.index(beside.pk) == 1, "and within the project, who was never served"


def test_an_urgent_run_goes_before_all_turns_and_what_was_left_behind_goes_on(live_site: LiveSite) -> None:
    anns = live_site.start()
    bobs = service.start(live_site.bob, {"engine": "toy"})
    urgent = service.start(live_site.bob, {"engine": "toy", "seed": 3}, priority=5)
    order = [fencing_token.run_id for _ in range(2) if (fencing_token := claim.claim_next("worker", claim.Offer()))]
    assert order == [urgent.pk, anns.pk]
    Run.objects.filter(pk=anns.pk).update(lease_expires="2020-01-01T00:00:00Z")
    fencing_token = claim.claim_next("other", claim.Offer())
    assert fencing_token is not None and (fencing_token.run_id, fencing_token.attempt) == (anns.pk, 2)
    assert [who.owner for who in in_turn(waiting_in(Run.objects.filter(status="queued")))] == [live_site.bob.pk]
    assert claim.claim_next("worker", claim.Offer()).run_id == bobs.pk  # type: ignore[union-attr]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_turns_stay_fair_whatever_is_queued(live_site: LiveSite, seed: int) -> None:
    """With one slot nobody who waits is more than a turn ahead: projects of each other, people of others of their project.

    Runs of other priorities and needs, which this worker does not take first or not at all, stand among them.
    """
    chance = random.Random(seed)
    first = live_site.start()
    waiting: dict[int, Counter[int]] = {}
    for number in range(3):
        project = Project.objects.create(slug=f"q{number}", title=f"Q {number}")
        waiting[project.pk] = Counter()
        for place in range(chance.randint(1, 3)):
            owner = get_user_model().objects.create_user(f"p{number}{place}").pk
            waiting[project.pk][owner] = chance.randint(3, 9)
            facts = {"project_id": project.pk, "owner_id": owner}
            _queue(first, 2, **facts, priority=-1)
            _queue(first, waiting[project.pk][owner], **facts)
            _queue(first, 2, **facts, needs="gpu")
    Run.objects.filter(pk=first.pk).delete()
    begun: dict[int, Counter[int]] = {project: Counter() for project in waiting}
    while waiting:
        fencing_token = claim.claim_next("worker", claim.Offer())
        assert fencing_token is not None
        run = Run.objects.get(pk=fencing_token.run_id)
        assert (run.needs, run.priority) == ("", 0)
        same = Run.objects.filter(project=run.project, owner=run.owner, needs="", priority=0, status="queued")
        assert not same.filter(pk__lt=run.pk).exists(), "of one person's, the first that was queued"
        Run.objects.filter(pk=run.pk).update(status="done")
        begun[run.project_id][run.owner_id] += 1
        assert _spread(begun[project].total() for project in waiting) <= 1
        assert _spread(begun[run.project_id][owner] for owner in waiting[run.project_id]) <= 1
        waiting[run.project_id][run.owner_id] -= 1
        # Who is through leaves; among the others turns have been even so far.
        theirs = waiting[run.project_id] = +waiting[run.project_id]
        if not theirs:
            del waiting[run.project_id]
    left = Run.objects.filter(status="queued")
    assert set(left.values_list("priority", "needs")) == {(-1, ""), (0, "gpu")}


def _spread(counts: Iterable[int]) -> int:
    found = list(counts)
    return max(found) - min(found)
