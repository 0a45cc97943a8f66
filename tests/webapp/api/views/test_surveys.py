"""One network on every device, by REST: what the person sees, and nothing else."""

from __future__ import annotations

from typing import Any

from rest_framework.test import APIClient

from engines.workloads.importing.language_reader import read_configuration
from tests.engines.survey.language.configurations import QWEN3_4B
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


def test_bits_and_a_power_mode_count(client: APIClient) -> None:
    def of_xavier(**query: str) -> Any:
        found = client.get(f"{URL}resnet50/survey/", query).json()["devices"]
        return next(each for each in found if each["name"] == "jetson-agx-xavier")

    whole, packed, low = of_xavier(bits="w8a16"), of_xavier(bits="w4a16"), of_xavier(power_mode="mode-10w")
    assert whole["weight_bytes"] == 2 * packed["weight_bytes"] and packed["priced"]["bits"] == "w4a16"
    assert low["priced"]["best"]["latency_s"] > of_xavier()["priced"]["best"]["latency_s"]
    refused = client.get(f"{URL}resnet50/survey/", {"bits": "w4"})
    assert refused.status_code == 400 and refused.json()["field"] == "bits"


def test_a_conversation_with_a_language_model(people: People) -> None:
    content = read_configuration(QWEN3_4B, "qwen3-4b.json").content
    store_version(people.owner, people.project, "workload", content)
    client = client_of(people.owner)
    address = f"{URL}qwen3-4b/survey/"
    found = client.get(address, {"bits": "w4a16", "prompt": "512", "answer": "128", "cache_bits": "16"}).json()
    assert (found["parameters"], found["cache_bytes"]) == (4_022_468_096, 94_371_840)
    rows = {each["device"]: each for each in found["devices"]}
    assert rows["rk3588"]["decode_tokens_per_s"] > 0 and rows["rk3588"]["certainty"] == "predicted"
    longer = client.get(address, {"bits": "w4a16", "prompt": "4096", "cache_bits": "8"}).json()
    again = {each["device"]: each for each in longer["devices"]}
    assert longer["cache_bytes"] == (4096 + 128) * 36 * 2 * 8 * 128
    assert again["rk3588"]["time_to_first_token_s"] > 7 * rows["rk3588"]["time_to_first_token_s"]
    for name, value in (("prompt", "0"), ("answer", "many"), ("cache_bits", "99")):
        refused = client.get(address, {name: value})
        assert refused.status_code == 400 and refused.json()["field"] == name
    refused = client.get(f"{URL}resnet50/survey/", {"prompt": "5"})
    assert refused.status_code == 400 and refused.json()["field"] == "prompt"
