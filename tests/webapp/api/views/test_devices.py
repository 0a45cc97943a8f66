"""Devices over REST."""

from __future__ import annotations

from rest_framework.test import APIClient

from tests.support.stored_runs import People
from tests.webapp.api.conftest import client_of
from tests.webapp.measuring.conftest import MACHINE, as_agent
from webapp.measuring.devices import register


def test_people_see_and_revoke_the_devices_of_their_projects(people: People, client: APIClient) -> None:
    device = register(as_agent(people.owner, people.project.pk), "Test box", MACHINE)[0]
    address = f"/api/v1/devices/{device.pk}/"
    assert [each["slug"] for each in client.get("/api/v1/devices/").json()] == ["test-box"]
    assert client_of(people.stranger).get("/api/v1/devices/").json() == []
    assert client_of(people.viewer).patch(address, {"revoked": True}, format="json").status_code == 403
    assert client.patch(address, {"revoked": True}, format="json").json()["revoked"] is not None
    assert client.patch(address, {"revoked": False}, format="json").json()["revoked"] is None


def test_a_run_may_have_designs_measured_while_it_searches(people: People, client: APIClient) -> None:
    device = register(as_agent(people.owner, people.project.pk), "Test box", MACHINE)[0]
    inputs = {"hardware": "jetson-tx2", "workload": "digits-chain", "radio": "wifi-smartphone"}
    document = {"engine": "split-network", "inputs": inputs, "params": {"unmeasured": "assumed"}, "project": "lab"}
    wish = {"device": device.pk, "designs": 4}
    run = client.post("/api/v1/runs/", document | {"measure": wish}, format="json")
    assert run.status_code == 201, run.json()
    assert run.json()["measure"] == {**wish, "threads": 1, "wait_minutes": 10.0}
    assert client.post("/api/v1/runs/", document, format="json").json()["measure"] == {}
    refused = client.post("/api/v1/plan/", document | {"measure": {**wish, "threads": 9}}, format="json")
    assert refused.status_code == 400 and refused.json()["field"] == "measure.threads"
    stranger = client_of(people.stranger).post(
        "/api/v1/plan/", document | {"measure": wish, "project": ""}, format="json"
    )
    assert stranger.status_code == 400 and stranger.json()["field"] == "measure.device"
