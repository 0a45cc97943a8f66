"""Pages of invitations and accounts: joining, making an account, a new password, signing out everywhere."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from tests.support.stored_runs import People
from webapp.teams.invitations import invite
from webapp.teams.models import Project
from webapp.teams.permissions import role_of

pytestmark = pytest.mark.django_db
ACCOUNT = {
    "username": "new",
    "email": "new@example.org",
    "password1": "a-long-enough-word",
    "password2": "a-long-enough-word",
}


@pytest.fixture(autouse=True)
def _nobody_counted() -> None:
    cache.clear()


def signed_in(person: Any, **given: Any) -> Client:
    client = Client(**given)
    client.force_login(person)
    return client


def path_of(address: str) -> str:
    return "/" + address.split("/", 3)[3]


def test_an_invitation_leads_from_the_link_into_the_project(people: People) -> None:
    path = path_of(invite(people.owner, people.project, "sam", "viewer").address)
    told = Client().get(path).content.decode()
    assert "Sign in to join" in told and "Make an account" not in told and "administrator" in told
    client = signed_in(people.stranger)
    assert "Join as sam" in client.get(path).content.decode()
    assert role_of(people.stranger, people.project) is None, "looking is not joining"
    answer = client.post(path)
    assert (answer.status_code, answer.url) == (302, "/team/lab")
    assert role_of(people.stranger, people.project) == "viewer"
    again = client.post(path)
    assert again.status_code == 410 and "taken already" in again.content.decode()


def test_who_was_not_invited_is_told_for_whom_it_is(people: People) -> None:
    path = path_of(invite(people.owner, people.project, "sam", "viewer").address)
    client = signed_in(people.editor)
    page = client.get(path).content.decode()
    assert "for sam. You are signed in as eve" in page and "Join as" not in page
    assert client.post(path).status_code == 410 and Client().post(path).status_code == 200
    assert Client().get("/invitations/none/").status_code == 410


@pytest.mark.parametrize(
    ("setting", "without", "invited"), [("OFF", 404, 404), ("INVITED", 404, 200), ("OPEN", 200, 200)]
)
def test_who_may_make_an_account(people: People, settings: Any, setting: str, without: int, invited: int) -> None:
    settings.PARETOSCOPE_SIGN_UP = setting
    path = path_of(invite(people.owner, people.project, "new@example.org", "editor").address)
    client = Client()
    assert client.get("/accounts/sign_up/").status_code == without
    assert client.get("/accounts/sign_up/", {"next": "/invitations/guessed/"}).status_code == without
    page = client.get("/accounts/sign_up/", {"next": path})
    assert page.status_code == invited
    if invited == 200:
        assert "new@example.org" in page.content.decode()
        answer = client.post("/accounts/sign_up/", {**ACCOUNT, "next": path})
        assert (answer.status_code, answer.url) == (302, path)
        assert client.post(path).url == "/team/lab"


def test_an_account_leads_nowhere_else(settings: Any) -> None:
    settings.PARETOSCOPE_SIGN_UP = "OPEN"
    answer = Client().post("/accounts/sign_up/", {**ACCOUNT, "next": "https://example.org/"})
    assert answer.url == "/"
    short = Client().post(
        "/accounts/sign_up/", {**ACCOUNT, "username": "x", "password1": "a", "password2": "a", "email": ""}
    )
    assert short.status_code == 200 and short.content.decode().count('class="site-error"') >= 2


def test_a_new_password_comes_by_mail_to_the_site_s_own_address(people: People, settings: Any) -> None:
    people.owner.email = "ann@example.org"
    people.owner.save()
    settings.ALLOWED_HOSTS = ["*"]
    old = signed_in(people.owner)
    for address in ("ann@example.org", "nobody@example.org"):
        answer = Client(HTTP_HOST="evil.example").post("/accounts/password_reset/", {"email": address})
        assert (answer.status_code, answer.url) == (302, "/accounts/password_reset/done/")
    assert len(mail.outbox) == 1 and "evil.example" not in mail.outbox[0].body
    found = re.search(r"(/accounts/reset/\S+)", mail.outbox[0].body)
    assert found is not None
    client = Client()
    form = client.get(found[1]).url
    words = {"new_password1": "another-long-word", "new_password2": "another-long-word"}
    assert client.post(form, words).url == "/accounts/reset/done/"
    assert "used already" in Client().get(found[1]).content.decode()
    assert old.get("/accounts/account/").status_code == 302, "other sessions have ended"
    signing_in = {"username": "ann", "password": "another-long-word"}
    assert Client().post("/accounts/login/", signing_in).status_code == 302


def test_signing_out_everywhere_ends_every_session_and_nobody_else_s(people: People) -> None:
    first, second, other = signed_in(people.owner), signed_in(people.owner), signed_in(people.editor)
    page = first.get("/accounts/account/").content.decode()
    assert page.count("<tr>") == 3 and "This browser" in page
    assert first.post("/accounts/account/", {"action": "end"}).url == "/accounts/login/"
    assert [client.get("/accounts/account/").status_code for client in (first, second, other)] == [302, 302, 200]


def test_one_browser_is_signed_out_and_the_others_stay(people: People) -> None:
    here, there, other = signed_in(people.owner), signed_in(people.owner), signed_in(people.editor)
    page = here.get("/accounts/account/").content.decode()
    (name,) = re.findall(r'name="session" value="(\w+)"', page)
    assert there.session.session_key not in page, "the key would let whoever reads the page act as the person"
    assert other.post("/accounts/account/", {"action": "end-one", "session": name}).status_code == 302
    assert there.get("/accounts/account/").status_code == 200, "somebody else ended it"
    assert here.post("/accounts/account/", {"action": "end-one", "session": name}).url == "/accounts/account/"
    assert [client.get("/accounts/account/").status_code for client in (here, there, other)] == [200, 302, 200]
    assert here.post("/accounts/account/", {"action": "end-one", "session": "none"}).status_code == 302


def test_the_address_of_an_account_changes(people: People) -> None:
    client = signed_in(people.owner)
    assert "Saved" in client.post("/accounts/account/", {"email": "ann@example.org"}).content.decode()
    people.owner.refresh_from_db()
    assert people.owner.email == "ann@example.org"
    assert "Enter a valid" in client.post("/accounts/account/", {"email": "x"}).content.decode()


def test_a_project_is_chosen_and_the_way_goes_back(people: People) -> None:
    client = signed_in(people.editor)
    back = client.post(
        "/accounts/project/", {"project": "lab"}, headers={"Referer": "http://testserver/runs/3?tab=log"}
    )
    assert back.url == "/runs/3?tab=log"
    elsewhere = client.post("/accounts/project/", {"project": "lab"}, headers={"Referer": "https://example.org/x"})
    assert elsewhere.url == "/"
    hidden = Project.objects.create(slug="hidden", title="Hidden")
    for person, slug in ((people.viewer, "lab"), (people.editor, hidden.slug), (people.editor, "none")):
        assert signed_in(person).post("/accounts/project/", {"project": slug}).status_code == 404
    assert client.get("/accounts/project/").status_code == 405


def test_links_cannot_be_guessed_quickly() -> None:
    client = Client(REMOTE_ADDR="192.0.2.7")
    for path in ("/invitations/guess/", "/shared/guess/"):
        codes = [client.get(path).status_code for _ in range(31)]
        assert codes[:30] == [410 if "invitations" in path else 404] * 30 and codes[30] == 429
    assert Client(REMOTE_ADDR="192.0.2.8").get("/shared/guess/").status_code == 404
