from __future__ import annotations

import pytest

from frontend.bridge import get_app
from tests.support.stored_runs import People


def test_the_form_opens_with_the_engine_and_the_inputs_of_the_address(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    get_app()  # pages can only be imported once it is there
    from frontend.pages.new import page

    monkeypatch.setattr(page, "current_user", lambda: people.owner)
    shown = str(page.layout(engine="seesaw").to_plotly_json())
    assert "fitness-tracker" in shown and "simba-3x3" not in shown


def test_an_address_that_says_nothing_asks_what_is_to_be_decided_and_judges_nothing(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    get_app()
    from frontend.pages.new import page

    monkeypatch.setattr(page, "current_user", lambda: people.owner)
    shown = str(page.layout().to_plotly_json())
    assert "What is to be decided?" in shown and "/new?engine=seesaw" in shown
    assert "Will it fit" not in shown and "new-start" not in shown and "simba-3x3" not in shown
    assert "new-start" in str(page.layout(hardware="jetson-tx2").to_plotly_json()), "what was brought along is kept"


def test_an_address_that_names_what_is_not_there_says_so_instead_of_opening_something_else(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    get_app()
    from frontend.pages.new import page

    monkeypatch.setattr(page, "current_user", lambda: people.owner)
    assert "There is no engine nothing" in str(page.layout(engine="nothing").to_plotly_json())
    shown = str(page.layout(engine="seesaw", hardware="lab/gone").to_plotly_json())
    assert "This hardware does not exist here" in shown and "new-start" not in shown
