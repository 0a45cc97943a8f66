"""Tabs of a page, in its line of tabs or in its menu *More*."""

import re

from playwright.sync_api import Page


def open_tab(page: Page, name: str) -> None:
    """Open the tab whose words begin with `name`, wherever it stands."""
    tab = page.get_by_role("tab", name=re.compile(f"^{name}"))
    if tab.count():
        tab.click()
    else:
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name=name, exact=True).click()
