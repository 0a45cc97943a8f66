from __future__ import annotations

import dataclasses

import pytest

from frontend.figures.chiplets.chiplet_geometry import geometry, memory_sides
from tests.frontend.figures.samples import sample_grid


@pytest.mark.parametrize(("width", "height"), [(300, 200), (540, 270), (1200, 600)])
def test_no_two_chiplets_overlap_and_all_lie_inside(width, height):
    place = geometry(sample_grid(), width, height)
    boxes = [*place.bodies.values(), *place.memory.values()]
    assert all(0 <= b.left < b.right <= width and 0 <= b.top < b.bottom <= height for b in boxes)
    assert sum(a.overlap(b) for i, a in enumerate(boxes) for b in boxes[i + 1 :]) == 0


def test_it_finds_the_sides_with_memory():
    grid = sample_grid()
    assert memory_sides(grid) == ("left", "right")
    assert memory_sides(dataclasses.replace(grid, memory_nodes=("DRAM top 1",), windows=())) == ("top",)
