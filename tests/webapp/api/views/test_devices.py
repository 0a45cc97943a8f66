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
