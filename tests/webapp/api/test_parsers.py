from __future__ import annotations

import json
from typing import Any

import pytest
from rest_framework.test import APIClient


def test_yaml_with_half_a_pair(client: APIClient) -> None:
    answer = client.post("/api/v1/plan/", b'engine: "\\ud800"', content_type="application/yaml")
    assert answer.status_code == 400 and answer.json()["message"]


@pytest.mark.parametrize("text", ['"\\u0000"', '"\\ud800"', '{"a": ["\\uDFFF"]}'])
def test_json_with_what_no_database_stores(client: APIClient, text: str) -> None:
    answer = client.post("/api/v1/plan/", f'{{"engine": {text}}}'.encode(), content_type="application/json")
    assert answer.status_code == 400 and "surrogates" in answer.json()["message"]


def test_a_large_body_is_refused_before_it_is_read(client: APIClient) -> None:
    body = b'{"engine": "scar", "inputs": [' + b"[]," * 800_000 + b"[]]}"
    answer = client.post("/api/v1/plan/", body, content_type="application/json")
    assert answer.status_code == 413 and "2 MB" in answer.json()["detail"] and len(answer.content) < 1000


@pytest.mark.parametrize(
    "body",
    [
        {"engine": "scar", "inputs": [[]] * 300_000},
        {"engine": "x" * 1_900_000},
        {"x" * 1_900_000: 1},
        {"engine": "scar", "seed": {"a": ["b" * 100] * 15_000}},
        {"engine": "scar", "inputs": {}, "params": {"n_splits": "9" * 1_900_000}},
    ],
)
def test_a_refusal_is_short_whatever_was_sent(client: APIClient, body: dict[str, Any]) -> None:
    answer = client.post("/api/v1/plan/", json.dumps(body), content_type="application/json")
    assert answer.status_code == 400 and len(answer.content) < 20_000
