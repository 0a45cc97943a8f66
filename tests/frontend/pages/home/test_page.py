from __future__ import annotations

import pytest

from frontend.bridge import get_app
from tests.support.stored_runs import People


def test_who_has_no_run_yet_is_led_to_the_first_one(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    get_app()  # pages can only be imported once it is there
    from frontend.pages.home import page

    monkeypatch.setattr(page, "current_user", lambda: people.owner)
    shown = str(page.layout().to_plotly_json())
    assert "Paretoscope finds how a neural network runs best" in shown
    assert "Estimate your network on every device" in shown and shown.count("Run example") == 4
    assert str(page.layout(show="nonsense").to_plotly_json()) == shown, "another filter is none"
