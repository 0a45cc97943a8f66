"""A line on which nothing comes back for a while: what a page shows meanwhile can be looked at, on machines of any speed."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Route

_CALLBACKS = "**/_dash-update-component"


@contextmanager
def unanswered(page: Page) -> Iterator[None]:
    """No callback of the page is answered within; all are afterwards."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(_CALLBACKS, hold)
    yield
    page.unroute(_CALLBACKS)
    for route in held:
        route.continue_()
