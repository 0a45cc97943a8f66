"""Workloads layer by layer, and what differs between documents."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from engines.cost.preferences import layer_preferences
from engines.documents.builtin import get_builtin
from engines.workloads.loader import builtin_network
from hardware.package.loader import load_package
from tests.engines.methods.scar.problems import tiny_network
from tests.support.stored_runs import People
from tests.webapp.api.conftest import client_of
from webapp.catalogue.service import copy_of, store_version

URL = "/api/v1/workloads/"


def test_it_lists_layers_with_totals(client: APIClient) -> None:
    found = client.get(f"{URL}resnet50/layers/").json()
    assert (found["network"], found["batch"], len(found["layers"])) == ("resnet50", 1, 54)
    assert found["totals"]["macs"] == sum(layer["macs"] for layer in found["layers"]) == 4_089_184_256
    assert found["layers"][0]["input_shape"] == "3 × 230 × 230" and found["layers"][0]["folded"]
    twice = client.get(f"{URL}resnet50/layers/", {"word_bytes": 2}).json()
    assert twice["totals"]["activation_peak_bytes"] == 2 * found["totals"]["activation_peak_bytes"]


def test_it_picks_the_model_of_a_scenario(client: APIClient) -> None:
    found = client.get(f"{URL}mlperf-scenario-4/layers/", {"model": 4}).json()
    assert (found["network"], found["batch"]) == ("resnet50", 32)
    answer = client.get(f"{URL}mlperf-scenario-4/layers/", {"model": 5})
    assert answer.status_code == 400 and answer.json()["field"] == "model"


def test_its_costs_are_those_of_the_cost_model(client: APIClient) -> None:
    query = {
        "mapping": "kcp_ws,dpt",
        "processing_elements": "256,4096",
        "hardware": "simba-3x3-nvdla",
        "quantity": "latency",
    }
    found = client.get(f"{URL}resnet50/dataflows/", query).json()
    package = load_package(get_builtin("hardware", "simba-3x3-nvdla").content)
    ours = layer_preferences(builtin_network("resnet50"), package, ("kcp_ws", "dpt"), (256, 4096))
    assert found["latency_s"] == ours.latency_s.tolist() and found["off_chip_j"] == ours.off_chip_j.tolist()
    assert found["best"] == ours.best("latency").tolist()
    assert [(c["mapping"], c["processing_elements"], c["on_package"]) for c in found["choices"]] == [
        ("kcp_ws", 256, False), ("kcp_ws", 4096, True), ("dpt", 256, False), ("dpt", 4096, False)
    ]  # fmt: skip
    alone = client.get(f"{URL}resnet50/dataflows/", {"mapping": "dpt"}).json()
    assert set(alone["margin"]) == {None} and {c["processing_elements"] for c in alone["choices"]} == {4096}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"mapping": "kcp"}, "mapping"), ({"processing_elements": "many"}, "processing_elements"), ({"quantity": "x"}, "quantity"),
        ({"processing_elements": "0"}, "array.processing_elements"), ({"hardware": "jetson-tx2"}, "hardware"),
        ({"hardware": "none"}, "hardware"), ({"model": "0"}, None),
    ],
)  # fmt: skip
def test_it_names_what_it_cannot_use(client: APIClient, query: dict[str, str], field: str | None) -> None:
    answer = client.get(f"{URL}resnet50/dataflows/", query)
    if field is None:  # a network has no models to pick from
        assert answer.status_code == 200
    else:
        assert answer.status_code == 400 and answer.json()["field"] == field


def test_it_tells_what_differs(client: APIClient, people: People) -> None:
    content = copy_of(people.owner, "hardware", "simba-3x3-nvdla")
    store_version(people.owner, people.project, "hardware", content)
    url = f"/api/v1/documents/hardware/{content['slug']}/differences/"
    assert client.get(url).json() == {"before": None, "after": f"lab/{content['slug']}@1", "differences": []}
    store_version(people.owner, people.project, "hardware", {**content, "clock_mhz": 250})
    expected = [{"key": "clock_mhz", "before": 500, "after": 250, "change": "changed"}]
    assert client.get(url).json()["differences"] == expected
    assert client.get(url, {"from": 1}).json()["differences"] == expected
    assert client.get(url, {"version": 1, "from": 2}).json()["differences"][0]["after"] == 500
    other = client.get(url, {"other": "simba-3x3-nvdla"}).json()
    assert {each["key"] for each in other["differences"]} == {"slug", "title", "clock_mhz"}
    for wrong in ({"from": 7}, {"other": "none"}):
        assert client.get(url, wrong).status_code == 400


def test_it_hides_foreign_documents(people: People) -> None:
    store_version(people.owner, people.project, "workload", tiny_network("mine", (3, 8), 8))
    owner, stranger = client_of(people.owner), client_of(people.stranger)
    addresses = (f"{URL}mine/layers/", f"{URL}mine/dataflows/", "/api/v1/documents/workload/mine/differences/")
    for address in addresses:
        assert owner.get(address).status_code == 200
        assert stranger.get(address).status_code == 404
        assert stranger.get(address, {"project": "lab"}).status_code == 404
    content: dict[str, Any] = copy_of(people.owner, "hardware", "simba-3x3-nvdla")
    store_version(people.owner, people.project, "hardware", content)
    query = {"hardware": f"lab/{content['slug']}"}
    assert owner.get(f"{URL}resnet50/dataflows/", query).status_code == 200
    assert stranger.get(f"{URL}resnet50/dataflows/", query).status_code == 400
    url = "/api/v1/documents/hardware/simba-3x3-nvdla/differences/"
    assert stranger.get(url, {"other": f"lab/{content['slug']}"}).status_code == 400


def test_every_entry_of_a_list_is_on_some_page(client: APIClient) -> None:
    first = client.get("/api/v1/documents/", {"kind": "workload"}).json()
    names, page = [entry["slug"] for entry in first["results"]], first
    while page["next"]:
        page = client.get(page["next"]).json()
        names += [entry["slug"] for entry in page["results"]]
    assert first["count"] == len(names) == len(set(names)) > 50


def test_units_have_costs_totals_and_reasons(client: APIClient) -> None:
    url = "/api/v1/workloads/magnas-vig-s-gin/units/"
    body = client.get(url, {"clock": "gpu=520,memory=1065", "quantity": "energy"}).json()
    assert body["units"][:2] == ["cpu", "gpu"] and body["clocks_mhz"]["gpu"] == 522.75
    assert body["latency_s"][0][0] is None and body["latency_s"][0][1] > 0
    assert sum(body["totals"][unit]["preferred"] for unit in body["units"]) == len(body["operations"])
    assert body["best"][0] in body["units"] and body["band"] > 1
    assert "no measurement of the unit cpu" in body["reasons"][0]["reason"]
    own = client.get(url, {"own": "true"}).json()
    assert own["totals"]["dla"]["operations"] < body["totals"]["dla"]["operations"]
    assert client.get(url, {"hardware": "simba-3x3-nvdla"}).json()["field"] == "hardware"
    assert client.get(url, {"calibration": "tx2-hadas"}).status_code == 400
