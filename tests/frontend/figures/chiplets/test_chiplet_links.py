from __future__ import annotations

import dataclasses

import numpy as np

from engines.contract.results import GridWindow, LinkLoad
from frontend.figures.chiplets.chiplet_grid import grid_figure, largest_load
from tests.frontend.figures.samples import sample_grid


def test_arrows_grow_and_darken_with_load():
    grid = sample_grid()
    links = (LinkLoad("C0", "C1", 1e6), LinkLoad("C1", "C2", 1e8))
    grid = dataclasses.replace(grid, windows=(GridWindow("W", 0.0, 1.0, (), links),))
    arrows = [trace for trace in grid_figure(grid, 0, "light").data if trace.name == "links"]
    spans = [max(np.array(t.y, float)) - min(np.array(t.y, float)) for t in arrows]
    shades = [int(t.fillcolor[1:3], 16) for t in arrows]
    assert spans[0] < spans[1] and shades[0] > shades[1]
    assert largest_load(grid, 0) == 1e8


def test_opposite_directions_do_not_cover_each_other():
    links = (LinkLoad("C0", "C1", 1e6), LinkLoad("C1", "C0", 1e6))
    grid = dataclasses.replace(sample_grid(), windows=(GridWindow("W", 0.0, 1.0, (), links),))
    (arrows,) = (trace for trace in grid_figure(grid, 0, "light").data if trace.name == "links")
    y = np.array(arrows.y, float)
    first, second = np.split(y, [int(np.flatnonzero(np.isnan(y))[0])])
    assert abs(np.nanmean(first) - np.nanmean(second)) > 5
