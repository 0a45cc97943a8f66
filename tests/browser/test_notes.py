"""People talk about a run: a note on a design, a mention that the other one sees, what a link shows of it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.tabs import open_tab
from tests.browser.test_sharing import other_browser
from tests.support.site import Site

_JOIN = """
from django.contrib.auth.models import User
from webapp.runs.models import Run
from webapp.teams.models import Membership
run = Run.objects.get(pk={run})
Membership.objects.get_or_create(project=run.project, user=User.objects.get(username="{name}"), role="viewer")
"""


def write(page: Page, words: str) -> None:
    page.get_by_role("textbox", name="Note", exact=True).fill(words)
    page.get_by_role("button", name="Add note").click()


def test_a_remark_on_a_design_and_tags_are_seen_at_once(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    page.goto(site.url + site.first_run)
    page.get_by_role("button", name="A note on this design").click()
    page.get_by_text("Pin to the design").click()
    write(page, "Too **hot** for <b>us</b>, @nina")
    note = page.locator(".note").last
    expect(note.locator("strong")).to_have_text("hot")
    expect(note).to_contain_text("<b>us</b>")
    expect(page.get_by_text("@nina cannot see this item")).to_be_visible()
    page.get_by_role("tab", name="Overview").click()
    page.wait_for_function(
        "() => (document.querySelector('#run-front .js-plotly-plot').data || []).some(trace => trace.meta === 'remarks')"
    )
    page.get_by_role("button", name="Set tags").click()
    page.get_by_role("textbox", name="Tags").fill("paper")
    page.get_by_role("textbox", name="Tags").press("Enter")
    expect(page.locator("#talk-tags .tag")).to_have_text(["paper"])
    page.get_by_role("button", name="Close").first.click()
    star = page.get_by_role("button", name="Star")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")


@pytest.mark.long
def test_who_is_mentioned_hears_of_it_and_a_link_shows_it(
    site: Site, sign_in: Callable[[str], Page], browser: Browser
) -> None:
    demo = sign_in("demo")
    site.python(
        "manage.py", "shell", "--no-imports", "-c", _JOIN.format(run=site.first_run.split("/")[-1], name="grace")
    )
    demo.goto(f"{site.url}{site.first_run}?tab=notes")
    write(demo, "What do you think, @grace?")
    expect(demo.locator(".note").last).to_contain_text("@grace?")
    grace = other_browser(browser, site, "grace")
    grace.get_by_role("link", name=re.compile("Notices")).click()
    grace.get_by_role("link", name="Scenario 4 on Het-Sides").first.click()
    expect(grace.locator(".note").last).to_contain_text("What do you think")
    expect(grace.get_by_role("button", name="Add note")).to_have_count(0)
    grace.goto(f"{site.url}/notices")
    expect(grace.get_by_text("What do you think")).to_be_visible()
    expect(grace.get_by_role("button", name="Mark all as read")).to_have_count(0)
    demo.get_by_role("button", name="Share").click()
    demo.get_by_role("button", name="Make a link").click()
    link = demo.get_by_label("Read-only link").input_value()
    guest = other_browser(browser, site)
    guest.goto(f"{site.url}/{link.split('/', 3)[3]}?")
    open_tab(guest, "Notes")
    expect(guest.locator(".note").last).to_contain_text("What do you think")
    for name in ("Add note", "Change the note", "Delete the note", "Star", "Set tags"):
        expect(guest.get_by_role("button", name=name)).to_have_count(0)
    for other in (grace, guest):
        other.context.close()
