from __future__ import annotations

import pytest

from engines.registry import get_engine
from frontend.bridge import get_app
from tests.support.stored_runs import People


def test_home_has_a_card_per_method(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    get_app()  # pages can only be imported once it is there
    from frontend.pages.home import reproductions

    monkeypatch.setattr(reproductions, "current_user", lambda: people.owner)
    shown = str(reproductions.show_reproductions(""))
    for method in ("magnas", "sbrs", "scar", "seesaw"):
        assert f"/reproductions/{method}" in shown and get_engine(method).title in shown
    assert "computed at release" in shown and "ours not computed" not in shown
