import pytest

from frontend.pages.share.view import ActionOutcome, action_id, share_view
from tests.support.stored_runs import People, make_people
from webapp.runs.models import Run

pytestmark = pytest.mark.django_db


def test_who_may_not_share_sees_who_does_and_no_links() -> None:
    people: People = make_people()
    values = {"project": people.project, "owner": people.owner, "title": "x", "engine": "toy", "engine_version": 1}
    run = Run.objects.create(**values, problem_hash="0" * 64)
    looked = str(share_view(people.viewer, "run", run.pk))
    assert "Only editors and maintainers" in looked and "Make a link" not in looked and "Members" in looked
    shares = str(share_view(people.owner, "run", run.pk, ActionOutcome("Too long.")))
    assert "Make a link" in shares and "Too long." in shares and "Invite people" in shares
    assert action_id("revoke", 3)["number"] == 3
