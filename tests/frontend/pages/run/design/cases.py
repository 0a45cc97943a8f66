from __future__ import annotations

import numpy as np

from engines.contract.results import Breakdown, LayerGraph, LayerNode, Matrix, Result
from frontend.pages.run.design.pictures import design_pictures

SIZE = (500, 400)


ENERGY = Breakdown(
    "energy", "Energy by unit", ("GPU", "DLA"), ("Blocks", "Hand-over"), np.array([[0.1, 0.0], [0.2, 0.05]]), "J"
)


DELAYS = Matrix("delays", "Delay", ("a", "b"), ("a", "b"), np.array([[np.nan, 1.0], [2.0, np.nan]]), "s", "Delay")


def graph(count: int) -> LayerGraph:
    nodes = tuple(LayerNode(str(i), f"block {i}", "GPU", (), "gpu") for i in range(count))
    return LayerGraph("mapping", "Mapping", nodes, tuple((str(i), str(i + 1)) for i in range(count - 1)))


def names(*results: Result, size: tuple[int, int] = SIZE) -> list[str]:
    return [picture.result.name for picture in design_pictures(results, "light", size)]
