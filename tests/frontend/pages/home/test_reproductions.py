from __future__ import annotations

from dataclasses import replace

import pytest

from engines.registry import get_engine
from engines.reproduction.comparisons import compared
from engines.reproduction.reproductions import listed
from engines.reproduction.verdicts import fact_of
from frontend.bridge import get_app
from tests.support.stored_runs import People


def test_home_has_a_line_per_method(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    get_app()  # pages can only be imported once it is there
    from frontend.pages.home import reproductions

    monkeypatch.setattr(reproductions, "current_user", lambda: people.owner)
    shown = str(reproductions.show_reproductions(""))
    for method in ("magnas", "sbrs", "scar", "seesaw"):
        assert f"/reproductions/{method}" in shown and get_engine(method).title in shown
    assert "published values agree with the computed ones" in shown and "trends have the same direction" in shown
    assert "not computed" not in shown
    shares = [reproductions.agreement_of(reproductions.shown(name)) for name in ("neksus", "scar")]
    assert shares[0].share > shares[1].share
    assert shown.index("/reproductions/neksus") < shown.index("/reproductions/scar"), "what agrees most comes first"


def test_cross_checks_and_arithmetic_are_no_published_values(db: None) -> None:
    get_app()
    from frontend.pages.home import reproductions

    found = reproductions.agreement_of(reproductions.shown("neksus"))
    rows = [each.first for each in compared(listed("neksus")) if fact_of(each.first) == "value"]
    assert found.values == len(rows) < 40 and {row.anchor for row in rows} == {"goyal-2023"}
    trained = reproductions.agreement_of(reproductions.shown("myml"))
    assert trained.trends == 5 and trained.same_direction + trained.undecided_trends <= 5


def test_only_differences_without_a_known_reason_are_marked(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    get_app()
    from frontend.pages.home import reproductions

    monkeypatch.setattr(reproductions, "current_user", lambda: people.owner)
    told = reproductions.Agreement(
        "scar", agree=3, fitted=2, explained=5, unexplained=0, undecided=1, missing=0, trends=4, same_direction=2,
        undecided_trends=1,
    )  # fmt: skip
    calm, marked = str(reproductions._line(told)), str(reproductions._line(replace(told, unexplained=1)))
    assert "3 of 11 agree" in calm and "5 differ (explained)" in calm and "1 undecided" in calm and "bad" not in calm
    assert "2 of 4 trends in the same direction, 1 undecided" in calm
    assert "3 of 12 agree" in marked and "1 differ (unexplained)" in marked and "bad" in marked
