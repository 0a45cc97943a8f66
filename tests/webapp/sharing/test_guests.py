from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from django.contrib.auth.models import AnonymousUser

from webapp.sharing.guests import links_of, remember, with_links
from webapp.sharing.models import ShareLink


def test_of_more_than_a_few_links_the_oldest_are_forgotten() -> None:
    request = SimpleNamespace(session={})
    for number in (*range(1, 13), 5):
        remember(request, ShareLink(pk=number))
    assert request.session["links"] == [3, 4, 6, 7, 8, 9, 10, 11, 12, 5]


def test_without_links_nothing_is_asked_and_nobody_becomes_a_guest() -> None:
    nothing: list[Any] = [SimpleNamespace(), SimpleNamespace(session={}), SimpleNamespace(session={"links": []})]
    assert [links_of(request) for request in nothing] == [[], [], []], "without a database"
    nobody = AnonymousUser()
    assert with_links(nobody, []) is nobody
