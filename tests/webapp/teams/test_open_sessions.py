"""Sessions of a person, ended one by one or all at once."""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache

from tests.support.stored_runs import People
from tests.webapp.teams.views.cases import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nobody_counted() -> None:
    cache.clear()


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
