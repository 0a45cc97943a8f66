"""Errors as problem details, whichever part answers."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from webapp.api.problem_details import MEDIA_TYPE
from webapp.base.error_codes import CODES


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("post", "/api/v1/runs/", {"engine": "toy", "seed": -1}, 400),
        ("get", "/api/v1/runs/?page=0", None, 404),
        ("get", "/api/v1/runs/?status=odd", None, 400),
        ("get", "/api/v1/runs/4711/", None, 404),
        ("get", "/api/nowhere/", None, 404),
        ("put", "/api/v1/runs/", {}, 405),
        ("post", "/api/v1/runs/import/", {}, 415),
    ],
)
def test_it_has_all_members(client: APIClient, method: str, path: str, body: Any, status: int) -> None:
    answer = getattr(client, method)(path, body, format="json")
    said = answer.json()
    assert (answer.status_code, answer.headers["Content-Type"], said["status"]) == (status, MEDIA_TYPE, status)
    assert said["type"] == CODES[said["code"]].address and status in CODES[said["code"]].statuses
    assert said["title"] and said["detail"] == said["message"]
    assert ("field" in said) == (status in (400, 415))


def test_a_field_stands_beside_the_words(client: APIClient) -> None:
    said = client.post("/api/v1/runs/", {"engine": "toy", "seed": -1}, format="json").json()
    assert (said["title"], said["field"], said["got"]) == ("Invalid value", "seed", -1)
    assert "whole number" in said["accepted"]


def test_a_body_of_another_type_is_told_the_types_that_are_read(client: APIClient) -> None:
    said = client.post("/api/v1/runs/import/", {}, format="json").json()
    assert said["detail"] == "Content-Type: must be multipart/form-data. Got 'application/json' instead."


@pytest.mark.parametrize("address", ["runs/import", "documents/upload"])
def test_a_form_without_a_body_lacks_its_file(client: APIClient, address: str) -> None:
    answer = client.generic("POST", f"/api/v1/{address}/", b"", content_type="")
    assert (answer.status_code, answer.json()["field"]) == (400, "file")


def test_requests_that_no_view_sees_are_answered_alike(db: None) -> None:
    answer = Client().get("/api/v1/runs/", {"engine": "a\0b"})
    assert (answer.status_code, answer.headers["Content-Type"]) == (400, MEDIA_TYPE)
    assert (answer.json()["status"], answer.json()["field"]) == (400, "engine")
    signed_out = Client().get("/api/v1/runs/")
    assert (signed_out.json()["title"], signed_out.headers["Content-Type"]) == ("Not signed in", MEDIA_TYPE)
