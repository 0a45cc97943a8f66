"""What somebody sees who may not: another project's run, and a page whose session has ended."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import Watch
from tests.support.site import Site


def test_a_foreign_run_looks_like_one_that_does_not_exist(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None], watch: Watch
) -> None:
    watch.expected.append("404")  # the browser tells of it on its console
    page = sign_in("grace")
    page.goto(site.url + site.first_run)
    main = page.locator("main")
    expect(main).to_contain_text("There is no such run here")
    shot(page, "4-foreign-run")
    foreign = main.inner_text()
    page.goto(f"{site.url}/runs/999999")
    expect(main).to_have_text(re.compile("There is no such run here"))
    expect(main).to_have_text(foreign, use_inner_text=True)
    for path in ("designs.csv", "problem.json", "schedule.json?design=0"):
        answers = [page.request.get(f"{site.url}/api/v1/runs/{run}/{path}") for run in (site.first_run[6:], "999999")]
        assert [answer.status for answer in answers] == [404, 404]


def test_a_page_whose_session_has_ended_asks_to_sign_in(
    site: Site, sign_in: Callable[[str], Page], shot: Callable[[Page, str], None], watch: Watch
) -> None:
    watch.expected += ["401", "body stream already read"]  # Dash reads a refusal twice, if the page is still there
    page = sign_in("demo")
    page.goto(site.url + site.first_run)
    expect(page.locator("#run-schedule .main-svg").first).to_be_visible()
    page.context.clear_cookies(name="sessionid")
    # The next callback is one of the page's own, a look at the workers: nothing needs to be clicked, and the page stays.
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    expect(page.get_by_role("link", name="Sign in").first).to_have_attribute("target", "_blank")
    expect(page).to_have_url(re.compile(re.escape(site.first_run)))
    shot(page, "4-signed-out")
