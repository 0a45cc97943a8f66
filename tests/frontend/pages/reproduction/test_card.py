from __future__ import annotations

from engines.reproduction.reproductions import listed
from tests.support.stored_runs import People
from webapp.reproductions.service import ReproductionSummary


def test_a_card_leads_to_its_method_and_says_where_nothing_is_computed(people: People) -> None:
    from frontend.pages.reproduction.card import reproduction_card

    rows = tuple(listed("scar", quick=True))
    shown = reproduction_card(ReproductionSummary("scar", rows, {}), level=3)
    assert shown.href == "/reproductions/scar" and "not computed yet" in str(shown.to_plotly_json())
