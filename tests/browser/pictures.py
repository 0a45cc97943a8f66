"""Screenshots of a page in every size and scheme that it is looked at in."""

from collections.abc import Callable

from playwright.sync_api import Page

_SETTLE_MS = 600  # figures are drawn again for another width or scheme


def in_both_schemes(page: Page, shot: Callable[[Page, str], None], name: str) -> None:
    """Screenshots at 1280 and 1920 pixels, light and dark; the page then has its former size."""
    size = page.viewport_size
    for width, height in ((1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.wait_for_timeout(_SETTLE_MS)
            shot(page, f"{name}-{width}-{scheme}")
            page.locator("#scheme-toggle").click()
    assert size is not None
    page.set_viewport_size(size)
