"""One network on every device, by REST: what the person sees, and nothing else."""

from __future__ import annotations

from rest_framework.test import APIClient

from tests.support.stored_runs import People
from tests.webapp.api.conftest import client_of
from webapp.catalogue.service import copy_of, store_version

URL = "/api/v1/workloads/"


def test_devices_are_those_that_the_person_sees(people: People) -> None:
    own = {**copy_of(people.owner, "hardware", "x86-server"), "slug": "own-server"}
    store_version(people.owner, people.project, "hardware", own)
    mine = client_of(people.viewer).get(f"{URL}resnet50/survey/").json()
    theirs = client_of(people.stranger).get(f"{URL}resnet50/survey/").json()
    assert (mine["network"], mine["layers"]) == ("ResNet-50, 224x224", 54)
    names = {each["name"] for each in mine["devices"]}
    assert names - {each["name"] for each in theirs["devices"]} == {"lab/own-server"}
    server = next(each for each in mine["devices"] if each["name"] == "lab/own-server")
    assert server["priced"]["basis"] == "data sheet" and server["priced"]["best"]["latency_s"] > 0


def test_what_is_no_network_is_refused(client: APIClient) -> None:
    answer = client.get(f"{URL}mlperf-scenario-4/survey/")
    assert answer.status_code == 400 and answer.json()["field"] == "workload"
    assert client.get(f"{URL}nothing/survey/").status_code == 404
