from __future__ import annotations

import pytest

from frontend.bridge import get_app
from tests.support.stored_runs import People


def test_the_form_opens_with_the_engine_of_the_address(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    get_app()  # pages can only be imported once it is there
    from frontend.pages.study.new import page

    monkeypatch.setattr(page, "current_user", lambda: people.owner)
    shown = str(page.layout(engine="seesaw").to_plotly_json())
    assert "fitness-tracker" in shown and "simba-3x3" not in shown
