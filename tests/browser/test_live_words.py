"""What stays true on a page that stays open, and Back within a run."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, expect

from frontend.components.moment import moment, since
from tests.browser.tabs import open_tab
from tests.support.site import Site

_PASSED_S = (0, 5, 59, 61, 3599, 3601, 86_399, 90_000, 172_801, 40_000_000)
_WORDS = """([kind, moments]) => moments.map(moment => {
  const node = Object.assign(document.createElement("time"), { dateTime: moment });
  node.setAttribute(kind, "");
  document.body.append(node);
  paretoscopeTimes.look();
  return node.textContent;
})"""


def test_back_leads_through_the_tabs_and_times_pass(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}/changes")
    shown = page.locator("time[data-ago]").first
    before = shown.inner_text()
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 7200e3; }")
    expect(shown).not_to_have_text(before)
    page.goto(site.url + site.first_run)
    tab = page.get_by_role("tab", selected=True)
    for name in ("Convergence", "Log"):
        open_tab(page, name)
        expect(page).to_have_url(f"{site.url}{site.first_run}?tab={name.lower()}")
    for name in ("Convergence", "Overview"):
        page.evaluate("history.back()")
        expect(tab).to_have_text(name)
    page.evaluate("history.forward()")
    expect(tab).to_have_text("Convergence")


def test_the_script_says_what_the_server_says(site: Site, sign_in: Callable[[str], Page]) -> None:
    page = sign_in("demo")
    page.goto(f"{site.url}/changes")
    now = datetime.now(UTC).replace(microsecond=0)
    page.evaluate("now => { Date.now = () => now; }", int(now.timestamp() * 1000))  # both clocks stand still
    moments = [now - timedelta(seconds=passed) for passed in _PASSED_S]
    texts = [each.isoformat() for each in moments]
    assert page.evaluate(_WORDS, ["data-ago", texts]) == [moment(each, now).children for each in moments]
    assert page.evaluate(_WORDS, ["data-since", texts]) == [since(each, now).children for each in moments]
