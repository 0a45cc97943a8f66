"""Whatever is asked, the interface answers as its OpenAPI description says: no 5xx, no other status, type, header or shape."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import hypothesis
import pytest
import schemathesis
from django.core.cache import cache as throttles
from django.core.wsgi import get_wsgi_application
from django.db import transaction
from drf_spectacular.generators import SchemaGenerator
from hypothesis import strategies
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.support.shared_rows import shared_rows
from tests.support.stored_runs import People, finished_run
from tests.support.toy_engine import toys_offered
from tests.webapp.api.test_permissions import KNOWN, study_of
from webapp.api.tokens import make_token

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# Bodies that are accepted: with one value of them changed, a request comes further than one made of the description alone.
GOOD: dict[str, dict[str, Any]] = {
    "plan": {"engine": "toy", "inputs": {}, "params": {"steps": 2, "energy_limit_j": 3.5}, "seed": 1},
    "runs_create": {"engine": "toy", "params": {"steps": 2}, "seed": 1, "title": "T", "project": "lab", "parent": None},
    "runs_stop": {"wish": "stop"},
    "runs_continue": {"more_minutes": 1.5},
    "designs_evaluate": {"decisions": [{"x": [0, 0.5, 1]}]},
    "documents_create": {"content": {"schema": "toy/1", "slug": "t", "title": "T"}, "project": "lab"},
    "studies_plan": {"engine": "toy", "params": {"steps": {"each": [1, 2]}}, "seeds": [1]},
    "studies_create": {"engine": "toy", "params": {"steps": {"each": [1, 2]}}, "seeds": [1], "title": "T"},
    "studies_stop": {"wish": "stop"},
    "reproductions_start": {"quick": True},
    "tokens_create": {"name": "T", "scope": "read", "project": "lab", "expires": "2999-01-01T00:00:00Z"},
}
LEAVES = strategies.one_of(
    strategies.none(),
    strategies.booleans(),
    strategies.integers(),
    strategies.floats(allow_nan=False),
    strategies.text(),
)
VALUES = strategies.recursive(
    LEAVES,
    lambda inner: strategies.lists(inner, max_size=3) | strategies.dictionaries(strategies.text(), inner, max_size=2),
)


@cache
def operations() -> dict[str, Any]:
    """Operation -> what schemathesis knows of it."""
    described = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    schema = schemathesis.openapi.from_dict(json.loads(json.dumps(described, default=str)))
    schema.app = get_wsgi_application()
    described_operations = (found.ok() for found in schema.get_all_operations())
    return {each.definition.raw["operationId"]: each for each in described_operations if not _is_packed(each)}


def _is_packed(operation: Any) -> bool:
    """Whether the body is MessagePack, for which schemathesis has no serializer; tests of pull workers send such bodies."""
    return "application/x-msgpack" in operation.definition.raw.get("requestBody", {}).get("content", {})


@pytest.fixture(scope="module")
def around(people_of_module: Callable[[], People], django_db_blocker: Any) -> Iterator[Callable[[], dict[str, Any]]]:
    """What the operations may find: a run with designs, a study, a token that may do everything."""

    def make() -> dict[str, Any]:
        people = people_of_module()
        with toys_offered():
            run = finished_run(people, steps=3, designs_per_step=4)
            study = study_of(run)
        token, text = make_token(people.owner, "Described")
        return {**KNOWN, "run_id": run.pk, "study_id": study.pk, "token": token.pk, "text": text}

    with shared_rows(django_db_blocker, make) as copied:
        yield copied


def examples(count: int) -> Any:
    """The same requests each time, however slow the machine is."""
    return hypothesis.settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=[hypothesis.Phase.generate],
    )


def answers(name: str, known: dict[str, Any], count: int) -> None:
    """Ask an operation `count` times: with what it describes and with what it does not, of things that exist and of others."""
    operation = operations()[name]
    cases = strategies.one_of(
        operation.as_strategy(generation_mode=GenerationMode.POSITIVE),
        operation.as_strategy(generation_mode=GenerationMode.NEGATIVE),
    )

    @examples(count)
    @hypothesis.given(case=cases, there=strategies.booleans(), change=strategies.data())
    def ask(case: Any, there: bool, change: Any) -> None:
        if there:
            if name in GOOD:
                case.body, case.media_type = _changed(GOOD[name], change), "application/json"
            found = {key: known[key] for key in case.path_parameters if key in known}
            case.path_parameters = {**case.path_parameters, **found}
        throttles.clear()
        with transaction.atomic():
            case.call_and_validate(
                checks=CHECKS, headers={"Authorization": f"Token {known['text']}", "Accept-Encoding": "identity"}
            )
            transaction.set_rollback(True)

    ask()


def _changed(value: Any, change: Any) -> Any:
    """The same with one value in it, however deep, replaced by any."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    if not keys or change.draw(strategies.integers(0, 3)) == 0:
        return change.draw(VALUES)
    key = change.draw(strategies.sampled_from(keys))
    new = dict(value) if isinstance(value, dict) else list(value)
    new[key] = _changed(value[key], change)
    return new


def test_every_good_body_is_of_an_operation() -> None:
    assert set(GOOD) <= set(operations())


@pytest.mark.parametrize("name", sorted(operations()))
def test_a_few_requests(name: str, around: Callable[[], dict[str, Any]], db: None) -> None:
    answers(name, around(), 2)


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", sorted(operations()))
def test_many_requests(name: str, around: Callable[[], dict[str, Any]], db: None) -> None:
    answers(name, around(), 60)
