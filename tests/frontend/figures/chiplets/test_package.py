from __future__ import annotations

import plotly.graph_objects as go
import pytest

from frontend.figures.chiplets.package import package_figure, package_grid
from hardware.package.loader import builtin_hardware, load_package


@pytest.mark.parametrize("slug", sorted(builtin_hardware()))
def test_it_draws_every_package_of_the_catalogue(slug):
    package = load_package(builtin_hardware()[slug])
    # Room for the array size on all of 36 chiplets; a small picture leaves it out.
    figure = package_figure(package, "light", width_px=960, height_px=640)
    go.Figure(figure.to_dict())
    shown = [text for trace in figure.data if trace.mode == "text" for text in trace.text]
    assert [f"<b>C{c.index}</b>" for c in package.chiplets] == [text for text in shown if text.startswith("<b>C")]
    assert sum(text.endswith(" PE") for text in shown) == len(package.chiplets)
    go.Figure(package_figure(package, "light").to_dict())


def test_its_grid_has_memory_at_the_sides_of_the_package():
    package = load_package(builtin_hardware()["simba-3x3-het-sides"])
    grid = package_grid(package)
    assert {node.split()[1] for node in grid.memory_nodes} == set(package.memory.sides)
    assert [chiplet.off_chip for chiplet in grid.chiplets] == [package.has_interface(i) for i in range(9)]


def test_chiplets_too_small_for_their_names_go_without():
    content = dict(builtin_hardware()["simba-3x3-nvdla"])
    content["package"] = {"rows": 16, "columns": 16, "layout": ["N" * 16] * 16}
    figure = package_figure(load_package(content), "light", width_px=374, height_px=262)
    assert not [trace for trace in figure.data if trace.mode == "text" and any("<b>C" in text for text in trace.text)]
