from __future__ import annotations

import dataclasses

import plotly.graph_objects as go
import pytest

from engines.contract.results import ChipletGrid, GridChiplet, GridWindow, LinkLoad, Placement
from frontend.figures.chiplets.chiplet_geometry import geometry
from frontend.figures.chiplets.chiplet_grid import grid_figure
from tests.frontend.figures.samples import sample_grid


def words(figure: go.Figure) -> list[str]:
    return [text for trace in figure.data if trace.mode == "text" for text in trace.text]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [260, 540, 900])
def test_it_passes_plotlys_own_validation(scheme, width):
    for window in range(5):
        go.Figure(grid_figure(sample_grid(), window, scheme, width_px=width, selected_chiplet=4).to_dict())


def test_it_tells_model_stage_layers_and_busy_share():
    shown = words(grid_figure(sample_grid(), 1, "light"))
    assert shown.count("<b>GPT-L</b>") == 4 and "<b>ResNet-50</b>" in shown
    assert {"1/4", "4/4", "44–54", "<b>C4</b>"} <= set(shown)
    assert shown.count("NVDLA") == 6 and shown.count("Shi") == 3
    assert any(text.endswith("\u00a0%") for text in shown)


def test_chiplets_without_work_say_so():
    assert words(grid_figure(sample_grid(), 0, "light")).count("idle") == 2


def test_a_narrow_grid_shows_model_and_stage_only():
    shown = words(grid_figure(sample_grid(), 1, "light", width_px=330, height_px=130))
    assert "<b>GPT-L</b> 1/4" in shown
    assert not any("–" in text for text in shown)


def test_a_large_grid_shows_short_names_only():
    chiplets = tuple(GridChiplet(i, i // 6, i % 6, "nvdla", 256, i % 6 in (0, 5)) for i in range(36))
    placements = tuple(Placement(i, "BERT-L", i, 36, i, i, 0.5) for i in range(36))
    grid = ChipletGrid(
        "g", "G", 6, 6, chiplets, ("BERT-L",), (GridWindow("W", 0.0, 1.0, placements, ()),), ("DRAM left 0",)
    )
    assert set(words(grid_figure(grid, 0, "light", width_px=400, height_px=300))) == {"<b>BERT</b>"}


def test_memory_above_and_below_is_drawn_there():
    grid = dataclasses.replace(sample_grid(), memory_nodes=("DRAM top 0", "DRAM bottom 0"))
    grid = dataclasses.replace(grid, windows=(GridWindow("W", 0.0, 1.0, (), (LinkLoad("DRAM top 2", "C2", 5.0),)),))
    place = geometry(grid, 540, 270)
    assert place.memory["top"].bottom < place.bodies[0].top < place.bodies[8].bottom < place.memory["bottom"].top
    go.Figure(grid_figure(grid, 0, "light").to_dict())


def test_hover_tells_everything_and_a_click_brings_back_the_chiplet():
    (points,) = (trace for trace in grid_figure(sample_grid(), 1, "light").data if trace.name == "chiplets")
    assert list(points.customdata) == list(range(9))
    assert "part 3 of 4" in points.text[4] and "4\u2009096 PE" in points.text[4]


def test_it_is_made_of_few_traces():
    assert len(grid_figure(sample_grid(), 1, "light", selected_chiplet=4).data) < 30


def test_two_models_on_one_chiplet_share_its_chip():
    grid = sample_grid()
    both = (Placement(0, "GPT-L", 0, 1, 0, 4, 0.3), Placement(0, "BERT-L", 0, 1, 0, 2, 0.2))
    figure = grid_figure(dataclasses.replace(grid, windows=(GridWindow("W", 0.0, 1.0, both, ()),)), 0, "light")
    assert {"<b>GPT-L</b>", "<b>BERT-L</b>"} <= set(words(figure))
