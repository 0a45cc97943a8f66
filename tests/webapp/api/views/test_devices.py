"""Devices over REST."""

from __future__ import annotations

from rest_framework.test import APIClient

from tests.support.stored_runs import People, computed_run
from tests.webapp.api.conftest import client_of
from tests.webapp.measuring.conftest import MACHINE, as_agent
from tests.webapp.measuring.test_designs import SPLIT, measured, on_device
from webapp.catalogue.models import DocumentVersion
from webapp.measuring import jobs
from webapp.measuring.devices import register
from webapp.measuring.models import Measurement


def test_people_see_and_revoke_the_devices_of_their_projects(people: People, client: APIClient) -> None:
    device = register(as_agent(people.owner, people.project.pk), "Test box", MACHINE)[0]
    address = f"/api/v1/devices/{device.pk}/"
    assert [each["slug"] for each in client.get("/api/v1/devices/").json()] == ["test-box"]
    assert client_of(people.stranger).get("/api/v1/devices/").json() == []
    assert client_of(people.viewer).patch(address, {"revoked": True}, format="json").status_code == 403
    assert client.patch(address, {"revoked": True}, format="json").json()["revoked"] is not None
    assert client.patch(address, {"revoked": False}, format="json").json()["revoked"] is None


def test_a_device_is_deleted_with_what_was_measured_once_its_agent_is_revoked(
    people: People, client: APIClient
) -> None:
    device = register(as_agent(people.owner, people.project.pk), "Test box", MACHINE)[0]
    address = f"/api/v1/devices/{device.pk}/"
    jobs.ask(people.owner, device, ["digits-chain"], [1])
    refused = client.delete(address)
    assert refused.status_code == 400 and "a device whose agent is revoked" in refused.json()["detail"]
    client.patch(address, {"revoked": True}, format="json")
    assert client_of(people.viewer).delete(address).status_code == 403
    assert client_of(people.stranger).delete(address).status_code == 404
    assert client.delete(address).status_code == 204 and not Measurement.objects.exists()
    assert DocumentVersion.objects.filter(document__kind="hardware").exists(), "documents stay"
    assert client.get(address).status_code == 404


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


def test_measured_designs_are_sorted_and_filtered(people: People, client: APIClient) -> None:
    device = register(as_agent(people.owner, people.project.pk), "Test box", MACHINE, "0.1.0")[0]
    run = computed_run(people, SPLIT)
    address, numbers = f"/api/v1/runs/{run.pk}/measurements/", on_device(run)[:2]
    wish = {"designs": numbers, "device": device.pk, "threads": [1, 2]}
    assert client.post(address, wish, format="json").json()["waiting"] == 4
    measured()
    found = client.get(f"{address}?sort=-latency&threads=2&state=measured&at_most_s=10").json()
    assert len(found) == 2 and found[0]["latency"]["median_s"] >= found[1]["latency"]["median_s"]
    assert found[0]["place"] == {
        "device": device.pk, "name": "Test box", "machine": "Test processor, 2 cores, onnxruntime 1.32.0", "threads": 2,
        "provider": "CPUExecutionProvider",
    }  # fmt: skip
    assert client.get(address, {"at_least_s": 10}).json() == []
    for bad in ({"sort": "name"}, {"state": "lost"}, {"at_most_s": "nan"}, {"slowest": "1"}):
        assert client.get(address, bad).status_code == 400, bad
    assert client.post(address, {**wish, "provider": "CUDAExecutionProvider"}, format="json").status_code == 400
