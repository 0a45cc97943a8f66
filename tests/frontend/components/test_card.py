from __future__ import annotations

import pytest
from dash import html

from frontend.components.card import card, card_title


def test_a_card_without_a_title_has_no_bar_and_is_named_all_the_same() -> None:
    bare, titled = card("", html.P("a"), None, label="Fronts"), card("Fronts", html.P("a"), None, flush=True)
    assert [part.className for part in bare.children] == ["cb"]
    assert [part.className for part in titled.children] == ["ch", "cb flush"]
    assert getattr(bare, "aria-label") == getattr(titled, "aria-label") == "Fronts"
    assert len(titled.children[1].children) == 1, "what is None is left out"


@pytest.mark.parametrize(("level", "tag"), [(2, "H2"), (3, "H3")])
def test_a_title_is_a_heading_of_its_level(level: int, tag: str) -> None:
    assert card_title("Fronts", level=level)._type == tag
