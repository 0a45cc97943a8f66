"""The page of a workload: totals, comparison of dataflows, table, graph."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engines.documents.builtin import builtin_documents
from engines.workloads.loader import load_network
from engines.workloads.network import Scenario, ScenarioModel
from frontend.pages.catalogue.document.frame import Shown, find
from frontend.pages.catalogue.document.loaded import loaded
from frontend.pages.catalogue.workload.layers.asked import ALL, Asked, asked_of, compared
from frontend.pages.catalogue.workload.layers.view import PARTS, energy_parts
from frontend.pages.catalogue.workload.view import TABS, models_card, network_of, page, panel
from tests.engines.methods.scar.problems import tiny_network
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People
from tests.support.work import calls_of
from webapp.catalogue.service import store_version


def found(people: People, slug: str) -> Shown:
    shown = find(people.owner, "workload", slug)
    assert shown is not None
    return shown


def controls(**changes: Any) -> dict[str, Any]:
    """What the browser sends of the comparison's controls."""
    values = {
        "layers-package.value": "simba-3x3-het-sides", "layers-sizes.value": ["4096"], "layers-mappings.value": ["kcp_ws", "dpt"],
        "layers-show.value": "edp", "layers-reference.value": "all", "layers-model.value": None, "layers-layer.value": "0",
        "scheme.data": "light", "viewport.data": {"width": 1440, "height": 900},
        "document-name.data": {"kind": "workload", "name": "resnet50", "version": 1},
    }  # fmt: skip
    return values | changes


@pytest.mark.parametrize("slug", ["resnet50", "gpt2-large-128", "mlperf-scenario-4", "ed-tcn-xrbench", "hrvit-b1"])
def test_a_workload_has_a_page_with_every_tab(people: People, slug: str) -> None:
    shown = found(people, slug)
    drawn = str(page(people.owner, shown, {}))
    assert shown.entry.title in drawn and "Whole network" in drawn and "Explore with this" in drawn
    asked = asked_of(people.owner, {})
    for tab in TABS[1:]:
        assert panel(people.owner, shown, tab, asked) is not None
    assert panel(people.owner, shown, "nonsense", asked) is None


def test_every_built_in_workload_can_be_compared(people: People) -> None:
    asked = asked_of(people.owner, {})
    for slug in builtin_documents("workload"):
        network = network_of(loaded(found(people, slug).entry), 0)
        assert network is not None
        assert len(compared(people.owner, network, asked).latency_s) == len(network.layers)


def test_a_page_of_two_hundred_layers_takes_little_work(people: People) -> None:
    shown = found(people, "gpt2-large-128")
    page(people.owner, shown, {})
    assert calls_of(lambda: page(people.owner, shown, {}).to_plotly_json()) < 600_000


def test_an_address_is_read_and_nonsense_in_it_is_not(people: People) -> None:
    given = {
        "package": "simba-6x6-nvdla",
        "sizes": "256,16384",
        "mappings": "dpt,yxp_os",
        "show": "buffer",
        "layer": "7",
        "model": "2",
    }
    asked = asked_of(people.owner, given | {"reference": "size"})
    assert asked == Asked("simba-6x6-nvdla", (256, 16384), ("dpt", "yxp_os"), "buffer", "size", 6, 1)
    assert asked_of(people.owner, asked.to_json()) == asked
    nonsense = {
        "package": "jetson-tx2",
        "sizes": "0,-1,x,²",
        "mappings": "none",
        "show": "x",
        "reference": 1,
        "layer": "²",
    }
    usual = asked_of(people.owner, {})
    assert asked_of(people.owner, nonsense) == usual
    assert (usual.package, usual.reference, usual.layer) == ("simba-3x3-het-sides", ALL, 0)


def test_the_parts_of_the_energy_are_those_of_the_chiplet_and_of_what_is_moved(people: People) -> None:
    network = network_of(loaded(found(people, "resnet50").entry), 0)
    assert network is not None
    made = compared(people.owner, network, asked_of(people.owner, {}))
    parts = energy_parts(made, 2)
    assert parts.shape == (54, len(PARTS))
    assert parts[:, :3].sum(axis=1) == pytest.approx(made.energy_j[:, 2])


def test_a_control_draws_the_comparison_anew(people: People, ask: Ask) -> None:
    answer = ask(people.owner, "layers-legend.children", controls(), "layers-mappings.value")
    assert answer.status_code == 200
    response = answer.json()["response"]
    heat = json.dumps(response["layers-heat"])
    assert "dpt, " in heat and "yxp_os" not in heat
    assert response['{"of":"layers","type":"document-asked"}']["data"]["mappings"] == ["kcp_ws", "dpt"]


def test_the_next_layer_is_a_button_away_and_the_last_is_the_last(people: People, ask: Ask) -> None:
    step = '{"step":1,"type":"layers-step"}.n_clicks'
    answer = ask(people.owner, "layers-legend.children", controls(**{step: 1, "layers-layer.value": "4"}), step)
    assert answer.json()["response"]["layers-layer"]["value"] == "5"
    answer = ask(people.owner, "layers-legend.children", controls(**{step: 1, "layers-layer.value": "53"}), step)
    assert answer.json()["response"]["layers-layer"]["value"] == "53"


def test_another_model_of_a_scenario_has_other_layers(people: People, ask: Ask) -> None:
    document = {"kind": "workload", "name": "mlperf-scenario-4", "version": 1}
    values = controls(**{"layers-model.value": "3", "layers-layer.value": "60", "document-name.data": document})
    response = ask(people.owner, "layers-legend.children", values, "layers-model.value").json()["response"]
    assert response["layers-layer"]["value"] == "0" and len(response["layers-layer"]["data"]) == 54


def test_the_network_of_another_project_stays_there(people: People, ask: Ask) -> None:
    store_version(people.owner, people.project, "workload", tiny_network("mine", (3, 8, 8), 12))
    assert find(people.viewer, "workload", "lab/mine") is not None
    assert find(people.stranger, "workload", "lab/mine") is None
    document = {"kind": "workload", "name": "lab/mine", "version": 1}
    values = controls(**{"document-name.data": document})
    assert ask(people.owner, "layers-legend.children", values, "layers-show.value").status_code == 200
    assert ask(people.stranger, "layers-legend.children", values, "layers-show.value").status_code == 404


def test_a_foreign_package_gives_way_to_the_usual_one(people: People, ask: Ask) -> None:
    values = controls(**{"layers-package.value": "lab/secret"})
    response = ask(people.stranger, "layers-legend.children", values, "layers-package.value").json()["response"]
    assert response['{"of":"layers","type":"document-asked"}']["data"]["package"] == "simba-3x3-het-sides"


def test_what_a_scenario_asks_of_its_models_is_shown_where_it_asks(people: People) -> None:
    network = load_network(tiny_network("tiny", (3, 8), 8))
    plain = str(models_card(Scenario("s", "S", (ScenarioModel(network, 3),), "made up"), 0))
    assert "Batch" in plain and "Rate" not in plain and "Priority" not in plain
    model = ScenarioModel(network, 1, rate_fps=30.0, priority=2, probability=0.5)
    asked = str(models_card(Scenario("s", "S", (model, ScenarioModel(network, 1)), "made up"), 0))
    assert "Rate" in asked and r"30.0\xa0fps" in asked and "Priority" in asked and r"50\xa0%" in asked
    assert "MACs per second" in asked and "Waits for" not in asked
