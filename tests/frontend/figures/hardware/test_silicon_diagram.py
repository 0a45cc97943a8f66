"""Pictures of chiplet systems and of what silicon costs, of all that ship with the product."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from frontend.figures.hardware.silicon_diagram import (
    block_areas,
    block_areas_figure,
    block_areas_sentence,
    yield_curve,
    yield_figure,
)
from frontend.theme import SCHEMES
from hardware.chiplet_system.model import ChipletSystem
from hardware.silicon.model import SiliconCosts
from tests.frontend.figures.samples import VALUES


@pytest.mark.parametrize("system", [v for v in VALUES if isinstance(v, ChipletSystem)], ids=lambda system: system.slug)
def test_blocks_of_a_system_stand_by_area(system: ChipletSystem) -> None:
    areas = block_areas(system).values[:, 0]
    assert len(areas) == len(system.blocks) and np.all(np.diff(areas) <= 0)
    for scheme in SCHEMES:
        go.Figure(block_areas_figure(system, scheme, width_px=640, height_px=300).to_dict())
    assert system.title in block_areas_sentence(system)


@pytest.mark.parametrize("costs", [v for v in VALUES if isinstance(v, SiliconCosts)], ids=lambda costs: costs.slug)
def test_yield_falls_with_the_area_of_a_die(costs: SiliconCosts) -> None:
    curve = yield_curve(costs)
    assert [series.title for series in curve.series] == list(costs.processes)
    for series in curve.series:
        assert series.y[0] == 100.0 and np.all(np.diff(series.y) < 0)
    for scheme in SCHEMES:
        go.Figure(yield_figure(costs, scheme, height_px=300).to_dict())
