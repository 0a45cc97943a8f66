"""Diagram of chiplet silicon: the areas of a system's blocks, and the yield of dies by their area."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from engines.contract.results import Breakdown, Curve, Series
from engines.cost.silicon.yields import yield_of
from frontend.figures.costs.breakdown import breakdown_figure
from frontend.figures.generic import curve_figure
from frontend.figures.numbers import many
from frontend.theme import Scheme
from hardware.chiplet_system.model import ChipletSystem
from hardware.silicon.model import SiliconCosts

_POINTS = 100


def block_areas(system: ChipletSystem) -> Breakdown:
    """Return the areas of the blocks, the largest first; shape `blocks x 1`."""
    blocks = sorted(system.blocks.values(), key=lambda block: (-block.area_mm2, block.name))
    areas = np.array([[block.area_mm2] for block in blocks])
    return Breakdown("areas", "Area", tuple(block.title for block in blocks), ("Area",), areas, "mm²")


def block_areas_figure(system: ChipletSystem, scheme: Scheme, *, width_px: float, height_px: float) -> go.Figure:
    """Return the figure of block areas in mm², one bar per block."""
    return breakdown_figure(block_areas(system), scheme, width_px=width_px, height_px=height_px)


def block_areas_sentence(system: ChipletSystem) -> str:
    """Return the picture in words."""
    areas = block_areas(system)
    largest, total = areas.bars[0], float(areas.values.sum())
    return f"{system.title}: {many(len(areas.bars), 'block')} of {total:.4g} mm² together; the largest is {largest}."


def yield_curve(costs: SiliconCosts) -> Curve:
    """Yield of one die in each process (goyal-2023 eq. 6.1), to the largest that can be exposed at once."""
    areas = np.linspace(0.0, costs.reticle_mm2, _POINTS)
    series = tuple(
        Series(
            name,
            100.0 * yield_of(areas, process.defects_per_mm2, process.critical_share, costs.clustering),
            "%",
        )
        for name, process in costs.processes.items()
    )
    return Curve("yield", "Yield of a die", areas, "Area of the die", "mm²", series)


def yield_figure(costs: SiliconCosts, scheme: Scheme, *, height_px: float) -> go.Figure:
    """Return the figure of yield over area, one line per process node."""
    return curve_figure(yield_curve(costs), scheme, height_px=height_px)
