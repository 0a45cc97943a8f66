"""The tabs of the run page."""

from __future__ import annotations

from frontend.pages.run.tabs.registry import TABS


def test_tabs_have_names_of_their_own() -> None:
    assert len({each.name for each in TABS}) == len(TABS) == len({each.title for each in TABS})
