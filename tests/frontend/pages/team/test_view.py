import pytest

from frontend.pages.team.view import ActionOutcome, project_view
from tests.support.stored_runs import make_people

pytestmark = pytest.mark.django_db


def test_who_only_looks_has_no_fields() -> None:
    people = make_people()
    looked, managed = (str(project_view(each, people.project)) for each in (people.viewer, people.owner))
    assert "Leave" in looked and "4 members" not in looked
    for words in ("Invite", "Transfer", "Rename"):
        assert words in managed and words not in looked, words
    assert "Done." in str(project_view(people.owner, people.project, ActionOutcome("Done.", "good")))
