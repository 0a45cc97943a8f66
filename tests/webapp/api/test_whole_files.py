"""Large files of forms are in memory one at a time; one that has to wait too long was not read at all."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from engines.contract.errors import BusyError
from tests.support.stored_runs import make_people
from webapp.api import whole_files
from webapp.api.whole_files import whole


@pytest.fixture(autouse=True)
def _large_from_four_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_files, "LARGE_BYTES", 3)
    monkeypatch.setattr(whole_files, "_WAIT_S", 0.0)


def test_a_second_large_file_is_not_read_while_one_is_worked_on() -> None:
    second = SimpleUploadedFile("second", b"5678")
    with whole(SimpleUploadedFile("first", b"1234")) as data:
        assert data == b"1234"
        with whole(SimpleUploadedFile("small", b"abc")) as small:
            assert small == b"abc"
        with pytest.raises(BusyError, match="Try again in 30 s"), whole(second):
            pass
        assert second.tell() == 0
    with whole(second) as data:
        assert data == b"5678"
    with whole(SimpleUploadedFile("third", b"1234")) as data:
        assert data == b"1234"


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["runs/import/", "documents/upload/"])
def test_a_form_whose_file_has_to_wait_is_answered_503(address: str) -> None:
    people = make_people()
    client = APIClient()
    client.force_login(people.owner)

    def send() -> Any:
        return client.post(f"/api/v1/{address}", {"file": io.BytesIO(b"no such thing")}, format="multipart")

    with whole(SimpleUploadedFile("first", b"1234")):
        answer = send()
    assert (answer.status_code, answer["Retry-After"]) == (503, "30"), answer.content
    assert send().status_code == 400
