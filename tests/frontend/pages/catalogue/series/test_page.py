from __future__ import annotations

import pytest

from frontend.pages.catalogue.document.frame import DocumentView
from frontend.pages.catalogue.series.view import page
from tests.support.stored_runs import People
from webapp.catalogue.service import get_entry


@pytest.mark.parametrize(
    ("kind", "slug", "words"),
    [("environment", "uav-two-hour-flight", "turbulent"), ("data", "synthetic-videos", "generated, not recorded")],
)
def test_a_built_in_has_a_page(people: People, kind: str, slug: str, words: str) -> None:
    shown = DocumentView(get_entry(people.owner, kind, slug), ())
    assert words in str(page(people.owner, shown).to_plotly_json())
