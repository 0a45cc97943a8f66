from __future__ import annotations

from engines.registry import get_engine
from tests.support.stored_runs import People


def test_the_overview_has_a_card_per_method(people: People) -> None:
    from frontend.pages.reproduction import listing

    shown = str(listing.layout().to_plotly_json())
    for method in ("magnas", "sbrs", "scar", "seesaw"):
        assert f"/reproductions/{method}" in shown and get_engine(method).title in shown
    assert "computed at release" in shown and "values, not computed yet" not in shown
