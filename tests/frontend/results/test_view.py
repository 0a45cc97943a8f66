from __future__ import annotations

import pytest

from frontend.pages.run.tabs.results import results_tab
from frontend.results.registry import paper_picture, result_sentence
from tests.frontend.pages.run.tabs.cases import SOUP


@pytest.mark.usefixtures("recipes")
def test_a_type_with_a_view_is_shown_wherever_results_are() -> None:
    assert result_sentence(SOUP) == "2 steps." and paper_picture(SOUP, 300) is None
    text = str(results_tab({"soup": SOUP}, (), "", "light", 1000, False))
    assert "chop" in text and "CSV" in text
