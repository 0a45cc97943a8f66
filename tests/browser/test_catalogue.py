"""The catalogue: a network is found, compared layer by layer, and explored with; hardware is looked at and compared."""

import contextlib
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.browser.conftest import Watch
from tests.browser.pictures import in_both_schemes
from tests.browser.test_accessibility import accessible, settle
from tests.support.site import Site


def click_last_layer(page: Page, heat: Locator, detail: Locator) -> None:
    """Click at the right end of the heat map; again where the click met a picture that was just being drawn again."""
    last = detail.filter(has_text="2048 × 1000")
    for _ in range(20):
        box = heat.locator(".nsewdrag").first.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] - 4, box["y"] + box["height"] / 2)
        with contextlib.suppress(PlaywrightTimeoutError):
            last.wait_for(timeout=5000)
            return
    expect(detail).to_contain_text("2048 × 1000")


@pytest.mark.long
def test_a_network_is_found_compared_and_explored_with(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("grace")
    page.goto(f"{site.url}/")
    page.get_by_role("link", name="Catalogue", exact=True).click()
    page.get_by_role("link", name="Workloads", exact=True).click()
    rows = page.locator("#catalogue-table .ag-center-cols-container .ag-row")
    expect(rows.first).to_be_visible()
    page.get_by_label("Filter workloads by words").fill("resnet-50 224")
    expect(page).to_have_url(re.compile(r"q=resnet-50"))
    link = page.get_by_role("link", name=re.compile("^ResNet-50, 224.224"))
    expect(link).to_be_visible()
    shot(page, "5-workloads-filtered")
    link.focus()
    page.keyboard.press("Enter")

    # Totals, heat map, the whole network and the first layer stand there without a further click.
    expect(page).to_have_url(f"{site.url}/catalogue/workload/resnet50")
    expect(page.get_by_role("heading", name=re.compile("ResNet-50"))).to_be_visible()
    heat, detail = page.locator("#layers-heat"), page.locator("#layers-detail")
    expect(heat.locator(".main-svg").first).to_be_visible()
    sentence = heat.locator("[role=img]")
    expect(sentence).to_have_attribute("aria-label", re.compile("^EDP of 54 layers"))
    expect(detail).to_contain_text("3 × 230 × 230")
    accessible(page)
    in_both_schemes(page, shot, "5-workload")

    # Another quantity, another layer: by keyboard, by button, by a click on the heat map.
    page.get_by_role("radiogroup", name="Shown metric").get_by_text("Latency").click()
    expect(sentence).to_have_attribute("aria-label", re.compile("^Latency of 54 layers"))
    page.get_by_role("button", name="Next layer").click()
    expect(detail).to_contain_text("64 × 56 × 56")
    click_last_layer(page, heat, detail)
    expect(page).to_have_url(re.compile(r"show=latency.*layer=54"))
    page.goto(page.url)
    expect(detail).to_contain_text("2048 × 1000")
    page.get_by_role("tab", name="Layers 54").click()
    table = page.locator("#layers-table .ag-center-cols-container .ag-row")
    expect(table.first).to_contain_text("conv1")
    shot(page, "5-layers")
    page.get_by_role("tab", name="Graph").click()
    expect(page.locator("#document-graph .main-svg").first).to_be_visible()
    shot(page, "5-graph")
    with page.expect_download() as download:
        page.get_by_role("link", name="YAML").click()
    assert "schema: network/1" in download.value.path().read_text()

    page.get_by_role("link", name="Explore with this").click()
    expect(page).to_have_url(re.compile(r"/new\?.*workload=resnet50"))
    expect(page.locator("#new-summary")).to_contain_text("ResNet-50")
    expect(page.locator("#new-start")).to_be_enabled()


def test_hardware_is_looked_at_and_compared(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("grace")
    page.goto(f"{site.url}/")
    page.get_by_role("link", name="Catalogue", exact=True).click()
    expect(page).to_have_url(f"{site.url}/catalogue")
    page.get_by_label("Filter hardware by words").fill("xavier")
    page.get_by_role("link", name=re.compile("NVIDIA Jetson AGX Xavier")).first.click()
    picture = page.locator("#document-picture [role=img]")
    expect(picture).to_have_attribute("aria-label", re.compile("neural accelerator"))
    expect(page.locator("#document-ladder .main-svg").first).to_be_visible()
    expect(page.locator("main")).to_contain_text("mode-15w")
    accessible(page)
    in_both_schemes(page, shot, "5-soc")

    page.goto(f"{site.url}/catalogue/hardware/simba-3x3-het-sides?tab=versions&versus=simba-3x3-nvdla")
    differences = page.locator("#document-differences")
    expect(differences).to_contain_text("package.layout")
    expect(differences).to_contain_text("N S N, N S N, N S N")
    shot(page, "5-differences")
    page.get_by_role("tab", name=re.compile("^Figures")).click()
    expect(page.locator("#document-panel")).to_contain_text("GB/s per interface")
    shot(page, "5-figures")


@pytest.mark.long  # a run of others is asked for at every change (test_strangers.py), every page without a browser
def test_a_foreign_document_looks_like_one_that_does_not_exist(
    site: Site, sign_in: Callable[[str], Page], watch: Watch
) -> None:
    watch.expected.append("404")  # the browser tells of it on its console
    page = sign_in("grace")
    site.python("manage.py", "shell", "--no-imports", "-c", STORE)
    main = page.locator("main")
    texts = []
    for name in ("ada/hidden-package", "ada/no-such-package"):
        page.goto(f"{site.url}/catalogue/hardware/{name}")
        expect(main).to_contain_text("This hardware does not exist here")
        settle(page)
        texts.append(main.inner_text())
        answer = page.request.get(f"{site.url}/api/v1/documents/hardware/{name[4:]}/document.yaml?project=ada")
        assert answer.status == 404
    assert texts[0] == texts[1]


STORE = """
from django.contrib.auth.models import User
from webapp.catalogue.service import copy_of, store_version
from webapp.teams.visibility import personal_project
ada = User.objects.get(username="ada")
content = {**copy_of(ada, "hardware", "simba-3x3-nvdla"), "slug": "hidden-package"}
store_version(ada, personal_project(ada), "hardware", content)
"""
