"""Point 1 of what a new user does: follow the link that `make up` printed, with the password that it printed."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.support.site import Site


def test_the_printed_link_and_password_lead_to_the_first_result(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None]
) -> None:
    page = sign_in("demo")
    answer = page.goto(site.url + site.first_run)
    assert answer
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    script_sources = policy.partition("script-src")[2].partition(";")[0]
    assert "unsafe" not in script_sources
    expect(page.locator("#run-header")).to_have_text("Done")
    expect(page.locator("#run-schedule .main-svg").first).to_be_visible()
    expect(page.locator("#run-grid .main-svg").first).to_be_visible()
    expect(page.locator("#run-front .main-svg").first).to_be_visible()
    expect(page.get_by_text("2 of 2 workers")).to_be_visible()
    shot(page, "1-first-result")
    page.get_by_role("button", name="Switch between light and dark").click()
    expect(page.locator("#run-front .main-svg").first).to_be_visible()
    shot(page, "1-first-result-dark")
