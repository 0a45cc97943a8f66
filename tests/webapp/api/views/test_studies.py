"""Planning, starting, listing, reading, stopping, continuing and deleting studies."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.support.stored_runs import People
from tests.webapp.studies.statistics_for_tests import give
from webapp.runs.models import Run
from webapp.studies.models import Study

URL = "/api/v1/studies/"
GRID = {
    "engine": "toy",
    "params": {"steps": {"each": [2, 3]}, "step_seconds": 1.0},
    "seeds": [1, 2, 3],
    "project": "lab",
}


@pytest.fixture
def study(client: APIClient) -> dict[str, Any]:
    answer = client.post(URL, {**GRID, "title": "Six"}, format="json")
    assert answer.status_code == 201
    found: dict[str, Any] = answer.json()
    return found


def test_it_plans_without_storing(client: APIClient) -> None:
    answer = client.post(f"{URL}plan/", GRID, format="json").json()
    assert "seeds cannot show a difference" in answer["notes"][0]
    assert (answer["cells"], answer["evaluations"], answer["time_s"]) == (6, 3 * 4 * (2 + 3), [15.0, 21.0])
    assert not Study.objects.exists()


@pytest.mark.parametrize("url", [URL, f"{URL}plan/"])
@pytest.mark.parametrize(
    ("body", "field", "words"),
    [
        (
            {"engine": "toy", "params": {"steps": {"each": [2, 0]}}},
            "params.steps",
            "The combination steps=0 is refused",
        ),
        ({"engine": "toy", "seeds": [1, 1]}, "seeds", "all different"),
        ({"engine": "toy", "inputs": {"weights": ["x"]}}, "inputs.weights", "data document"),
        ([1], "study", "a mapping"),
    ],
)
def test_it_names_field_and_cell(client: APIClient, url: str, body: Any, field: str, words: str) -> None:
    answer = client.post(url, body, format="json")
    assert (answer.status_code, answer.json()["field"]) == (400, field)
    assert words in answer.json()["message"]
    assert not Study.objects.exists() and not Run.objects.exists()


def test_it_starts_every_cell(client: APIClient, study: dict[str, Any], people: People) -> None:
    assert (study["title"], study["project"], study["owner"]) == ("Six", "lab", "ann")
    assert study["progress"]["total"] == study["progress"]["queued"] == 6
    runs = client.get("/api/v1/runs/", {"project": "lab"}).json()["results"]
    assert {run["study"] for run in runs} == {study["id"]}
    assert runs[0]["cell"] == {"params.steps": 3, "seed": 3}
    again = client.post(URL, study["document"], format="json")
    assert again.status_code == 201 and again.json()["document"] == study["document"]


def test_it_starts_from_yaml(client: APIClient) -> None:
    text = "engine: toy\nparams: {steps: {each: [2, 3]}}\nseeds: [1]\n"
    assert client.post(URL, text, content_type="application/yaml").json()["progress"]["total"] == 2


def test_it_lists_with_a_fixed_number_of_queries(
    client: APIClient, study: dict[str, Any], django_assert_num_queries: Any
) -> None:
    for _ in range(3):
        client.post(URL, GRID, format="json")
    with django_assert_num_queries(6):  # session, user, count, numbers, page with project and owner, progress of all
        answer = client.get(URL).json()
    assert answer["count"] == 4 and answer["results"][-1]["id"] == study["id"]
    assert client.get(URL, {"engine": "scar"}).json()["count"] == 0
    assert client.get(URL, {"project": "lab", "mine": "1"}).json()["count"] == 4


def test_it_stops_continues_and_deletes(client: APIClient, study: dict[str, Any]) -> None:
    address = f"{URL}{study['id']}/"
    stopped = client.patch(address, {"wish": "stop"}, format="json").json()
    assert stopped["runs"] == 6 and stopped["study"]["progress"]["stopped"] == 6
    assert client.patch(address, {"wish": "run"}, format="json").json()["field"] == "wish"
    assert client.patch(address, [1], format="json").status_code == 400
    assert client.post(f"{address}continue/").json()["study"]["progress"]["queued"] == 6
    assert client.delete(address).status_code == 204
    assert client.get(address).status_code == 404 and Run.objects.count() == 6


def test_the_table_has_a_cell_per_place_with_its_runs(client: APIClient, study: dict[str, Any]) -> None:
    table = client.get(f"{URL}{study['id']}/table/", {"columns": "seed"}).json()
    assert (table["row_axes"], table["columns"], table["quantity"]["name"]) == (
        ["params.steps"],
        [1, 2, 3],
        "latency_s",
    )
    cell = table["rows"][1]["cells"][2]
    assert (cell["median"], cell["values"]) == (None, 0)
    run = Run.objects.get(pk=cell["runs"][0]["id"])
    assert (run.params["steps"], run.seed) == (3, 3)
    refused = client.get(f"{URL}{study['id']}/table/", {"rows": "nothing"})
    assert (refused.status_code, refused.json()["field"]) == (400, "rows")


def test_the_table_is_taken_away_as_csv(client: APIClient, study: dict[str, Any]) -> None:
    answer = client.get(f"{URL}{study['id']}/table.csv")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="study-{study["id"]}-table.csv"'
    assert answer.content.decode().splitlines()[0].startswith("steps,design,runs,values,latency_s_median [s]")


def test_the_statistics_tell_groups_apart(client: APIClient, study: dict[str, Any]) -> None:
    for run in Run.objects.filter(study=study["id"]):
        # The more steps the lower both objectives, and each seed one front of two designs.
        give(run, [(4.0 - run.params["steps"], 1.0 + run.seed / 10), (3.9 - run.params["steps"], 2.0)])
    address = f"{URL}{study['id']}/statistics/"
    found = client.get(address, {"measure": "latency_s"}).json()
    assert (found["by"], found["place"], found["measure"]["name"]) == ("params.steps", {}, "latency_s")
    first = found["groups"][0]
    assert (first["left_out"], len(first["runs"]), first["runs"][0]["front_size"]) == (0, 3, 2)
    assert (first["left_out_runs"], first["found_nothing"], found["equal_fronts"]) == ([], [], False)
    assert first["runs"][0]["front_points"] == 2
    assert first["median_run"] in [run["id"] for run in first["runs"]]
    # Seed 2 is the middle one: half of the runs attain its energy.
    assert first["surfaces"]["0.5"][1] == pytest.approx([4.0 - first["value"], 1.2])
    (pair,) = found["pairs"]
    assert pair["effect"] == 0.0 and pair["adjusted"] == pytest.approx(0.1, abs=0.02) and not pair["significant"]
    assert found["all_same_p_value"] == pytest.approx(2 / 20) and found["all_same_error"] == 0.0
    refused = client.get(address, {"by": "nothing"})
    assert (refused.status_code, refused.json()["field"]) == (400, "by")
    assert client.get(address, {"at": "9"}).status_code == 400
