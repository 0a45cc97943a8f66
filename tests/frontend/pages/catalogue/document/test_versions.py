from __future__ import annotations

from typing import Any

from frontend.pages.catalogue.document.frame import find
from frontend.pages.catalogue.document.versions import difference_view, versions_card, versions_tab
from tests.support.stored_runs import People
from webapp.runs.service import create


def test_versions_are_compared_key_by_key(people: People, stored: dict[str, Any]) -> None:
    shown = find(people.owner, "hardware", stored["slug"])
    assert shown is not None
    drawn = str(versions_tab(people.owner, shown, "v1"))
    assert "clock_mhz" in drawn and "500" in drawn and "250" in drawn and "1 key differs" in drawn
    other = str(difference_view(people.owner, shown, "simba-3x3-nvdla"))
    assert "clock_mhz" in other and "slug" in other
    for nothing in (None, "", "v9", "nonsense", f"jim/{stored['slug']}"):
        assert "Table(" not in str(difference_view(people.owner, shown, nothing))
    for unsaid in ("", "nonsense"):
        assert "1 key differs" in str(versions_tab(people.owner, shown, unsaid)), "with the version before"
    first = find(people.owner, "hardware", stored["slug"], "1")
    assert first is not None and "Nothing is compared" in str(versions_tab(people.owner, first, ""))


def test_runs_are_counted_where_they_pin_a_version(people: People) -> None:
    shown = find(people.owner, "hardware", "simba-3x3-nvdla")
    assert shown is not None
    assert "None yet" in str(versions_card(people.owner, shown))
    inputs = {"hardware": "simba-3x3-nvdla", "workload": "mlperf-scenario-1"}
    run = create(people.owner, {"engine": "scar", "inputs": inputs, "title": "Pins it"}, people.project)
    drawn = str(versions_card(people.viewer, shown))
    assert "1 run pins it" in drawn and f"/runs/{run.pk}" in drawn and "Pins it" in drawn
    assert "Pins it" not in str(versions_card(people.stranger, shown))
