"""Networks that learn on or for a device: from a new exploration of few and small ones to what only their engine shows."""

import importlib.util
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RUN_MS
from tests.support.site import Site

pytestmark = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="networks learn by torch")
Shot = Callable[[Page, str], None]


def explored(page: Page, site: Site, engine: str, little: Mapping[str, str], shot: Shot) -> None:
    """Fill a form in, start, and see the front of the run that a worker did."""
    page.goto(f"{site.url}/new?engine={engine}")
    expect(page.locator("#new-command")).to_contain_text(engine)
    shot(page, f"{engine}-form")
    page.locator("summary", has_text="For experts").click()
    for label, value in little.items():
        field = page.get_by_label(label, exact=True)
        field.fill(value)
        field.press("Tab")
    value = list(little.values())[-1]
    expect(page.locator("#new-command")).to_contain_text(f"={value}")
    page.locator("#new-start").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    expect(page.locator("#run-header")).to_contain_text("Done", timeout=RUN_MS)
    expect(page.locator("#run-front .js-plotly-plot")).to_be_visible()
    shot(page, f"{engine}-run")
    page.locator("#run-short-list tbody tr").first.click()
    expect(page).to_have_url(re.compile(r"design=\d+"))


@pytest.mark.long
def test_a_pruned_network_lives_with_its_user(
    site: Site, sign_in: Callable[[str], Page], shot: Shot, tmp_path: Path
) -> None:
    page = sign_in("grace")
    little = {"Filters": "8", "Convolutions of a block": "1", "Images of a class and block": "10", "Evaluations": "8"}
    explored(page, site, "myml", little, shot)
    told = page.get_by_role("heading", name=re.compile("system over time|has no traces", re.IGNORECASE)).first
    run = page.url.partition("?")[0]
    for design in range(12):  # the original network lives with nobody
        page.goto(f"{run}?design={design}&tab=traces")
        expect(told).to_be_visible()
        if "over time" in told.inner_text().lower():
            break
    assert "over time" in told.inner_text().lower()
    shot(page, "myml-traces")
    page.get_by_role("tab", name="Data").click()
    with page.expect_download() as downloading:
        page.get_by_role("link", name="original.safetensors").click()
    file = tmp_path / "original.safetensors"
    downloading.value.save_as(file)
    page.goto(f"{site.url}/catalogue/upload")
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Choose a file").click()
    choosing.value.set_files(file)
    page.get_by_role("link", name="Start a run with it").click(timeout=RUN_MS)
    expect(page.get_by_text("parts.0.weight: Must be 12 x 1 x 3 x 3. Got 8 x 1 x 3 x 3 instead")).to_be_visible()
    page.locator("summary", has_text="For experts").click()
    for label in ("Filters", "Convolutions of a block"):
        page.get_by_label(label, exact=True).fill(little[label])
        page.get_by_label(label, exact=True).press("Tab")
    expect(page.locator("#new-summary")).to_contain_text("it is not trained")
    shot(page, "myml-weights")


@pytest.mark.long
def test_a_network_with_an_exit_comes_as_c_code(site: Site, sign_in: Callable[[str], Page], shot: Shot) -> None:
    page = sign_in("grace")
    explored(page, site, "eexnas", {"Samples": "64", "Epochs": "3", "Networks": "12"}, shot)
    page.get_by_role("tab", name="Data").click()
    expect(page.get_by_text("network.c").first).to_be_visible()
    expect(page.get_by_text("The best weighted sum").first).to_be_visible()
    shot(page, "eexnas-data")


@pytest.mark.long
def test_a_private_network_says_what_its_budgets_cost(site: Site, sign_in: Callable[[str], Page], shot: Shot) -> None:
    page = sign_in("grace")
    little = {
        "Width": "0.25", "Clean training": "1", "Joint training": "2", "Training of the server's side": "1", "Designs": "3",
    }  # fmt: skip
    explored(page, site, "privynas", little, shot)
    page.get_by_role("tab", name="Data").click()
    expect(page.get_by_text("This network and cut at every budget").first).to_be_visible()
    shot(page, "privynas-data")
