"""One window for all browser tests of a process.

A new window is a new process of Chromium, which reads and translates the site's megabytes of scripts again: five seconds of a core,
where a page in a window that has seen the site takes one.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, BrowserContext
from playwright.sync_api import Error as PlaywrightError

from tests.support.site import WINDOW


class OneWindow:
    """The window, opened when the first test asks for it."""

    def __init__(self, browser: Browser, arguments: dict[str, Any]) -> None:
        self._browser, self._arguments = browser, arguments
        self._context: BrowserContext | None = None

    def opened(self) -> BrowserContext:
        """A session with one page, in which nobody is signed in and nothing is kept."""
        if self._context is None:
            self._context = self._browser.new_context(**self._arguments)
            self._context.new_page()
        return self._context

    def tidy(self, url: str) -> None:
        """Leave no trace of a test: its pages, cookies, what it kept, and how it looked at the page.

        Args:
            url: of something small on the site.
        """
        if self._context is None:
            return
        try:
            page, *more = self._context.pages
            for each in more:
                each.close()
            page.unroute_all()
            page.goto(url)
            page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
            page.emulate_media(color_scheme="light")
            page.set_viewport_size(WINDOW)  # type: ignore[arg-type]
            page.mouse.move(0, 0)
            self._context.clear_cookies()
        except (PlaywrightError, ValueError):  # a page that hangs or is gone
            self.close()

    def close(self) -> None:
        """Close it: the next test opens another one."""
        context, self._context = self._context, None
        if context is not None:
            context.close()
