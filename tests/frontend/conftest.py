"""People, a finished run of the toy engine, and a way to call callbacks as the browser does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from dash import html
from django.test import Client

from frontend.designs.run_designs import RunDesigns
from frontend.results.registry import VIEWS
from frontend.results.view import ResultView
from tests.frontend.designs.samples import QUANTITIES, table
from tests.frontend.pages.run.tabs.cases import Recipe
from tests.support.shared_rows import shared_rows
from tests.support.stored_runs import People, finished_run, make_people

Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def people_of_module(django_db_setup: None, django_db_blocker: Any) -> Iterator[Callable[[], People]]:
    """Ann and everybody around her project, made once for the tests of a module."""
    with shared_rows(django_db_blocker, make_people) as copied:
        yield copied


@pytest.fixture
def people(people_of_module: Callable[[], People], db: Any, toys: None) -> People:
    """Ann and everybody around her project."""
    return people_of_module()


@pytest.fixture
def run(people: People) -> Any:
    """A finished toy run of 5 steps with 8 designs each."""
    return finished_run(people, steps=5, designs_per_step=8)


@pytest.fixture
def ask(people: People) -> Ask:
    """Call a callback: `ask(user, output, {"id.property": value}, changed)`; values of patterns are {concrete id: value}."""

    def call(user: Any, output: str, values: Mapping[str, Any], changed: str = "") -> Any:
        from frontend.bridge import get_app

        found = [key for key in get_app().callback_map if output in key]
        exact = [key for key in found if key == output or key.startswith(f"..{output}")]
        key = (exact or found)[0]
        spec = get_app().callback_map[key]
        payload = {
            "output": key,
            "outputs": _outputs(key, values),
            "inputs": [_given(item, values) for item in spec["inputs"]],
            "state": [_given(item, values) for item in spec["state"]],
            "changedPropIds": [changed] if changed else [],
        }
        client = Client()
        client.force_login(user)
        return client.post("/_dash-update-component", json.dumps(payload), content_type="application/json")

    return call


def _given(item: Mapping[str, str], values: Mapping[str, Any]) -> Any:
    name, prop = item["id"], item["property"]
    if not name.startswith("{"):
        return {"id": name, "property": prop, "value": values.get(f"{name}.{prop}")}
    return [{"id": each, "property": prop, "value": value} for each, value in _matching(json.loads(name), prop, values)]


def _matching(pattern: Mapping[str, Any], prop: str, values: Mapping[str, Any]) -> list[tuple[dict[str, Any], Any]]:
    found = []
    for key, value in values.items():
        if not key.startswith("{"):
            continue
        text, _, asked = key.rpartition(".")
        concrete = json.loads(text)
        fits = concrete.keys() == pattern.keys() and concrete["type"] == pattern["type"]
        known = prop == "id" and any(each == concrete for each, _ in found)
        if fits and not known and (asked == prop or prop == "id"):
            found.append((concrete, concrete if prop == "id" else value))
    return found


def _outputs(key: str, values: Mapping[str, Any]) -> Any:
    parts = key.strip(".").split("...") if key.startswith("..") else [key]
    outputs: list[Any] = []
    for part in parts:
        name, _, prop = part.partition("@")[0].rpartition(".")
        if name.startswith("{") and not any(isinstance(part, list) for part in json.loads(name).values()):
            outputs.append({"id": json.loads(name), "property": prop})
        elif name.startswith("{"):
            outputs.append([{"id": each, "property": prop} for each, _ in _matching(json.loads(name), "id", values)])
        else:
            outputs.append({"id": name, "property": prop})
    return outputs if key.startswith("..") else outputs[0]


@pytest.fixture
def designs() -> RunDesigns:
    found = RunDesigns.empty(QUANTITIES, "edp_js").extended(table([1.0, 2.0, 3.0, 2.5], [4.0, 3.0, 2.0, 3.5]))
    return found.extended(table([0.5], [0.5], "baseline"))


@pytest.fixture
def ann(django_user_model, db):
    return django_user_model.objects.create_user("ann", password="a-long-enough-word")


@pytest.fixture
def signed_in(ann):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    return client


@pytest.fixture
def recipes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A type of result that only its view knows."""
    view = ResultView(
        Recipe, "table", lambda recipe: f"{len(recipe.steps)} steps.", lambda recipe, *_: html.Ol(list(recipe.steps))
    )
    monkeypatch.setitem(VIEWS, Recipe, view)  # type: ignore[misc]
