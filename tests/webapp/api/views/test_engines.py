"""The list of engines and the details that forms are made from."""

from __future__ import annotations

from rest_framework.test import APIClient

from engines import registry


def test_it_lists_engines(client: APIClient) -> None:
    found = {entry["name"]: entry for entry in client.get("/api/v1/engines/").json()}
    assert found["toy"]["title"] == "Toy"
    assert set(found["toy"]) == {"name", "title", "summary", "source", "version", "tags"}


def test_it_leaves_out_what_cannot_be_loaded(client: APIClient) -> None:
    registry.register("broken", "no_such_module:Engine")
    try:
        names = [entry["name"] for entry in client.get("/api/v1/engines/").json()]
    finally:
        registry.unregister("broken")
    assert "broken" not in names and "toy" in names


def test_it_gives_the_schema_of_the_parameters(client: APIClient) -> None:
    toy = client.get("/api/v1/engines/toy/").json()
    assert toy["params_schema"]["properties"]["steps"] == {
        "default": 5, "description": "Reports that the run makes.", "maximum": 100_000, "minimum": 1, "title": "Steps",
        "type": "integer",
    }  # fmt: skip
    assert toy["params_schema"]["properties"]["step_seconds"]["unit"] == "s"
    assert toy["inputs"][0] == {
        "slot": "weights", "kind": "data", "title": "Weights", "help": "Three weights of the energy.", "schemas": ["toy/1"],
        "required": False, "preferred": "",
    }  # fmt: skip
    latency = toy["quantities"][0]
    assert (latency["name"], latency["unit"], latency["sense"], latency["role"]) == (
        "latency_s",
        "s",
        "minimise",
        "objective",
    )


def test_it_names_the_engines_that_exist(client: APIClient) -> None:
    answer = client.get("/api/v1/engines/nonsense/")
    assert answer.status_code == 404
    assert "toy" in answer.json()["message"]
