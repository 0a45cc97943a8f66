"""Read-only links: who makes them, what they open, and when they end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.support.stored_runs import People, make_people
from webapp.comparisons.models import Comparison
from webapp.runs.models import LogLine, Run
from webapp.runs.service import visible_runs
from webapp.sharing.guests import with_links
from webapp.sharing.models import ShareLink
from webapp.sharing.service import follow, links_to, make_link, revoke, still_open
from webapp.studies.models import Study
from webapp.teams.errors import TeamError
from webapp.teams.models import Membership
from webapp.teams.permissions import NotAllowed, NotVisible
from webapp.teams.visibility import visible

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(db: Any) -> People:
    return make_people()


def a_run(people: People, **given: Any) -> Run:
    values = {"project": people.project, "owner": people.owner, "title": "x", "engine": "toy", "engine_version": 1}
    return Run.objects.create(**values | {"problem_hash": "0" * 64} | given)


def secret_of(address: str) -> str:
    return address.rstrip("/").rpartition("/")[2]


def guest_of(*addresses: str) -> Any:
    from django.contrib.auth.models import AnonymousUser

    opened = [follow(secret_of(address)) for address in addresses]
    return with_links(AnonymousUser(), [each for each in opened if each is not None])


def test_a_link_opens_the_run_and_what_belongs_to_it(people: People) -> None:
    run, other = a_run(people), a_run(people)
    LogLine.objects.create(run=run, number=1, attempt=1, level="info", text="x")
    made = make_link(people.editor, "run", run.pk, 7, "for the review")
    assert secret_of(made.address) not in str(ShareLink.objects.values().get())
    opened = follow(secret_of(made.address))
    assert opened is not None and opened.place == f"/runs/{run.pk}" and opened.link.note == "for the review"
    guest = guest_of(made.address)
    assert list(visible_runs(guest)) == [run] and visible(guest, LogLine.objects.all()).count() == 1
    assert other not in visible_runs(guest) and not visible(guest, Study.objects.all()).exists()


def test_a_link_to_a_study_opens_its_runs(people: People) -> None:
    study = Study.objects.create(project=people.project, owner=people.owner, title="s", engine="toy", engine_version=1)
    inside, outside = a_run(people, study=study), a_run(people)
    guest = guest_of(make_link(people.owner, "study", study.pk, 1).address)
    assert list(visible_runs(guest)) == [inside] and outside not in visible_runs(guest)
    assert list(visible(guest, Study.objects.all())) == [study]


def test_a_link_to_a_comparison_opens_those_of_its_runs_that_the_maker_sees(people: People) -> None:
    seen, hidden = a_run(people), a_run(people, project=people.stranger.personal_project, owner=people.stranger)
    entries = [{"run": each.pk, "design": None} for each in (seen, hidden)]
    kept = Comparison.objects.create(project=people.project, owner=people.owner, title="q", entries=entries)
    guest = guest_of(make_link(people.owner, "comparison", kept.pk, 1).address)
    assert list(visible_runs(guest)) == [seen] and list(visible(guest, Comparison.objects.all())) == [kept]


def test_several_links_open_what_each_of_them_does(people: People) -> None:
    runs = [a_run(people) for _ in range(3)]
    guest = guest_of(*(make_link(people.owner, "run", run.pk, 1).address for run in runs[:2]))
    assert set(visible_runs(guest)) == set(runs[:2])


def end_by_day(people: People, link: ShareLink, run: Run) -> None:
    ShareLink.objects.update(expires=timezone.now() - timedelta(seconds=1))


def end_by_hand(people: People, link: ShareLink, run: Run) -> None:
    revoke(people.owner, "run", run.pk, link.pk)


def end_as_the_maker_leaves(people: People, link: ShareLink, run: Run) -> None:
    Membership.objects.filter(user=people.editor).delete()


def end_as_the_maker_may_only_look(people: People, link: ShareLink, run: Run) -> None:
    Membership.objects.filter(user=people.editor).update(role="viewer")


def end_as_the_run_moves(people: People, link: ShareLink, run: Run) -> None:
    Run.objects.update(project=people.editor.personal_project)


def end_as_the_run_goes(people: People, link: ShareLink, run: Run) -> None:
    run.delete()


ENDS = (
    end_by_day,
    end_by_hand,
    end_as_the_maker_leaves,
    end_as_the_maker_may_only_look,
    end_as_the_run_moves,
    end_as_the_run_goes,
)


@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.__name__)
def test_a_link_ends(people: People, end: Any) -> None:
    run = a_run(people)
    made = make_link(people.editor, "run", run.pk, 7)
    assert still_open([made.link.pk])
    end(people, made.link, run)
    assert follow(secret_of(made.address)) is None and not still_open([made.link.pk])


def test_who_may_share(people: People) -> None:
    run = a_run(people)
    made = make_link(people.editor, "run", run.pk, 7).link
    for person, error in ((people.viewer, NotAllowed), (people.stranger, NotVisible)):
        for attempt in (
            lambda person=person: make_link(person, "run", run.pk, 7),
            lambda person=person: links_to(person, "run", run.pk),
            lambda person=person: revoke(person, "run", run.pk, made.pk),
        ):
            with pytest.raises(error):
                attempt()
    assert list(links_to(people.owner, "run", run.pk)) == [made]


@pytest.mark.parametrize(("kind", "number"), [("run", 0), ("run", "x"), ("page", 1), ("study", None)])
def test_what_is_not_there_is_not_shared(people: People, kind: str, number: object) -> None:
    with pytest.raises(NotVisible):
        make_link(people.owner, kind, number, 7)


def test_a_link_has_an_end_and_belongs_to_one_thing(people: People) -> None:
    run, other = a_run(people), a_run(people)
    with pytest.raises(TeamError, match="1, 7, 30, 90"):
        make_link(people.owner, "run", run.pk, 365)
    made = make_link(people.owner, "run", run.pk, 7).link
    for number, link in ((other.pk, made.pk), (run.pk, 0), (run.pk, "x")):
        with pytest.raises(NotVisible):
            revoke(people.owner, "run", number, link)


def test_when_a_link_was_followed_is_noted(people: People) -> None:
    made = make_link(people.owner, "run", a_run(people).pk, 7)
    follow(secret_of(made.address))
    first = ShareLink.objects.get().opened
    follow(secret_of(made.address))
    assert first is not None and ShareLink.objects.get().opened == first, "to the minute"
