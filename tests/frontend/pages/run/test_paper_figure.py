"""Results drawn for the column of a paper: at its width, in the light scheme, for those who may see the run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from django.test import Client

from engines.contract.results import (
    Breakdown,
    Curve,
    Distribution,
    LayerGraph,
    LayerNode,
    Matrix,
    Note,
    Result,
    Series,
    Trace,
)
from frontend.pages.run.paper_figure import PATH
from frontend.results.registry import paper_picture
from frontend.results.view import FigureQuery
from frontend.theme import TOKENS
from tests.frontend.figures.samples import sample_grid, sample_schedule
from tests.support.stored_runs import People

ONE_COLUMN_PX = 470
TIME = np.linspace(0.0, 1.0, 5)
LINE = Series("Power", np.linspace(0.0, 2.0, 5), "W")
NODES = tuple(LayerNode(str(at), f"layer {at}", "conv") for at in range(9))
RESULTS: tuple[Result, ...] = (
    sample_grid(),
    sample_schedule(),
    Trace("power", "Power", TIME, (LINE,)),
    Curve("curve", "Curve", TIME, "Evaluations", "", (LINE,)),
    Matrix("matrix", "Matrix", ("a", "b"), ("c", "d"), np.eye(2), "s", "Time"),
    Breakdown("parts", "Parts", ("a", "b"), ("x", "y"), np.ones((2, 2)), "J"),
    Distribution("values", "Values", np.arange(9.0), "s"),
    LayerGraph("graph", "Graph", NODES, tuple((str(at), str(at + 1)) for at in range(8))),
)


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: type(result).__name__)
def test_every_picture_is_as_wide_as_the_column(result: Result) -> None:
    picture = paper_picture(result, ONE_COLUMN_PX)
    assert picture is not None
    assert picture.layout.height > 0
    across = picture.layout.xaxis
    if across.visible is False:  # drawn in pixels: its words are of the size that they will have
        assert across.range[1] == pytest.approx(ONE_COLUMN_PX)
    assert TOKENS["dark"].text not in picture.to_json()


def test_schedules_of_a_comparison_end_together_and_words_have_no_picture() -> None:
    picture = paper_picture(sample_schedule(), ONE_COLUMN_PX, FigureQuery(end_s=9.0))
    assert picture is not None
    assert picture.layout.xaxis.range[1] == pytest.approx(9.0)
    assert paper_picture(Note("note", "Note", "words"), ONE_COLUMN_PX) is None


def test_only_who_sees_the_run_gets_its_figures(people: People, run: Any) -> None:
    def answer(user: Any, name: str) -> Any:
        client = Client()
        client.force_login(user)
        return client.get(f"{PATH}{run.pk}/design/{name}?design=0&width={ONE_COLUMN_PX}")

    known = [each.name for each in _explained(people, run)]
    found = answer(people.viewer, known[0])
    assert (found.status_code, found.json()["width"]) == (200, ONE_COLUMN_PX)
    assert answer(people.viewer, "nothing").status_code == 404
    assert answer(people.stranger, known[0]).status_code == 404


def _explained(people: People, run: Any) -> Any:
    from webapp.runs.results import readers

    return [result for result in readers.explain_design(run, 0) if paper_picture(result, ONE_COLUMN_PX) is not None]
