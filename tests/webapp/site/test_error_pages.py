from __future__ import annotations

import errno
import json
import os
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.db import OperationalError
from django.test import Client, RequestFactory
from django.urls import reverse

from webapp.runs import service
from webapp.runs.worker import disk_space
from webapp.site import error_pages
from webapp.site.error_pages import unavailable

NO_ROOM = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/srv/secret/upload")


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


@pytest.mark.parametrize(
    ("path", "headers", "words"),
    [
        ("/accounts/login/", {"HTTP_HOST": "box.lan"}, "ALLOWED_HOSTS"),
        ("/api/v1/runs/", {"HTTP_HOST": "box.lan"}, "ALLOWED_HOSTS"),
        ("/accounts/login/", {"HTTP_ORIGIN": "https://testserver"}, "CSRF_TRUSTED_ORIGINS"),
        ("/accounts/login/", {"HTTP_ORIGIN": "null"}, "CSRF_TRUSTED_ORIGINS"),
        ("/accounts/login/", {"SCRIPT_NAME": "/tool"}, "below a path (/tool/)"),
        ("/accounts/login/", {"HTTP_X_FORWARDED_PREFIX": "/tool"}, "below a path (/tool/)"),
        ("/accounts/login/", {"HTTP_X_SCRIPT_NAME": "/tool"}, "below a path (/tool/)"),
        ("/accounts/login/", {}, "The form has expired"),
    ],
)
@pytest.mark.django_db
def test_a_wrong_address_names_what_to_set(path: str, headers: dict[str, str], words: str) -> None:
    answer = Client(enforce_csrf_checks=True).post(path, {"username": "ann"}, **headers)  # type: ignore[arg-type]
    assert answer.status_code in (400, 403) and words in answer.content.decode()


def test_the_page_has_the_looks_of_the_site() -> None:
    page = unavailable(RequestFactory().get("/runs/1")).content.decode()
    assert "The server is busy" in page and "stylesheet" in page


@pytest.mark.parametrize("address", [reverse("api:documents-upload"), "/admin/auth/user/add/"])
def test_an_upload_without_room_says_so(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, settings: Any, address: str
) -> None:
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE, admin_client.raise_request_exception = 100_000, False
    monkeypatch.setattr(TemporaryFileUploadHandler, "receive_data_chunk", Mock(side_effect=NO_ROOM))
    answer = admin_client.post(address, {"file": SimpleUploadedFile("network.onnx", bytes(200_000))})
    assert answer.status_code == 507 and answer.headers["Retry-After"] == "60"
    assert "disk is full" in answer.content.decode() and "secret" not in answer.content.decode()
    assert not [record for record in caplog.records if record.exc_info] and "/srv/secret" in caplog.text


@pytest.mark.parametrize(
    ("words", "folders", "status"),
    [("database or disk is full", [], 507), ("disk I/O error", ["/full"], 507), ("locked", [], 503)],
)
def test_starting_a_run_without_room_says_so(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch, words: str, folders: list[str], status: int
) -> None:
    monkeypatch.setattr(disk_space, "full_folders", lambda: folders)
    monkeypatch.setattr(service, "start", Mock(side_effect=OperationalError(words)))
    answer = admin_client.post("/api/v1/runs/", {"engine": "scar"}, content_type="application/json")
    assert answer.status_code == answer.json()["status"] == status
    assert ("disk is full" in answer.json()["message"]) is (status == 507)
    assert "Nothing was changed" not in answer.json()["message"], "a part may have been stored before"
