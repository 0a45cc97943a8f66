"""A scenario of two networks is built, saved, scheduled by SCAR, and changed into its next version."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RUN_MS
from tests.browser.test_exploration import fill_evaluations
from tests.support.site import Site


def add_network(page: Page, typed: str, title: str) -> None:
    box = page.get_by_role("textbox", name="Add a network")
    box.click()
    box.fill(typed)
    page.get_by_role("option", name=title).first.click()
    expect(page.locator("#scenario-models")).to_contain_text(title)


@pytest.mark.long
def test_a_scenario_of_two_networks_is_built_and_explored(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("ada")
    page.goto(f"{site.url}/")
    page.get_by_role("link", name="Catalogue").first.click()
    page.get_by_role("link", name="Workloads").click()
    page.get_by_role("link", name="Build a scenario").click()
    expect(page.get_by_text("Add the first network")).to_be_visible()

    add_network(page, "resnet-18", "ResNet-18, 224x224")
    add_network(page, "bert-base-64", "BERT-base, 64 tokens")
    add_network(page, "vgg-11", "VGG-11, 224x224")
    page.get_by_role("button", name="Remove BERT-base, 64 tokens").click()
    expect(page.locator("#scenario-models")).not_to_contain_text("BERT-base")
    page.get_by_label("Batch of ResNet-18").fill("0")
    expect(page.get_by_text("Must be a whole number from 1 to")).to_be_visible()
    expect(page.locator("#scenario-explore")).to_be_disabled()
    shot(page, "scenario-mistake")
    page.get_by_label("Batch of ResNet-18").fill("4")
    page.get_by_label("Rate of ResNet-18").fill("30")
    page.get_by_label("Priority of VGG-11").fill("1")
    page.get_by_label("Title").fill("Two cameras")
    expect(page.locator("#scenario-where")).to_contain_text("version 1 of ada/two-cameras")
    expect(page.locator("#scenario-summary")).to_contain_text("54.4")
    shot(page, "scenario")

    page.get_by_role("button", name="Save and explore").click()
    expect(page).to_have_url(re.compile(r"/new\?.*workload=ada/two-cameras"))
    expect(page.locator("#new-summary")).to_contain_text("Two cameras")
    expect(page.locator("#new-summary")).to_contain_text("does not use the rates and priorities")
    fill_evaluations(page, "500")
    page.locator("#new-start").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    expect(page.locator("#run-header")).to_have_text("Done", timeout=RUN_MS)
    expect(page.locator("#run-grid .main-svg").first).to_be_visible()
    shot(page, "scenario-done")

    page.goto(re.sub(r"/runs/.*", "/catalogue/workload/ada/two-cameras", page.url))
    page.get_by_role("link", name="Edit", exact=True).click()
    expect(page.get_by_role("heading", name="Edit Two cameras")).to_be_visible()
    expect(page.get_by_label("Rate of ResNet-18")).to_have_value("30")
    page.get_by_label("Rate of ResNet-18").fill("60")
    expect(page.locator("#scenario-where")).to_contain_text("version 2")
    expect(page.locator("#scenario-summary")).to_contain_text("109")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page).to_have_url(re.compile(r"/catalogue/workload/ada/two-cameras"))
    expect(page.get_by_text("v2, current")).to_be_visible()
