from __future__ import annotations

import pytest

from frontend.bridge import get_app
from tests.support.stored_runs import People


def test_an_address_names_the_document_its_version_and_the_tab(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    get_app()  # pages can only be imported once it is there
    from frontend.pages.catalogue.hardware import page

    monkeypatch.setattr(page, "current_user", lambda: people.owner)
    assert "Jetson TX2" in str(page.layout("jetson-tx2").to_plotly_json())
    missing = str(page.layout("no-such-device").to_plotly_json())
    assert "Jetson" not in missing
