from __future__ import annotations

from typing import Any

import pytest
from dash import html

from engines.contract.results import Result
from frontend.pages.run import tab
from frontend.pages.run.tab import TabQuery, result_tab
from frontend.results.registry import draw
from tests.frontend.pages.run.tabs.cases import SOUP, Recipe
from webapp.runs.models import Run

TAB = result_tab(
    "recipe",
    "Recipe",
    Recipe,
    lambda results, asked: html.Div([draw(each, asked.scheme, asked.width_px) for each in results]),
    ("table", "This engine does not cook"),
)


def asked(design: int | None) -> TabQuery:
    return TabQuery(Run(), design, None, "linear", "light", {"width": 1032})


@pytest.mark.usefixtures("recipes")
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
