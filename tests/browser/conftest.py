"""Chromium, signed in on the real site; every page is watched for console errors and calls to other machines."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect

from tests.browser import pictures
from tests.browser.window import OneWindow
from tests.support.site import CHROMIUM_FLAGS, ROOT, WINDOW, Site, filled_data, running_site
from tools.browser import MESSAGE, find_browser

SHOTS = ROOT / "test-results"
SLOW_MS = 60_000  # two cores shared with another half of the tests
RUN_MS = 180_000  # a run there, of an engine that a fresh checkout compiles first

# Playwright's event loop stays in this process after a browser test; Django would refuse every query of later tests.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
expect.set_options(timeout=SLOW_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All browser tests are marked; `tests/conftest.py` keeps them in one process, as they share one site."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The system's Chromium, without a display and without calls home."""
    found = find_browser()
    if found is None:
        reason = MESSAGE.format(reason="none was found")
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    return {**browser_type_launch_args, "executable_path": str(found), "args": CHROMIUM_FLAGS}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """The window that the pages are drawn for."""
    return {
        **browser_context_args,
        "viewport": WINDOW,
        "locale": "en-GB",
        "reduced_motion": "reduce",
    }


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, session_folder: Path) -> Iterator[Site]:
    """Web server and workers, with the first exploration done and two ordinary accounts."""
    with running_site(tmp_path_factory.mktemp("site"), filled_data(session_folder)) as found:
        yield found
        # Of whatever the tests of this process asked for, the first request of all included.
        log = (Path(found.variables["PARETOSCOPE_VAR"]) / "log" / "web.log").read_text(errors="replace")
        late = [line for line in log.splitlines() if "loads modules" in line]
        assert not late, "\n".join(late)


@pytest.fixture(scope="session")
def window(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[OneWindow]:
    """The window that all tests of this process use, one after the other."""
    found = OneWindow(browser, browser_context_args)
    yield found
    found.close()


@pytest.fixture
def context(request: pytest.FixtureRequest, window: OneWindow, site: Site) -> Iterator[BrowserContext]:
    """The window, as if it were a new one; after a failure it is."""
    opened = window.opened()
    opened.set_default_timeout(SLOW_MS)  # of every page in it, whoever opens it
    yield opened
    called = getattr(request.node, "rep_call", None)
    if called is not None and called.passed:
        window.tidy(f"{site.url}/health/")
    else:
        window.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """The page of the window, in which nobody is signed in."""
    return context.pages[0]


@dataclass
class Watch:
    """What a page must never do: complain on the console, or ask another machine for anything.

    Attributes:
        problems: console errors and exceptions, with where they came from.
        foreign: addresses of other machines that were asked for.
        expected: problems that a test provokes on purpose; any that matches is left out.
    """

    home: str
    problems: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def on_console(self, message: ConsoleMessage) -> None:
        """Keep errors, refusals of the content security policy among them."""
        if message.type == "error":
            self.problems.append(f"{message.text} ({message.location.get('url', '')})")

    def on_request(self, request: Request) -> None:
        """Keep addresses outside of the site."""
        if not request.url.startswith((f"{self.home}/", "data:", "blob:")):
            self.foreign.append(request.url)

    def check(self) -> None:
        """Fail on anything that was not expected."""
        problems = [
            problem for problem in self.problems if not any(re.search(words, problem) for words in self.expected)
        ]
        assert problems == []
        assert self.foreign == []


@pytest.fixture
def watch(context: BrowserContext, site: Site) -> Iterator[Watch]:
    """Watches every page of the test; what it saw is judged when the test ends."""
    found = Watch(site.url)

    def on_error(error: Any) -> None:
        found.problems.append(str(error))

    handlers: dict[Any, Any] = {"console": found.on_console, "pageerror": on_error, "request": found.on_request}

    def attach(page: Page) -> None:
        for event, handler in handlers.items():
            page.on(event, handler)

    first = context.pages[0]
    attach(first)
    context.on("page", attach)
    yield found
    context.remove_listener("page", attach)
    for event, handler in handlers.items():
        first.remove_listener(event, handler)
    found.check()


@pytest.fixture(scope="session")
def sessions() -> dict[str, list[Any]]:
    """User name -> the cookies of who has signed in on the `site`."""
    return {}


@pytest.fixture
def sign_in(context: BrowserContext, site: Site, watch: Watch, sessions: dict[str, list[Any]]) -> Callable[[str], Page]:
    """Be signed in, the first time by the form; at no place yet: the test says where to, as a visit costs a second of a core."""
    begun: list[Page] = []

    def begin(name: str) -> Page:
        page = context.new_page() if begun else context.pages[0]
        begun.append(page)
        context.add_cookies(sessions.get(name, []))
        if name not in sessions:
            page.goto(f"{site.url}/accounts/login/")
            page.get_by_label("Username").fill(name)
            page.get_by_label("Password").fill(site.passwords[name])
            page.get_by_role("button", name="Sign in").click()
            expect(page).to_have_url(f"{site.url}/")
            sessions[name] = list(context.cookies())
        return page

    return begin


@pytest.fixture
def shot() -> Callable[[Page, str], None]:
    """Save a screenshot under test-results/, for people to look at, where `PARETOSCOPE_SHOTS=1` asks for them."""
    SHOTS.mkdir(exist_ok=True)

    def take(page: Page, name: str) -> None:
        if pictures.WANTED:
            page.evaluate("document.fonts.ready")
            page.wait_for_timeout(pictures.SETTLE_MS)
            page.screenshot(path=SHOTS / f"{name}.png")

    return take
