"""Every type of result has one view, and every view draws."""

from __future__ import annotations

import plotly.graph_objects as go
import pytest

from engines.contract.results import RESULT_TYPES
from frontend.results.registry import VIEWS, draw, result_sentence
from tests.frontend.figures.samples import RESULTS


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("result", RESULTS, ids=lambda result: type(result).__name__)
def test_every_result_has_a_picture_that_plotly_accepts_and_a_sentence(result, scheme):
    component = draw(result, scheme, 800)

    def graphs(part):
        if getattr(part, "figure", None) is not None:
            yield part.figure
        children = getattr(part, "children", None)
        for child in children if isinstance(children, list | tuple) else [children]:
            if hasattr(child, "to_plotly_json"):
                yield from graphs(child)

    for figure in graphs(component):
        go.Figure(figure.to_dict())
    assert result_sentence(result)


def test_there_is_a_renderer_for_every_type_of_result():
    assert {cls.__name__ for cls in VIEWS} == set(RESULT_TYPES)
    assert {type(result).__name__ for result in RESULTS} == set(RESULT_TYPES)


def test_something_else_is_refused_with_the_names_of_what_can_be_drawn():
    with pytest.raises(TypeError, match=r"ChipletGrid.*Trace.*Got int"):
        draw(3, "light")
