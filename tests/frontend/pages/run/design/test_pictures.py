from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import plotly.graph_objects as go
import pytest

from engines.contract.errors import EngineError
from engines.contract.results import Breakdown, Curve, Note, Result, Series
from engines.registry import get_engine
from frontend.components.static_html import static_html
from frontend.pages.run.design.pictures import HEAD_PX, design_pictures
from tests.frontend.pages.run.design.cases import DELAYS, ENERGY, SIZE, graph, names

LAYERS = Breakdown(
    "layers", "Latency by layer", tuple(f"layer {i}" for i in range(60)), ("Time",), np.ones((60, 1)), "s"
)
ERRORS = Curve("errors", "Error", np.arange(4.0), "Track", "", (Series("Error", np.ones(4), "%"),))
NOTE = Note("n", "N", "words")


def test_how_a_design_is_put_together_comes_first_then_the_first_of_each_type() -> None:
    assert names(LAYERS, ENERGY, graph(34), NOTE) == ["mapping", "layers"]
    assert names(ERRORS, ENERGY, DELAYS) == ["delays", "energy"]
    assert names(LAYERS, ENERGY) == ["layers", "energy"]
    assert names(NOTE) == []


def test_a_second_picture_is_left_out_where_there_is_no_room() -> None:
    assert names(DELAYS, LAYERS, size=(500, 190)) == ["delays"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("results", [(graph(34), LAYERS), (DELAYS, ENERGY), (ENERGY,), (LAYERS,), (ERRORS, ENERGY)])
def test_pictures_fill_the_card(results: tuple[Result, ...], scheme: str) -> None:
    pictures = design_pictures(results, scheme, SIZE)
    assert len(pictures) == len(results) and all(picture.sentence for picture in pictures)
    heights = [float(go.Figure(picture.figure.to_dict()).layout.height) for picture in pictures]
    assert sum(heights) + HEAD_PX * len(heights) == pytest.approx(SIZE[1], abs=1)


def test_a_run_of_another_version_says_so_and_what_to_do() -> None:
    from frontend.bridge import get_app

    get_app()
    from frontend.pages.run.design_callbacks import refused

    version = get_engine("scar").version
    older = static_html(
        refused(SimpleNamespace(engine="scar", engine_version=0, pk=7), EngineError("no")), answered=True
    )
    assert f"Version 0 of the engine made this run; version {version} is installed" in older
    assert 'href="/new?from=7"' in older
    same = static_html(
        refused(SimpleNamespace(engine="scar", engine_version=version, pk=7), EngineError("no such part"))
    )
    assert "no such part" in same
