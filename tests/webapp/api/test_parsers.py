from __future__ import annotations

from rest_framework.test import APIClient


def test_yaml_with_half_a_pair(client: APIClient) -> None:
    answer = client.post("/api/v1/plan/", b'engine: "\\ud800"', content_type="application/yaml")
    assert answer.status_code == 400 and answer.json()["message"]
