from __future__ import annotations

import json

import pytest
from django.test import RequestFactory

from webapp.site import error_pages
from webapp.site.error_pages import unavailable


@pytest.mark.parametrize(("path", "program"), [("/api/v1/none/", True), ("/_dash-layout", True), ("/none", False)])
def test_errors_are_json_for_programs_and_pages_for_people(path: str, program: bool) -> None:
    request = RequestFactory().get(path)
    answers = [
        error_pages.bad_request(request, ValueError()),
        error_pages.permission_denied(request, ValueError()),
        error_pages.csrf_failure(request, "Referer checking failed."),
        error_pages.not_found(request, ValueError()),
        error_pages.server_error(request),
    ]
    assert [answer.status_code for answer in answers] == [400, 403, 403, 404, 500]
    for answer in answers:
        assert answer.headers["Content-Type"].startswith("application/problem+json" if program else "text/html")
        assert not program or json.loads(answer.content)["message"]


def test_the_page_has_the_looks_of_the_site() -> None:
    page = unavailable(RequestFactory().get("/runs/1")).content.decode()
    assert "Busy for the moment" in page and "stylesheet" in page
