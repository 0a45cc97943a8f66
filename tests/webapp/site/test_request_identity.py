from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.http import HttpResponse

from engines.running.runner import slots
from webapp.site.request_identity import PersonMiddleware


@pytest.mark.parametrize(("key", "who"), [(7, "7"), (None, "nobody")])
def test_questions_of_a_request_are_those_of_who_is_signed_in(key: int | None, who: str) -> None:
    asked: list[str] = []

    def answer(_request: Any) -> HttpResponse:
        asked.append(slots.who_asks())
        return HttpResponse()

    PersonMiddleware(answer)(SimpleNamespace(user=SimpleNamespace(pk=key)))  # type: ignore[arg-type]
    assert asked == [who]
