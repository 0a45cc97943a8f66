from __future__ import annotations

import pytest
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from webapp.teams.rates import at_most


@pytest.mark.django_db
def test_an_address_that_asks_too_often_is_told_when_to_come_back() -> None:
    cache.clear()

    @at_most("2/minute", "POST")
    def guess(request: HttpRequest) -> HttpResponse:
        return HttpResponse("no")

    requests = RequestFactory()
    posts = [guess(requests.post("/x")) for _ in range(3)]
    assert [answer.status_code for answer in posts] == [200, 200, 429]
    assert 1 <= int(posts[2].headers["Retry-After"]) <= 60
    assert guess(requests.get("/x")).status_code == 200, "only what is named counts"
    assert guess(requests.post("/x", REMOTE_ADDR="10.0.0.9")).status_code == 200, "others are counted for themselves"
