"""Screenshots of a page in both sizes and both schemes that it is looked at in."""

import os
from collections.abc import Callable

from playwright.sync_api import Page

WANTED = bool(os.environ.get("PARETOSCOPE_SHOTS"))  # drawing pages again for pictures takes a fifth of the tests' time
SETTLE_MS = 600  # figures are drawn again for another width or scheme


def in_both_schemes(page: Page, shot: Callable[[Page, str], None], name: str) -> None:
    """Screenshots at 1280 pixels in the light scheme and at 1920 in the dark one; the page then is as it was."""
    if not WANTED:
        return
    size = page.viewport_size
    for width, height, scheme in ((1280, 800, "light"), (1920, 1080, "dark")):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(SETTLE_MS)
        shot(page, f"{name}-{width}-{scheme}")
        page.locator("#scheme-toggle").click()
    assert size is not None
    page.set_viewport_size(size)
