"""The page of a calibration, the list of calibrations, and those of a device."""

from __future__ import annotations

import json
from typing import Any

from django.contrib.auth.models import AnonymousUser

from engines.contract.encoding.document_text import to_yaml
from frontend.pages.calibration.view import page
from frontend.pages.catalogue.calibrations import calibrations_card
from frontend.pages.catalogue.document.frame import DocumentView, find, not_found
from frontend.pages.catalogue.listing import results
from hardware.calibration.loader import builtin_calibrations
from hardware.soc.loader import builtin_socs, load_soc
from hardware.soc.model import Soc
from tests.support.stored_runs import People
from webapp.catalogue.service import store_version


def shown(people: People, slug: str) -> DocumentView:
    found = find(people.owner, "calibration", slug)
    assert found is not None
    return found


def soc(slug: str) -> Soc:
    return load_soc(builtin_socs()[slug])


def words(component: Any) -> str:
    return json.dumps(
        component.to_plotly_json(), default=lambda each: getattr(each, "to_plotly_json", lambda: str(each))()
    )


def test_every_calibration_has_a_page_with_all_rows_and_parameters(people: People) -> None:
    for slug, content in builtin_calibrations().items():
        drawn = words(page(people.owner, shown(people, slug)))
        for part in (*content["rows"], *content["parameters"]):
            assert part["name"] in drawn
        assert content["author"] in drawn and f"/catalogue/hardware/{content['soc']}" in drawn


def test_fitted_and_predicted_rows_are_marked(people: People) -> None:
    drawn = words(page(people.owner, shown(people, "xavier-magnas")))
    assert drawn.count('"predicted"') >= 14 and drawn.count('"fitted"') >= 18


def test_the_list_finds_calibrations_by_device(people: People) -> None:
    found, count = results(people.owner, "calibration", "tx2", {})
    assert count == "1 of 3" and "/catalogue/calibration/tx2-hadas" in words(found[0])
    nothing, count = results(people.owner, "calibration", "zebra", {})
    assert "Nothing matches" in str(nothing) and count == "0 of 3"


def test_a_device_lists_its_calibrations_and_others_do_not(people: People) -> None:
    assert "xavier-map-and-conquer" in words(calibrations_card(people.owner, soc("jetson-agx-xavier")))
    assert "calibrate-soc" in words(calibrations_card(people.owner, soc("snapdragon-855")))
    accelerators = calibrations_card(people.owner, soc("three-dataflow-accelerators"))
    assert "from the dataflow of the units" in words(accelerators)


def test_a_copy_lists_what_it_inherits_and_says_what_was_scaled(people: People) -> None:
    content = {**builtin_socs()["jetson-agx-xavier"], "slug": "wide"}
    content["memory"] = {**content["memory"], "bytes_per_cycle": 128}
    drawn = words(calibrations_card(people.owner, load_soc(content)))
    assert "xavier-map-and-conquer" in drawn and "64 bytes per cycle, now 128" in drawn
    assert "inherited" not in words(calibrations_card(people.owner, soc("jetson-agx-xavier")))


def test_one_s_own_calibration_is_seen_by_one_s_project_alone(people: People) -> None:
    content = {**builtin_calibrations()["tx2-hadas"], "slug": "mine", "title": "Mine"}
    store_version(people.owner, people.project, "calibration", to_yaml(content))
    assert "Mine" in words(calibrations_card(people.viewer, soc("jetson-tx2")))
    assert "Mine" not in words(calibrations_card(people.stranger, soc("jetson-tx2")))
    assert find(people.stranger, "calibration", "mine") is None
    assert "This calibration does not exist here" in words(not_found(people.stranger, "calibration", "mine"))
    assert "Mine" not in words(results(AnonymousUser(), "calibration", "", {})[0][0])
