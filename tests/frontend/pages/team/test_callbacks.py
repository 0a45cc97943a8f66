"""The page of a project, used as a browser uses it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from tests.support.callbacks import ask, key_of
from tests.support.stored_runs import People, make_people
from webapp.teams.models import Invitation, Membership, Project
from webapp.teams.permissions import role_of

pytestmark = pytest.mark.django_db
ACT = "..team-body.children...team-location.href.."


@pytest.fixture
def people(db: Any) -> People:
    return make_people()


def signed_in(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


def press(person: Any, name: str, number: int = 0, **fields: str) -> str:
    """What the page of "lab" shows once the button was pressed."""
    button = {"type": "team-action", "name": name, "number": number}
    given = [({"type": "team-field", "name": field}, value) for field, value in fields.items()]
    patterns = {
        "team-action.n_clicks": [(button, 1)],
        "team-field.value": given,
        "team-field.id": [(field, field) for field, _ in given],
    }
    output = next(key for key in _outputs() if key.startswith("..team-body.children...team-location.href"))
    answer = ask(signed_in(person), output, {"team-project.data": "lab"}, patterns, key_of(button, "n_clicks"))
    assert answer.status_code == 200, answer.content
    return json.dumps(answer.json(), ensure_ascii=False)


def _outputs() -> list[str]:
    from frontend.bridge import get_app

    return list(get_app().callback_map)


def test_a_maintainer_invites_and_is_shown_the_link_once(people: People) -> None:
    shown = press(people.owner, "invite", whom="new@example.org", role="editor", days="7")
    assert "/invitations/" in shown and "not shown again" in shown and "Not taken yet" in shown
    assert Invitation.objects.get().role == "editor"
    again = press(people.owner, "rename", title="Lab", whom="typed@example.org")
    assert "/invitations/" not in again and "typed@example.org" in again
    assert "no e-mail address" in press(people.owner, "invite", whom="a@", role="viewer", days="7")
    assert "number of days must be one of" in press(people.owner, "invite", whom="x", role="viewer", days="x")


def test_members_change(people: People) -> None:
    assert "Their items stay" in press(people.owner, "remove", people.viewer.pk)
    assert role_of(people.viewer, people.project) is None
    assert "Project transferred" in press(people.owner, "hand-over", people.editor.pk)
    assert '"/team"' in press(people.owner, "leave")
    assert "needs a maintainer" in press(people.editor, "leave")
    assert Membership.objects.filter(project=people.project).count() == 1


def test_who_may_not_is_told_so_and_nothing_changes(people: People) -> None:
    for name, given in (("remove", {}), ("hand-over", {}), ("rename", {"title": "x"}), ("invite", {"whom": "x"})):
        assert "needs the role maintainer" in press(people.editor, name, people.viewer.pk, **given), name
    assert Project.objects.get(pk=people.project.pk).title == "Lab" and not Invitation.objects.exists()


def test_a_role_is_chosen(people: People) -> None:
    output = next(key for key in _outputs() if key.startswith("team-body.children"))
    select = {"type": "team-role", "number": people.viewer.pk}
    patterns = {"team-role.value": [(select, "editor")]}
    answer = ask(signed_in(people.owner), output, {"team-project.data": "lab"}, patterns, key_of(select, "value"))
    assert (
        "vic is editor now" in json.dumps(answer.json(), ensure_ascii=False)
        and role_of(people.viewer, people.project) == "editor"
    )


def test_a_new_project_is_made_and_chosen(people: People) -> None:
    client = signed_in(people.stranger)
    output = "team-create-error.children"
    for title, words in (("", "needs a name"), ("Edge", '"/team/edge-'), ("edge", "already")):
        answer = ask(
            client, output, {"team-create.n_clicks": 1, "team-new-title.value": title}, {}, "team-create.n_clicks"
        )
        assert words in json.dumps(answer.json(), ensure_ascii=False)
    layout = client.get("/_dash-layout").content.decode()
    assert "Project: Edge. New items belong to it" in layout
