"""Official hardware: an administrator edits it, sees which runs are out of date, and has them computed before and after."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.site import Site

# An official document of the name, and a run of the administrator that pins its first version.
SETUP = """
from django.contrib.auth.models import User
from webapp.catalogue import official_documents as official
from webapp.catalogue.service import copy_of, store_version
from webapp.runs import service
root = User.objects.filter(username="root").first() or User.objects.create_superuser("root", password="PASSWORD")
ada = User.objects.get(username="ada")
own = copy_of(ada, "hardware", "simba-3x3-nvdla") | {"slug": "SLUG", "title": "Board"}
official.promote(root, store_version(ada, ada.personal_project, "hardware", own).document, "Measured twice")
params = {"search": "greedy", "baselines": False, "joint_states": 0, "n_splits": 0}
problem = {"engine": "scar", "inputs": {"hardware": "official/SLUG", "workload": "xrbench-scenario-10"}, "params": params}
service.start(root, problem, project=root.personal_project)
"""
PASSWORD = "root-has-a-password"


def official(site: Site, slug: str) -> None:
    code = SETUP.replace("PASSWORD", PASSWORD).replace("SLUG", slug)
    site.python("manage.py", "shell", "--no-imports", "-c", code)
    site.passwords["root"] = PASSWORD


def change_clock(page: Page, megahertz: int, reason: str) -> None:
    clock = page.get_by_label("Clock", exact=True)
    clock.fill(str(megahertz))
    clock.press("Tab")
    expect(page.get_by_label("The document as YAML")).to_have_value(re.compile(f"clock_mhz: {megahertz}"))
    expect(page.locator("#hardware-difference")).to_contain_text(str(megahertz))
    page.get_by_label("Reason").fill(reason)


@pytest.mark.long
def test_an_administrator_edits_and_runs_again_what_is_out_of_date(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    official(site, "board")
    page = sign_in("root")
    page.goto(f"{site.url}/admin/catalogue/document/?project__official=1")
    page.get_by_role("link", name="board").click()
    page.get_by_role("link", name="Edit form and YAML").click()
    change_clock(page, 612, "As the data sheet has it")
    page.locator("#hardware-save").click()
    said = page.locator("#hardware-saved")
    expect(said).to_contain_text("Saved as version 2 of official/board.")
    expect(said).to_contain_text("1 run with an older version")
    expect(said.get_by_role("button", name="2 runs")).to_be_in_viewport()
    shot(page, "official-saved")
    said.get_by_role("button", name="2 runs").click()
    said.get_by_role("link", name=re.compile("board: version 1 and 2")).click()
    expect(page.get_by_role("heading", name=re.compile("board: version 1 and 2"))).to_be_visible()


@pytest.mark.long
def test_the_second_of_two_to_save_loses_nothing(site: Site, sign_in: Callable[[str], Page], browser: Browser) -> None:
    official(site, "shared-board")
    address = f"{site.url}/hardware/new?from=official/shared-board"
    first = sign_in("root")
    second = browser.new_context().new_page()
    second.goto(f"{site.url}/accounts/login/")
    second.get_by_label("Username").fill("root")
    second.get_by_label("Password").fill(PASSWORD)
    second.get_by_role("button", name="Sign in").click()
    second.wait_for_url(lambda url: "login" not in url)
    for page, megahertz, reason in ((first, 612, "First"), (second, 655, "Second")):
        page.goto(address)
        change_clock(page, megahertz, reason)
    first.locator("#hardware-save").click()
    expect(first.locator("#hardware-saved")).to_contain_text("Saved as version 2")
    second.locator("#hardware-save").click()
    said = second.locator("#hardware-saved")
    expect(said).to_contain_text("saved version 2 while you were editing")
    expect(said).to_contain_text("Their reason: First")
    second.get_by_role("button", name="Continue editing").click()
    expect(said).to_be_empty()
    expect(second.get_by_label("Clock", exact=True)).to_have_value("655")
    second.locator("#hardware-save").click()
    second.get_by_role("button", name="Save mine as version 3").click()
    expect(said).to_contain_text("Saved as version 3 of official/shared-board.")

    change_clock(first, 700, "Once more")
    first.locator("#hardware-save").click()
    first.get_by_role("button", name="Take theirs").click()
    expect(first.get_by_label("Clock", exact=True)).to_have_value("655")
    expect(first.locator("#hardware-difference")).to_contain_text("No difference to version 3")
    second.context.close()
