from __future__ import annotations

from dataclasses import replace

import pytest

from engines.registry import get_engine
from frontend.bridge import get_app
from tests.support.stored_runs import People


def test_home_has_a_line_per_method(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    get_app()  # pages can only be imported once it is there
    from frontend.pages.home import reproductions

    monkeypatch.setattr(reproductions, "current_user", lambda: people.owner)
    shown = str(reproductions.show_reproductions(""))
    for method in ("magnas", "sbrs", "scar", "seesaw"):
        assert f"/reproductions/{method}" in shown and get_engine(method).title in shown
    assert "published values agree with ours" in shown and "not computed yet" not in shown
    shares = [reproductions.agreement_of(reproductions.shown(name)) for name in ("privynas", "scar")]
    assert shares[0].share > shares[1].share
    assert shown.index("/reproductions/privynas") < shown.index("/reproductions/scar"), "what agrees most comes first"


def test_only_differences_without_a_known_reason_are_marked(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    get_app()
    from frontend.pages.home import reproductions

    monkeypatch.setattr(reproductions, "current_user", lambda: people.owner)
    told = reproductions.Agreement("scar", agree=3, fitted=2, explained=5, unexplained=0, missing=0)
    calm, marked = str(reproductions._line(told)), str(reproductions._line(replace(told, unexplained=1)))
    assert "3 of 10 agree" in calm and "5 differ, told why" in calm and "bad" not in calm
    assert "3 of 11 agree" in marked and "1 differ, reason unknown" in marked and "bad" in marked
