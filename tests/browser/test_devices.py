"""A machine is measured by the one command, and its measured points stand on the page beside what the model predicts."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.support.site import Site

COMMAND = (
    "manage.py", "measure-here", "--user", "ada", "--name", "Bench box", "--threads", "1", "--seconds", "0.3",
    "--networks", "digits-chain", "ecg-cnn-512", "activity-cnn-128", "--accept-load", "999",
)  # fmt: skip


def test_what_a_device_measured_is_shown_and_its_agent_ended(site: Site, sign_in: Callable[[str], Page]) -> None:
    assert "What costs most accuracy" in site.python(*COMMAND)
    page = sign_in("ada")
    page.goto(f"{site.url}/devices")
    row = page.get_by_role("row").filter(has_text="digits-chain")
    expect(row).to_contain_text(re.compile(r"0\.\d+.*0\.\d+ – 0\.\d+.*0\.\d+.*[+−]\d+\.\d %"))
    page.get_by_role("button", name="Revoke the agent").click()
    expect(page.get_by_text("gets nothing more")).to_be_visible()
    expect(page.get_by_role("button", name="Allow the agent again")).to_be_visible()
    page.get_by_role("link", name="calibration", exact=True).click()
    expect(page.get_by_role("heading", name="Residuals")).to_be_visible()
