"""Requests tell who acts, and by what means."""

from __future__ import annotations

from tests.support.stored_runs import People
from tests.webapp.changes.cases import newest, signed_in, start_over_rest
from webapp.api.tokens import make_token
from webapp.changes.models import Change


def test_what_is_done_in_the_browser_is_told_with_its_values(people: People) -> None:
    run = start_over_rest(people)
    made = newest(object_id=run.pk, verb="made")
    assert (made.who, made.means, made.token, made.project_id) == ("ann", "browser", "", run.project_id)
    assert made.changes is not None and made.changes["title"] == [None, "Toy run"]
    answer = signed_in(people.editor).patch(
        f"/api/v1/runs/{run.pk}/",
        {"wish": "stop"},
        content_type="application/json",
        headers={"X-Request-ID": "abcd-1234"},
    )
    assert answer.headers["X-Request-ID"] == "abcd-1234"
    stopped = newest(verb="stopped")
    assert (stopped.who, stopped.cid, stopped.changes) == ("eve", "abcd-1234", {"status": ["queued", "stopped"]})
    signed_in(people.editor).patch(f"/api/v1/runs/{run.pk}/", {"wish": "stop"}, content_type="application/json")
    assert Change.objects.filter(verb="stopped").count() == 1, "asking again changes nothing"
    signed_in(people.owner).post(f"/api/v1/runs/{run.pk}/continue/", {}, content_type="application/json")
    assert newest(verb="continued").changes["status"] == ["stopped", "queued"]


def test_a_program_is_told_by_its_token(people: People) -> None:
    text = make_token(people.owner, "Script")[1]
    run = start_over_rest(people, Authorization=f"Token {text}")
    made = newest(object_id=run.pk, verb="made")
    assert (made.who, made.means, made.token) == ("ann", "api", "Script") and text not in str(made.changes)
