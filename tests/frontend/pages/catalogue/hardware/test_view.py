from __future__ import annotations

import pytest

from engines.documents.builtin import builtin_documents
from frontend.pages.catalogue.document.frame import find, head
from frontend.pages.catalogue.hardware.view import figures_of, foremost, overview, page, panel, tab_names
from tests.support.sampling import covering
from tests.support.stored_runs import People


@pytest.mark.parametrize("slug", ["simba-3x3-nvdla", "jetson-agx-orin"])
def test_the_page_has_head_list_and_overview(people: People, slug: str) -> None:
    shown = find(people.owner, "hardware", slug)
    assert shown is not None
    drawn = str(page(people.owner, shown, "overview", ""))
    assert drawn.count(shown.entry.title) > 2 and "Jetson TX2" in drawn and "No picture" not in drawn


@pytest.mark.parametrize("slug", covering({slug: each.content for slug, each in builtin_documents("hardware").items()}))
def test_every_built_in_hardware_has_an_overview_and_tabs(people: People, slug: str) -> None:
    shown = find(people.owner, "hardware", slug)
    assert shown is not None
    drawn = str([head(shown, "Hardware"), overview(people.owner, shown, "light", 1440)])
    assert shown.entry.title in drawn and "No picture" not in drawn
    assert len(figures_of(shown)) >= len(foremost(figures_of(shown))) > 0
    assert next(iter(tab_names(shown))) == "overview"
    for tab in [*tab_names(shown)][1:]:
        assert panel(people.owner, shown, tab) is not None
