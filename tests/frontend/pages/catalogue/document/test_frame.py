"""What the pages of documents share, and the page of hardware."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engines.documents.builtin import builtin_documents
from frontend.pages.catalogue.document.frame import explore_href, find, rail_entries
from frontend.pages.catalogue.document.versions import difference_view, versions_card, versions_tab
from frontend.pages.catalogue.hardware.view import TABS, figures_of, foremost, page, panel
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People
from webapp.catalogue.service import copy_of, store_version
from webapp.runs.service import create


@pytest.fixture
def stored(people: People) -> dict[str, Any]:
    """A document of the project in two versions."""
    content = copy_of(people.owner, "hardware", "simba-3x3-nvdla")
    store_version(people.owner, people.project, "hardware", content)
    store_version(people.owner, people.project, "hardware", {**content, "clock_mhz": 250})
    return content


@pytest.mark.parametrize("slug", builtin_documents("hardware"))
def test_every_built_in_hardware_has_a_page(people: People, slug: str) -> None:
    shown = find(people.owner, "hardware", slug)
    assert shown is not None
    drawn = str(page(people.owner, shown, "overview", ""))
    assert shown.entry.title in drawn and "No picture" not in drawn
    assert len(figures_of(shown)) >= len(foremost(figures_of(shown))) > 0
    for tab in TABS[1:]:
        assert panel(people.owner, shown, tab) is not None


def test_a_foreign_document_is_the_same_as_none(people: People, stored: dict[str, Any]) -> None:
    assert find(people.viewer, "hardware", f"lab/{stored['slug']}") is not None
    for name in (f"lab/{stored['slug']}", stored["slug"], "lab/none", "none", "", "a/b/c", "@", "²"):
        assert find(people.stranger, "hardware", name) is None
    assert find(people.owner, "hardware", stored["slug"], "9") is None


def test_an_older_version_is_pinned_where_one_explores_with_it(people: People, stored: dict[str, Any]) -> None:
    newest, first = (find(people.owner, "hardware", stored["slug"], version) for version in ("", "1"))
    assert newest is not None and first is not None and newest.current and not first.current
    assert explore_href(newest) == f"/new?engine=scar&hardware=lab/{stored['slug']}"
    assert explore_href(first) == f"/new?engine=scar&hardware=lab/{stored['slug']}@1"


def test_versions_are_compared_key_by_key(people: People, stored: dict[str, Any]) -> None:
    shown = find(people.owner, "hardware", stored["slug"])
    assert shown is not None
    drawn = str(versions_tab(people.owner, shown, "v1"))
    assert "clock_mhz" in drawn and "500" in drawn and "250" in drawn and "1 key differs" in drawn
    other = str(difference_view(people.owner, shown, "simba-3x3-nvdla"))
    assert "clock_mhz" in other and "slug" in other
    for nothing in (None, "", "v9", "nonsense", f"jim/{stored['slug']}"):
        assert "Table(" not in str(difference_view(people.owner, shown, nothing))
    assert "v1" in str(versions_tab(people.owner, shown, "nonsense"))


def test_the_list_filters(people: People) -> None:
    found = rail_entries(people.owner, "hardware", "jetson-tx2", "jetson")
    assert "jetson-tx2" in str(found) and "simba" not in str(found)
    assert "Nothing matches" in str(rail_entries(people.owner, "hardware", "", "zebra"))


def test_a_tab_is_opened_and_a_foreign_document_is_not(people: People, stored: dict[str, Any], ask: Ask) -> None:
    values: dict[str, Any] = {
        "document-name.data": {"kind": "hardware", "name": f"lab/{stored['slug']}", "version": 2},
        '{"name":"overview","type":"document-tab-button"}.n_clicks': None,
        '{"name":"yaml","type":"document-tab-button"}.n_clicks': 1,
    }
    changed = '{"name":"yaml","type":"document-tab-button"}.n_clicks'
    answer = ask(people.owner, "document-tab.data", values, changed)
    assert answer.status_code == 200
    response = answer.json()["response"]
    assert response["document-overview"]["hidden"] is True
    assert stored["slug"] in json.dumps(response["document-panel"])
    assert ask(people.stranger, "document-tab.data", values, changed).status_code == 404


def test_a_power_mode_lets_its_clocks_stand_out(people: People, ask: Ask) -> None:
    values = {
        "document-name.data": {"kind": "hardware", "name": "jetson-tx2", "version": 1},
        "document-mode.value": "maxq", "scheme.data": "dark", "viewport.data": {"width": 1440, "height": 900},
    }  # fmt: skip
    response = ask(people.owner, "document-picture.children", values, "document-mode.value").json()["response"]
    assert "document-picture" not in response and "of 12 steps" in json.dumps(response["document-ladder"])
    response = ask(people.owner, "document-picture.children", values, "scheme.data").json()["response"]
    assert "Block diagram" in json.dumps(response["document-picture"])


def test_runs_are_counted_where_they_pin_a_version(people: People) -> None:
    shown = find(people.owner, "hardware", "simba-3x3-nvdla")
    assert shown is not None
    assert "None yet" in str(versions_card(people.owner, shown))
    inputs = {"hardware": "simba-3x3-nvdla", "workload": "mlperf-scenario-1"}
    run = create(people.owner, {"engine": "scar", "inputs": inputs, "title": "Pins it"}, people.project)
    drawn = str(versions_card(people.viewer, shown))
    assert "1 run pins it" in drawn and f"/runs/{run.pk}" in drawn and "Pins it" in drawn
    assert "Pins it" not in str(versions_card(people.stranger, shown))
