"""One's own measurements: files are chosen, a mistake is told by line, the rails are asked for, the fit is seen and saved."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import RUN_MS, Watch
from tests.support.site import Site

LOG = "EMC_FREQ 20%@2133 GR3D_FREQ 99%@1377 GPU 12000/12000 VDDRQ 2000/2000\n" * 5
LAYERS = (
    "features.0,gpu,0.5\nfeatures.2,gpu,1.6\nfeatures.5,gpu,0.9\nfeatures.34,gpu,0.4\n,gpu,20.0\nReformat,gpu,0.2\n"
)


def choose(page: Page, label: str, file: Path) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=f"Choose: {label}").click()
    chooser.value.set_files(file)


@pytest.mark.long
def test_measurements_become_a_calibration(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None], watch: Watch, tmp_path: Path
) -> None:
    watch.expected.append("400")  # the browser tells of refusals on its console
    good, bad, log = tmp_path / "layers.csv", tmp_path / "bad.csv", tmp_path / "power.log"
    good.write_text("layer,unit,latency_ms\n" + LAYERS)
    bad.write_text("layer,unit,latency_ms\nfeatures.0,gpu,nan\n")
    log.write_text(LOG)
    page = sign_in("ada")
    page.goto(f"{site.url}/catalogue?kind=calibration")
    page.get_by_role("link", name="Calibrate with your measurements").click()
    expect(page.get_by_role("heading", name="Calibrate with your measurements")).to_be_visible()
    page.get_by_role("textbox", name="Network").fill("VGG-19")
    page.get_by_role("option", name="VGG-19").first.click()

    choose(page, "Measurements", bad)
    page.get_by_role("button", name="Show the fit").click()
    refused = page.get_by_label("bad.csv is refused")
    expect(refused).to_contain_text("latency_ms")
    expect(refused).to_contain_text("nan")

    choose(page, "Measurements", good)
    choose(page, "Power log", log)
    page.get_by_role("button", name="Show the fit").click()
    rails = page.get_by_label("Which rails count?")
    rails.get_by_label("GPU").check()
    rails.get_by_role("button", name="Show the fit with these rails").click()
    fit = page.get_by_label("layers.csv: 10 rows")
    expect(fit).to_contain_text("Not saved yet", timeout=RUN_MS)
    expect(page.get_by_label("Lines left out")).to_contain_text("Reformat")
    expect(page.get_by_label("Residuals")).to_be_visible()
    fit.get_by_label("Title").fill("My board")
    shot(page, "5-calibrate")
    fit.get_by_role("button", name="Save as a calibration").click()
    expect(fit).to_contain_text("ada/my-board@1")

    fit.get_by_role("link", name="Start a run with it").click()
    expect(page).to_have_url(re.compile(r"/new\?.*calibration=ada"))
    expect(page.locator("#new-summary")).to_contain_text("My board")
