"""A dropped network over the survey to a board, whose measured values one's own join, and on to a mapping."""

import base64
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RUN_MS
from tests.engines.workloads.importing.onnx.onnx_models import convolutional
from tests.support.site import Site

DROP = """([selector, name, data]) => {
    const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0)), list = new DataTransfer();
    list.items.add(new File([bytes], name));
    document.querySelector(selector).dispatchEvent(new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: list}));
}"""
TABLE = "Board,Model,dtype,engine,result\nRK3588,ResNet-50,int8,ours,45\nRK3588,nobodynet,int8,ours,45\n"


def drop(page: Page, selector: str, name: str, data: bytes) -> None:
    page.evaluate(DROP, [selector, name, base64.b64encode(data).decode()])


@pytest.mark.long
def test_a_dropped_network_reaches_a_board_its_measured_values_and_a_mapping(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None], tmp_path: Path
) -> None:
    page = sign_in("ada")
    page.goto(f"{site.url}/survey")
    expect(page.locator("#upload-place")).to_be_visible()
    drop(page, "#upload-place", "small.onnx", convolutional())
    explore = page.locator("tr", has_text="Jetson AGX Xavier").first.get_by_role("link", name="Explore")
    expect(explore).to_be_visible(timeout=RUN_MS)
    survey = page.url

    page.goto(f"{site.url}/catalogue/hardware/rk3588")
    page.get_by_role("tab", name="Measured").click()
    expect(page.locator("#board-measured .point").first).to_be_attached()
    expect(page.locator("#board-measured")).to_contain_text("the median error is")
    page.get_by_role("link", name="Import measured values").click()
    expect(page.locator("#values-show")).to_be_visible()
    drop(page, "#values-file", "ours.csv", TABLE.encode())
    page.locator("#values-show").click()
    page.get_by_role("textbox", name="Column of value", exact=True).click()
    page.get_by_role("option", name="result").click()
    page.get_by_role("textbox", name="Unit of value", exact=True).click()
    page.get_by_role("option", name="fps", exact=True).click()
    page.get_by_label("Source", exact=True).fill("Our lab, 2026")
    page.get_by_label("Licence", exact=True).first.fill("CC0-1.0")
    page.locator("#values-again").click()
    expect(page.get_by_label("1 refused value")).to_contain_text("no network nobodynet")
    shot(page, "measured-values-import")
    page.get_by_role("button", name="Import 1 value, skip 1").click()
    page.get_by_role("link", name="Open rk3588").click()
    expect(page.get_by_label("Imported files")).to_contain_text("Our lab, 2026")
    expect(page.locator("#board-measured .legendtext", has_text="imported")).to_be_attached()
    shot(page, "measured-values-board")

    page.goto(survey)
    explore.click()
    page.locator("#new-start").click()
    expect(page).to_have_url(re.compile(r"/runs/\d+"))
    expect(page.locator("#run-header")).to_contain_text("Done", timeout=RUN_MS)
    page.locator("#run-short-list tbody tr.click").last.click()
    expect(page).to_have_url(re.compile(r"design=\d+"))
