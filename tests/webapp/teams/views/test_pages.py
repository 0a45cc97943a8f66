"""Pages of invitations and accounts: joining, making an account, a new password, signing out everywhere."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from tests.support.stored_runs import People
from tests.webapp.teams.views.cases import signed_in
from webapp.teams.mail import await_mails

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nobody_counted() -> None:
    cache.clear()


def test_a_new_password_comes_by_mail_to_the_site_s_own_address(people: People, settings: Any) -> None:
    people.owner.email = "ann@example.org"
    people.owner.save()
    settings.ALLOWED_HOSTS = ["*"]
    old = signed_in(people.owner)
    for address in ("ann@example.org", "nobody@example.org"):
        answer = Client(HTTP_HOST="evil.example").post("/accounts/password_reset/", {"email": address})
        assert (answer.status_code, answer.url) == (302, "/accounts/password_reset/done/")
    assert await_mails()
    assert len(mail.outbox) == 1 and "evil.example" not in mail.outbox[0].body
    found = re.search(r"(/accounts/reset/\S+)", mail.outbox[0].body)
    assert found is not None
    client = Client()
    form = client.get(found[1]).url
    words = {"new_password1": "another-long-word", "new_password2": "another-long-word"}
    assert client.post(form, words).url == "/accounts/reset/done/"
    assert "already used" in Client().get(found[1]).content.decode()
    assert old.get("/accounts/account/").status_code == 302, "other sessions have ended"
    signing_in = {"username": "ann", "password": "another-long-word"}
    assert Client().post("/accounts/login/", signing_in).status_code == 302
