"""The tabs of the run page, and a type of result that only its view and its tab know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from dash import html

from engines.contract.results import Result
from frontend.pages.run.tabs import tab
from frontend.pages.run.tabs.registry import TABS
from frontend.pages.run.tabs.results import results_tab
from frontend.pages.run.tabs.tab import TabAsked, result_tab
from frontend.results.registry import VIEWS, draw, paper_picture, result_sentence
from frontend.results.view import ResultView
from webapp.runs.models import Run


@dataclass(frozen=True)
class Recipe(Result):
    """A result that no page knows."""

    steps: tuple[str, ...]


SOUP = Recipe("soup", "Soup", ("chop", "boil"))
TAB = result_tab(
    "recipe",
    "Recipe",
    Recipe,
    lambda results, asked: html.Div([draw(each, asked.scheme, asked.width_px) for each in results]),
    ("table", "This engine does not cook"),
)


@pytest.fixture(autouse=True)
def recipes(monkeypatch: pytest.MonkeyPatch) -> None:
    view = ResultView(
        Recipe, "table", lambda recipe: f"{len(recipe.steps)} steps.", lambda recipe, *_: html.Ol(list(recipe.steps))
    )
    monkeypatch.setitem(VIEWS, Recipe, view)  # type: ignore[misc]


def asked(design: int | None) -> TabAsked:
    return TabAsked(Run(), design, None, "linear", "light", {"width": 1032})


def test_tabs_have_names_of_their_own() -> None:
    assert len({each.name for each in TABS}) == len(TABS) == len({each.title for each in TABS})


def test_a_type_with_a_view_is_shown_wherever_results_are() -> None:
    assert result_sentence(SOUP) == "2 steps." and paper_picture(SOUP, 300) is None
    text = str(results_tab({"soup": SOUP}, (), "", "light", 1000, False))
    assert "chop" in text and "CSV" in text


@pytest.mark.parametrize(
    ("design", "found", "words"),
    [(0, (SOUP,), "boil"), (0, (), "does not cook"), (None, (SOUP,), "No design selected yet")],
)
def test_its_tab_shows_what_the_design_has(
    monkeypatch: pytest.MonkeyPatch, design: int | None, found: tuple[Result, ...], words: str
) -> None:
    def explained(_run: Any, _number: int) -> tuple[Result, ...]:
        return found

    monkeypatch.setattr(tab, "explained", explained)
    assert TAB.make is not None and words in str(TAB.make(asked(design)))
