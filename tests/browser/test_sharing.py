"""Two people: one invites and shares, the other joins, and looks by a link without an account."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import SLOW_MS
from tests.browser.tabs import open_tab
from tests.support.site import Site


def other_browser(browser: Browser, site: Site, name: str = "") -> Page:
    """A page of another browser, in which somebody is signed in, or nobody."""
    page = browser.new_context(locale="en-GB", reduced_motion="reduce").new_page()
    page.set_default_timeout(SLOW_MS)
    if name:
        page.goto(f"{site.url}/accounts/login/")
        page.get_by_label("Username").fill(name)
        page.get_by_label("Password").fill(site.passwords[name])
        page.get_by_role("button", name="Sign in").click()
        expect(page).to_have_url(f"{site.url}/")
    return page


@pytest.mark.long
def test_an_invitation_leads_into_the_project(site: Site, sign_in: Callable[[str], Page], browser: Browser) -> None:
    ann, bob = sign_in("ada"), other_browser(browser, site, "grace")
    ann.goto(f"{site.url}/team")
    ann.get_by_label("Name of a new project").fill("Shared bench")
    ann.get_by_role("button", name="Create").click()
    expect(ann.get_by_role("heading", name="Shared bench")).to_be_visible()
    ann.get_by_label("Whom to invite").fill("grace")
    ann.get_by_role("button", name="Invite").click()
    link = ann.get_by_label("Link of the invitation").input_value()
    bob.goto(f"{site.url}/{link.split('/', 3)[3]}")
    bob.get_by_role("button", name="Join as grace").click()
    expect(bob.get_by_role("heading", name="Shared bench")).to_be_visible()
    expect(bob.get_by_text("2 members")).to_be_visible()
    bob.context.close()


def test_a_shared_run_opens_without_an_account(site: Site, sign_in: Callable[[str], Page], browser: Browser) -> None:
    ann = sign_in("demo")
    ann.goto(site.url + site.first_run)
    ann.get_by_role("button", name="Share").click()
    ann.get_by_role("button", name="Make a link").click()
    link = ann.get_by_label("Read-only link").input_value()
    guest = other_browser(browser, site)
    refused: list[str] = []
    guest.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    guest.goto(f"{site.url}/{link.split('/', 3)[3]}")
    expect(guest).to_have_url(re.compile(re.escape(site.first_run)))
    expect(guest.get_by_text("Read-only link")).to_be_visible()
    expect(guest.locator("#run-front .main-svg").first).to_be_visible()
    for name in ("Start from this", "Export", "Share", "Compare"):
        expect(guest.get_by_text(name, exact=True)).to_be_hidden()
    open_tab(guest, "Provenance")
    expect(guest.get_by_text("Repeat it")).to_be_visible()
    assert refused == [], "nothing on the page asks for what the link does not open"
    ann.get_by_role("button", name="Revoke").first.evaluate(
        "button => { window.confirm = () => true; button.click(); }"
    )
    expect(ann.get_by_role("button", name="Revoke")).to_have_count(0)
    guest.reload()
    expect(guest.get_by_role("button", name="Sign in")).to_be_visible()
    guest.context.close()
