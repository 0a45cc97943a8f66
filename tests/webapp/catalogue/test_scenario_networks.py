from __future__ import annotations

from typing import Any

import pytest

from engines.contract.engine import Document
from engines.contract.errors import ProblemError
from engines.workloads.loader import load_scenario
from tests.support.stored_runs import People
from webapp.catalogue.scenario_networks import embed_networks
from webapp.catalogue.service import resolve, store_version
from webapp.teams.visibility import personal_project


def test_it_embeds_ones_own_networks(people: People, network: dict[str, Any]) -> None:
    store_version(people.owner, people.project, "workload", network)
    models = [{"network": "tiny", "batch": 2}, {"network": "resnet50", "batch": 1}]
    scenario = {"schema": "scenario/1", "slug": "two", "title": "Two", "source": "made for tests", "models": models}
    version = store_version(people.owner, people.project, "workload", scenario)
    assert version.content["models"][0]["network"] == network
    assert version.content["models"][1]["network"] == "resnet50"
    assert all(len(model["network_sha256"]) == 64 for model in version.content["models"])
    store_version(people.owner, people.project, "workload", {**network, "title": "Changed since"})
    loaded = load_scenario(resolve(people.viewer, "workload", "two").content)
    assert [(model.network.title, model.batch) for model in loaded.models] == [("Tiny", 2), ("ResNet-50, 224x224", 1)]
    assert loaded.models[0].network.macs == 24


def test_it_embeds_no_foreign_networks(people: People, network: dict[str, Any]) -> None:
    store_version(people.owner, people.project, "workload", network)
    models = [{"network": "tiny", "batch": 2}]
    scenario = {"schema": "scenario/1", "slug": "one", "title": "One", "source": "made for tests", "models": models}
    with pytest.raises(ProblemError) as caught:
        store_version(people.stranger, personal_project(people.stranger), "workload", scenario)
    assert caught.value.field == "models.0.network"


def test_it_does_not_embed_a_scenario(people: People) -> None:
    models = [{"network": "mlperf-scenario-1", "batch": 2}]
    scenario = {"schema": "scenario/1", "slug": "one", "title": "One", "source": "made for tests", "models": models}
    with pytest.raises(ProblemError) as caught:
        store_version(people.owner, people.project, "workload", scenario)
    assert caught.value.field == "models.0.network"


def test_a_network_named_often_is_bounded_before_it_is_stored(people: People, network: dict[str, Any]) -> None:
    operation = {"kind": "conv", "k": 8, "c": 8, "y": 4, "x": 4, "r": 1, "s": 1}
    many = [{**operation, "name": f"layer{number}"} for number in range(900)]
    store_version(people.owner, people.project, "workload", {**network, "operations": many})
    scenario = {"schema": "scenario/1", "slug": "often", "title": "Often", "source": "made up"}

    def named(times: int) -> dict[str, Any]:
        return {**scenario, "models": [{"network": "tiny", "batch": 1}] * times}

    with pytest.raises(ProblemError, match="operations, all networks of a scenario together") as caught:
        store_version(people.owner, people.project, "workload", named(26))
    assert caught.value.field == "models"
    assert store_version(people.owner, people.project, "workload", named(2)).number == 1


def test_networks_of_many_bytes_are_refused_by_name(network: dict[str, Any]) -> None:
    large = Document("workload", "tiny", 1, {**network, "source": "x" * 1_000_000})
    scenario = {"schema": "scenario/1", "models": [{"network": "tiny", "batch": 1}] * 9}
    with pytest.raises(ProblemError, match="bytes, all of a scenario together") as caught:
        embed_networks(scenario, lambda name, field: large)
    assert caught.value.field == "models.7.network"
