"""A machine is measured by the one command, and its measured points stand on the page beside what the model predicts.

Then designs of a run on that machine are asked for by a click, a real agent measures them, and they appear on the front.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.agent.test_end_to_end import run_agent
from tests.browser.pictures import in_both_schemes
from tests.browser.tabs import open_tab
from tests.browser.test_accessibility import accessible
from tests.browser.test_sharing import other_browser
from tests.support.site import Site

COMMAND = (
    "manage.py", "measure-here", "--user", "ada", "--name", "Bench box", "--threads", "1", "--seconds", "0.3",
    "--networks", "digits-chain", "ecg-cnn-512", "activity-cnn-128", "--accept-load", "999",
)  # fmt: skip
DEVICE = "ada/measured-bench-box-1-thread"
RUN = (
    "manage.py", "explore", "split-network", "--user", "ada", "--hardware", DEVICE, "--workload", "activity-cnn-128", "--input",
    f"calibration={DEVICE}", "--input", "radio=wifi-smartphone", "--set", "compression=1", "--title", "Cuts on the bench box",
)  # fmt: skip
DRAWN = """() => {
  const plot = document.querySelector("#run-front .js-plotly-plot");
  return plot?.data?.some((each) => each.meta === "measured" && each.x.length > 0);
}"""
TOKEN = """
from django.contrib.auth.models import User
from webapp.api.tokens import make_token
from webapp.teams.visibility import personal_project
ada = User.objects.get(username="ada")
print("TOKEN", make_token(ada, "Bench", "agent", personal_project(ada).slug)[1])
"""


@pytest.mark.long
def test_what_a_device_measured_is_shown_beside_what_was_predicted_and_its_agent_ended(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    assert "Largest error source" in site.python(*COMMAND)
    page = sign_in("ada")
    page.goto(f"{site.url}/devices")
    row = page.get_by_role("row").filter(has_text="digits-chain")
    expect(row).to_contain_text(re.compile(r"0\.\d+.*0\.\d+ – 0\.\d+.*0\.\d+.*[+−]\d+\.\d %"))
    measure_designs(site, page, shot)
    page.goto(f"{site.url}/devices")
    page.get_by_role("button", name="Revoke the agent").click()
    expect(page.get_by_text("gets nothing more")).to_be_visible()
    expect(page.get_by_role("button", name="Allow the agent again")).to_be_visible()
    page.get_by_role("link", name="calibration", exact=True).click()
    expect(page.get_by_role("heading", name="Residuals")).to_be_visible()


def measure_designs(site: Site, page: Page, shot: Callable[[Page, str], None]) -> None:
    """Measure designs of a run: a click asks for the front, an agent measures it, and it appears without a reload."""
    found = re.search(r"(/runs/\d+)", words := site.python(*RUN))
    assert found, words
    page.goto(f"{site.url}{found[1]}")
    page.get_by_role("button", name="Measure these designs on a machine").first.click()
    page.locator(".mantine-MultiSelect-input").click(
        position={"x": 220, "y": 14}
    )  # beside the names, which it takes away
    page.get_by_role("option", name="Bench box, 2 threads").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Measure these designs", exact=True).click()
    expect(page.locator("#measured-told")).to_contain_text("for the agent of Bench box")
    expect(page.get_by_role("row").filter(has_text="Bench box, 1 thread").first).to_contain_text("waiting")
    token = re.search(r"TOKEN (\S+)", words := site.python("manage.py", "shell", "--no-imports", "-c", TOKEN))
    assert token, words
    agent = run_agent(site.url, token[1], "Bench box")
    assert agent.returncode == 0, agent.stderr
    row = page.get_by_role("row").filter(has_text="Bench box, 1 thread").first
    expect(row).to_contain_text(re.compile(r"\d – \d.*\d+\.\d.%.*measured"))
    expect(page.get_by_text(re.compile("prediction error"))).to_be_visible()
    in_both_schemes(page, shot, "measured-tab")
    accessible(page)
    page.get_by_role("tab", name="Overview").click()
    page.wait_for_function(DRAWN)
    in_both_schemes(page, shot, "measured-front")
    page.get_by_role("tab", name=re.compile("Designs")).click()
    one = page.get_by_role("columnheader", name=re.compile("Measured, Bench box, 1 thread"))
    expect(one).to_be_visible()
    expect(page.get_by_role("columnheader", name=re.compile("Measured, Bench box, 2 threads"))).to_be_visible()
    one.click()
    expect(page).to_have_url(re.compile(r"sort=measured\.bench-box\.1%3Aasc"))
    in_both_schemes(page, shot, "measured-table")
    seen_by_a_guest(site, page, shot)


def seen_by_a_guest(site: Site, page: Page, shot: Callable[[Page, str], None]) -> None:
    """Look as a guest with a link: measurements are shown, and nothing to measure with."""
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_label("Read-only link").input_value()
    assert page.context.browser is not None
    guest = other_browser(page.context.browser, site)
    guest.goto(f"{site.url}/{link.split('/', 3)[3]}")
    guest.wait_for_function(DRAWN)
    shot(guest, "measured-guest")
    open_tab(guest, "Measured")
    expect(guest.get_by_role("row").filter(has_text="Bench box, 2 threads").first).to_contain_text("measured")
    expect(guest.get_by_role("button", name="Measure these designs", exact=True)).to_be_hidden()
    guest.context.close()
