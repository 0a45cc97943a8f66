from __future__ import annotations

from typing import Any

from tests.support.stored_runs import People
from tests.webapp.api.tokens_for_tests import make, status
from webapp.api.models import ApiToken


def test_a_new_password_ends_the_token(people: People) -> None:
    _, text = make(people)
    people.owner.save()
    assert status(text) == 200
    people.owner.set_password("another long word")
    people.owner.save()
    assert status(text) == 401 and not ApiToken.objects.exists()


def test_a_hash_that_is_made_anew_leaves_the_token(people: People, settings: Any) -> None:
    people.owner.set_password("a long word")
    people.owner.save()
    _, text = make(people)
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher", *settings.PASSWORD_HASHERS]
    assert people.owner.check_password("a long word") and people.owner.password.startswith("pbkdf2")
    assert status(text) == 200
