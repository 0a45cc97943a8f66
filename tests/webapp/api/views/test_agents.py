"""What agents ask over REST, and that their tokens open nothing else."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from django.urls import URLPattern
from rest_framework.test import APIClient

from tests.support.stored_runs import People
from tests.webapp.api.test_permissions import METHODS, patterns
from tests.webapp.measuring.conftest import MACHINE, RESULT
from webapp.api.tokens import make_token
from webapp.api.urls import urlpatterns


@pytest.fixture
def agent(people: People) -> APIClient:
    found = APIClient()
    token = make_token(people.owner, "Agent", "agent", people.project.slug)[1]
    found.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return found


@pytest.fixture
def device(agent: APIClient) -> int:
    body = {"name": "Test box", "machine": MACHINE, "agent": "0.1.0"}
    answer = agent.post("/api/v1/agent/devices/", body, format="json")
    assert answer.status_code == 201, answer.json()
    return int(answer.json()["device"])


def ask(client: APIClient, device: int, **more: Any) -> Any:
    return client.post(f"/api/v1/devices/{device}/measurements/", {"networks": ["digits-chain"], **more}, format="json")


def test_a_job_from_wish_to_answer(agent: APIClient, client: APIClient, device: int) -> None:
    assert agent.post(f"/api/v1/agent/devices/{device}/next/").status_code == 204
    assert len(ask(client, device).json()["waiting"]) == 1
    job = agent.post(f"/api/v1/agent/devices/{device}/next/").json()
    manifest = json.loads(job["manifest"])
    file = agent.get(f"/api/v1/agent/jobs/{manifest['job']}/network.onnx", {"lease": manifest["lease"]})
    assert hashlib.sha256(file.content).hexdigest() == manifest["sha256"]
    answered = agent.post(
        f"/api/v1/agent/jobs/{manifest['job']}/answer/", {"lease": manifest["lease"], "result": RESULT}, format="json"
    )
    assert answered.status_code == 204
    page = client.get(f"/api/v1/devices/{device}/measurements/", {"page_size": 1}).json()
    (found,) = page["results"]
    assert (found["network"], found["state"], page["count"]) == ("digits-chain", "done", 1)
    assert found["result"]["latency_s"]["median"] == 0.010 and "nodes" not in found["result"]


@pytest.mark.parametrize(
    "outcome", [{}, {"refused": "a", "loaded": "b"}, {"result": {"latency_s": 1}}, {"result": "fast"}]
)
def test_answers_that_say_nothing_are_refused(
    agent: APIClient, client: APIClient, device: int, outcome: dict[str, Any]
) -> None:
    ask(client, device)
    manifest = json.loads(agent.post(f"/api/v1/agent/devices/{device}/next/").json()["manifest"])
    body = {"lease": manifest["lease"], **outcome}
    answer = agent.post(f"/api/v1/agent/jobs/{manifest['job']}/answer/", body, format="json")
    assert answer.status_code == 400


def test_a_token_of_an_agent_opens_nothing_else(agent: APIClient, device: int) -> None:
    """Every address of the interface, by every method that it has."""
    open_ones = set()
    for pattern in patterns(urlpatterns):
        assert isinstance(pattern, URLPattern)
        view = pattern.callback.view_class  # type: ignore[attr-defined]
        for method in METHODS:
            if hasattr(view, method) and getattr(view, "for_agents", False):
                open_ones.add(pattern.name)
    assert open_ones == {"agent-register", "agent-next", "agent-network", "agent-answer"}
    for path in (
        "runs/",
        "documents/",
        "engines/",
        "projects/",
        "tokens/",
        "devices/",
        "schemas/",
        f"devices/{device}/measurements/",
    ):
        answer = agent.get(f"/api/v1/{path}")
        assert answer.status_code == 403, path
        assert "scope agent" in answer.json()["message"]


def test_other_tokens_are_no_agents(people: People, device: int) -> None:
    other = APIClient()
    other.credentials(HTTP_AUTHORIZATION=f"Token {make_token(people.owner, 'Laptop', 'write')[1]}")
    assert other.post(f"/api/v1/agent/devices/{device}/next/").status_code in (403, 404)
    assert (
        other.post("/api/v1/agent/devices/", {"name": "x", "machine": MACHINE, "agent": "0"}, format="json").status_code
        == 403
    )


def test_an_agents_token_is_for_one_project(people: People, client: APIClient) -> None:
    answer = client.post("/api/v1/tokens/", {"name": "Agent", "scope": "agent"}, format="json")
    assert answer.status_code == 400 and answer.json()["field"] == "project"


@pytest.mark.parametrize("wrong", [{"cores": 0}, {"caches_kib": {f"L{level}": 1.0 for level in range(200)}}])
def test_a_wrong_machine_is_refused(agent: APIClient, wrong: dict[str, Any]) -> None:
    body = {"name": "Test box", "machine": {**MACHINE, **wrong}, "agent": "0.1.0"}
    answer = agent.post("/api/v1/agent/devices/", body, format="json")
    assert answer.status_code == 400 and len(answer.content) < 2000


def test_another_token_of_the_project_is_another_agent(people: People, agent: APIClient, device: int) -> None:
    other = APIClient()
    token = make_token(people.editor, "Agent", "agent", people.project.slug)[1]
    other.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    body = {"name": "Test box", "machine": MACHINE, "agent": "0.1.0"}
    answer = other.post("/api/v1/agent/devices/", body, format="json")
    assert answer.status_code == 403 and "another token" in answer.json()["detail"]
    assert other.post(f"/api/v1/agent/devices/{device}/next/").status_code == 403
    assert agent.post(f"/api/v1/agent/devices/{device}/next/").status_code == 204
