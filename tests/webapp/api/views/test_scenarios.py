"""Scenarios over the API, and networks whose operations are drawn when they are asked for."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from tests.support.stored_runs import People
from tests.webapp.api.conftest import client_of

URL = "/api/v1/documents/"


def scenario(**terms: Any) -> dict[str, Any]:
    models = [{"network": "resnet18", "batch": 2, **terms}, {"network": "gpt2-33", "batch": 1}]
    return {"schema": "scenario/1", "slug": "both", "title": "Both", "source": "a test", "models": models}


def test_it_stores_rates_and_priorities(people: People) -> None:
    client = client_of(people.editor)
    answer = client.post(URL, {"content": scenario(rate_fps=30, priority=1), "project": "lab"}, format="json")
    assert answer.status_code == 201
    stored = client.get(f"{URL}workload/both/").json()["content"]["models"]
    assert (stored[0]["rate_fps"], stored[0]["priority"]) == (30, 1)
    assert all(len(model["network_sha256"]) == 64 for model in stored)


@pytest.mark.parametrize(("terms", "field"), [({"rate_fps": 0}, "rate_fps"), ({"priority": "high"}, "priority")])
def test_it_names_the_wrong_term(people: People, terms: dict[str, Any], field: str) -> None:
    answer = client_of(people.editor).post(URL, {"content": scenario(**terms), "project": "lab"}, format="json")
    assert answer.status_code == 400
    assert answer.json()["field"] == f"models.0.{field}" and answer.json()["got"] == terms[field]
    assert answer.json()["accepted"]


@pytest.mark.parametrize("slug", ["resnet18", "bert-large-20", "resnet50"])
def test_it_gives_drawn_networks_whole(people: People, slug: str) -> None:
    client = client_of(people.viewer)
    content = client.get(f"{URL}workload/{slug}/").json()["content"]
    assert content["slug"] == slug and content["operations"][0]["name"]
    assert yaml.safe_load(client.get(f"{URL}workload/{slug}/document.yaml").content) == content
