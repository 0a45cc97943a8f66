from __future__ import annotations

import pytest

from frontend.pages.catalogue.document_cache import loaded
from frontend.pages.catalogue.workload.comparison_parts import network_of
from frontend.pages.catalogue.workload.layers.query import asked_of, compared
from frontend.pages.catalogue.workload.layers.view import PARTS, energy_parts
from tests.frontend.conftest import Ask
from tests.frontend.pages.catalogue.workload.cases import controls, found
from tests.support.stored_runs import People


def test_the_parts_of_the_energy_are_those_of_the_chiplet_and_of_what_is_moved(people: People) -> None:
    network = network_of(loaded(found(people, "resnet50").entry), 0)
    assert network is not None
    made = compared(people.owner, network, asked_of(people.owner, {}))
    parts = energy_parts(made, 2)
    assert parts.shape == (54, len(PARTS))
    assert parts[:, :3].sum(axis=1) == pytest.approx(made.energy_j[:, 2])


def test_another_model_of_a_scenario_has_other_layers(people: People, ask: Ask) -> None:
    document = {"kind": "workload", "name": "mlperf-scenario-4", "version": 1}
    values = controls(**{"layers-model.value": "3", "layers-layer.value": "60", "document-name.data": document})
    response = ask(people.owner, "layers-legend.children", values, "layers-model.value").json()["response"]
    assert response["layers-layer"]["value"] == "0" and len(response["layers-layer"]["data"]) == 54


def test_a_foreign_package_gives_way_to_the_usual_one(people: People, ask: Ask) -> None:
    values = controls(**{"layers-package.value": "lab/secret"})
    response = ask(people.stranger, "layers-legend.children", values, "layers-package.value").json()["response"]
    assert response['{"of":"layers","type":"document-asked"}']["data"]["package"] == "simba-3x3-het-sides"
