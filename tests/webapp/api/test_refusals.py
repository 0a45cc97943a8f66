"""Whatever large body is sent to whatever address takes one, the refusal is short."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

import pytest
from django.core.cache import cache as throttles
from django.db import transaction
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from tests.support.stored_runs import People
from tests.webapp.api.test_described import GOOD
from tests.webapp.api.test_permissions import study_of, webhook_of
from tests.webapp.measuring.conftest import MACHINE, as_agent
from webapp.annotations.notes import write
from webapp.api.parsers import MAX_JSON_BYTES, MOST_CONTAINERS, MOST_VALUES
from webapp.api.tokens import make_token
from webapp.measuring.devices import register
from webapp.reports import service as reports
from webapp.runs.models import Run

MOST_BYTES = 20_000  # many fields may be wrong
VALUES = {
    "lists": "[" + "[]," * (MOST_CONTAINERS - 100) + "[]]",
    "numbers": "[" + "1," * (MOST_VALUES - 100) + "1]",
    "text": json.dumps("x" * (MAX_JSON_BYTES - 1000)),
}


@cache
def bodies() -> dict[str, tuple[str, str, tuple[str, ...]]]:
    """Operation that takes JSON -> method, address, names of the keys of its body."""
    described = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    found = {}
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            content = operation.get("requestBody", {}).get("content", {})
            if "application/json" in content:
                schema = content["application/json"]["schema"]
                schema = described["components"]["schemas"].get(schema.get("$ref", "").rpartition("/")[2], schema)
                found[operation["operationId"]] = (method, path, tuple(schema.get("properties", ())))
    return found


@pytest.fixture
def refused(people: People, run: Run, client: APIClient) -> Callable[[str, str, str], bool]:
    """Whether an operation refuses a good body with another value of one key in few words: of things that there are, by who may."""
    there = {
        "run_id": run.pk, "kind": "run", "number": run.pk, "slug": "x", "method": "seesaw", "study_id": study_of(run).pk,
        "webhook": webhook_of(run).pk, "note": write(people.owner, "run", run.pk, "Mine").note.pk, "job": 1,
        "report_id": reports.write(people.owner, "Ours", "Text", people.project).pk,
        "device": register(as_agent(people.owner, people.project.pk), "Box", MACHINE)[0].pk,
    }  # fmt: skip
    agent = APIClient()
    text = make_token(people.owner, "Agent", "agent", people.project.slug)[1]
    agent.credentials(HTTP_AUTHORIZATION=f"Token {text}")

    def check(operation: str, key: str, value: str) -> bool:
        method, path, _ = bodies()[operation]
        others = [f'"{name}": {json.dumps(each)}' for name, each in GOOD.get(operation, {}).items() if name != key]
        body = "{" + ", ".join([*others, f'"{key}": {value}']) + "}"
        throttles.clear()
        with transaction.atomic():
            sender = agent if operation.startswith("agent_") else client
            answer = getattr(sender, method)(path.format(**there), body, content_type="application/json")
            transaction.set_rollback(True)
        return 400 <= answer.status_code < 500 and len(answer.content) < MOST_BYTES

    return check


def test_every_operation_with_a_body_refuses_a_large_one_in_few_words(refused: Callable[[str, str, str], bool]) -> None:
    assert len(bodies()) > 20
    asked = [(operation, (*names, "engine")[0]) for operation, (_, _, names) in bodies().items()]
    assert [each for each in asked if not refused(*each, VALUES["lists"])] == []


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("operation", sorted(bodies()))
def test_every_key_of_a_body_refuses_bulk_in_few_words(
    refused: Callable[[str, str, str], bool], operation: str, value: str
) -> None:
    keys = {*bodies()[operation][2], "x" * 100_000}
    assert [key[:100] for key in keys if not refused(operation, key, VALUES[value])] == []
