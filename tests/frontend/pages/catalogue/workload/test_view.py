"""The page of a workload: totals, comparison of dataflows, table, graph."""

from __future__ import annotations

import pytest

from engines.documents.builtin import builtin_documents
from engines.workloads.loader import load_network
from engines.workloads.network import Scenario, ScenarioModel
from frontend.pages.catalogue.document.frame import find
from frontend.pages.catalogue.document_cache import loaded
from frontend.pages.catalogue.workload.comparison_parts import network_of
from frontend.pages.catalogue.workload.layers.query import ALL, DataflowQuery, asked_of, compared
from frontend.pages.catalogue.workload.view import TABS, models_card, page, panel
from tests.engines.methods.scar.problems import tiny_network
from tests.frontend.conftest import Ask
from tests.frontend.pages.catalogue.workload.cases import controls, found
from tests.support.stored_runs import People
from webapp.catalogue.service import store_version


@pytest.mark.parametrize("slug", ["resnet50", "gpt2-large-128", "mlperf-scenario-4", "ed-tcn-xrbench", "hrvit-b1"])
def test_a_workload_has_a_page_with_every_tab(people: People, slug: str) -> None:
    shown = found(people, slug)
    drawn = str(page(people.owner, shown, {}))
    assert shown.entry.title in drawn and "Whole network" in drawn and "Explore with this" in drawn
    asked = asked_of(people.owner, {})
    for tab in TABS[1:]:
        assert panel(people.owner, shown, tab, asked) is not None
    assert panel(people.owner, shown, "nonsense", asked) is None


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.long)])
def test_every_built_in_workload_can_be_compared(people: People, every: int) -> None:
    asked = asked_of(people.owner, {})
    for slug in [*builtin_documents("workload")][::every]:
        network = network_of(loaded(found(people, slug).entry), 0)
        assert network is not None
        assert len(compared(people.owner, network, asked).latency_s) == len(network.layers)


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
    assert asked == DataflowQuery("simba-6x6-nvdla", (256, 16384), ("dpt", "yxp_os"), "buffer", "size", 6, 1)
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


def test_the_network_of_another_project_stays_there(people: People, ask: Ask) -> None:
    store_version(people.owner, people.project, "workload", tiny_network("mine", (3, 8, 8), 12))
    assert find(people.viewer, "workload", "lab/mine") is not None
    assert find(people.stranger, "workload", "lab/mine") is None
    document = {"kind": "workload", "name": "lab/mine", "version": 1}
    values = controls(**{"document-name.data": document})
    assert ask(people.owner, "layers-legend.children", values, "layers-show.value").status_code == 200
    assert ask(people.stranger, "layers-legend.children", values, "layers-show.value").status_code == 404


def test_what_a_scenario_asks_of_its_models_is_shown_where_it_asks(people: People) -> None:
    network = load_network(tiny_network("tiny", (3, 8), 8))
    plain = str(models_card(Scenario("s", "S", (ScenarioModel(network, 3),), "made up"), 0))
    assert "Batch" in plain and "Rate" not in plain and "Deadline" not in plain and "Priority" not in plain
    model = ScenarioModel(network, 1, rate_fps=30.0, priority=2, probability=0.5, deadline_s=0.015)
    asked = str(models_card(Scenario("s", "S", (model, ScenarioModel(network, 1)), "made up"), 0))
    assert "Deadline" in asked and r"15.0\xa0ms" in asked
    assert "Rate" in asked and r"30.0\xa0fps" in asked and "Priority" in asked and r"50\xa0%" in asked
    assert "MACs per second" in asked and "Waits for" not in asked
