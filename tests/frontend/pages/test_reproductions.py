"""The page of reproductions: nothing yet, and published beside ours with what flips."""

from __future__ import annotations

from typing import Any

import pytest

from engines.registry import get_engine
from engines.reproductions import Comparison
from frontend.bridge import get_app
from tests.support.stored_runs import make_people
from webapp.reproductions.models import Reproduction


def compared(name: str, reading: str, ours: float, ordering: bool, anchor: str = "a-2024") -> dict[str, Any]:
    return vars(Comparison(name, reading, 2.5, ours, "x", "predicted", anchor, "Table 1", ordering, "Other mappings."))


def page(monkeypatch: pytest.MonkeyPatch) -> str:
    get_app()  # pages can only be imported once it is there
    from frontend.pages import reproductions

    owner = make_people().owner
    monkeypatch.setattr(reproductions, "current_user", lambda: owner)
    return str(reproductions.layout().to_plotly_json())


def test_without_any_it_says_how_to_compute_them(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = page(monkeypatch)
    assert "Not computed on this site yet" in shown and "manage.py reproduce scar" in shown


def test_published_values_stand_beside_ours_for_each_publication(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        compared("A over B", "one", 1.75, True),
        compared("A over B", "two", 0.5, False),
        compared("C over D", "one", 3.0, True, anchor="b-2024"),
    ]
    version = get_engine("scar").version
    Reproduction.objects.create(
        engine="scar", engine_version=version + 1, quick=True, comparisons=rows, platform={}, duration_s=2.0
    )
    shown = page(monkeypatch)
    for words in (
        "in a-2024", "in b-2024", "2.50×", "1.75×", "0.500×", "Same side wins, a-2024", "1 of 2", "0.500 to 1.75",
        "as published with one; not with two", "Other mappings.", "quick", "another version", "All 2 readings",
    ):  # fmt: skip
        assert words in shown, words


def test_what_has_no_value_is_a_dash_and_layers_are_counted(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    layers = Comparison("U-Net, layers", "one", 23.0, 23.0, "layers", "predicted", "a-2024", "Table 2", group="Table 2")
    nothing = Comparison("A over B", "one", 2.0, 1.0, "x", "predicted", "a-2024", "Table 2", group="Table 2")
    rows = [vars(layers), {**vars(nothing), "ours": None}]
    Reproduction.objects.create(
        engine="scar", engine_version=1, quick=False, comparisons=rows, platform={}, duration_s=2.0
    )
    shown = page(monkeypatch)
    assert "Table 2" in shown and "'23'" in shown and "'–'" in shown


def test_a_row_tells_its_ratio_its_kind_and_why_it_differs(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        vars(Comparison("A", "", 4.0, 3.0, "ms", "fitted", "a-2024", "Table 1", None, "Other clocks.")),
        {**vars(Comparison("B", "", 1.0, 7.0, "%", "predicted", "a-2024", "Table 1")), "published": None},
    ]
    Reproduction.objects.create(
        engine="scar", engine_version=1, quick=False, comparisons=rows, platform={}, duration_s=2.0
    )
    shown = page(monkeypatch)
    for words in ("'0.75'", "'fitted'", "'predicted'", "1. Other clocks.", "7.00 %", "'–'"):
        assert words in shown, words
