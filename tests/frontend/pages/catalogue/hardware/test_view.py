from __future__ import annotations

import pytest

from engines.documents.builtin import builtin_documents
from frontend.pages.catalogue.document.frame import find
from frontend.pages.catalogue.hardware.view import TABS, figures_of, foremost, page, panel
from tests.support.stored_runs import People


@pytest.mark.parametrize("slug", builtin_documents("hardware"))
def test_every_built_in_hardware_has_a_page(people: People, slug: str) -> None:
    shown = find(people.owner, "hardware", slug)
    assert shown is not None
    drawn = str(page(people.owner, shown, "overview", ""))
    assert shown.entry.title in drawn and "No picture" not in drawn
    assert len(figures_of(shown)) >= len(foremost(figures_of(shown))) > 0
    for tab in TABS[1:]:
        assert panel(people.owner, shown, tab) is not None
