from __future__ import annotations

import numpy as np

from engines.chiplets.costs.scoring import MEMORY
from engines.chiplets.problem.starts import start_chiplets
from engines.chiplets.windows.reconfig import LayerRange
from tests.engines.chiplets.cases import package, tables

NAMES = ("edp", "latency", "energy")


def random_window(random: np.random.Generator, **more: str):
    """Tables, layers per model, places of activations and roots of a small window; `more` parameters on top."""
    models = {}
    for number in range(int(random.integers(1, 3))):
        layers = int(random.integers(2, 5))
        models[f"m{number}"] = random.uniform(0.5, 9, (2, layers)).tolist()
    params = {
        "latency_reading": str(random.choice(["fill_drain", "pipelined_maximum", "end_to_end"])),
        "weight_loading": str(random.choice(["once_per_window", "every_mini_batch"])),
        "mini_batch": int(random.integers(1, 3)),
        "node_rule": str(random.choice(["provisioned", "free"])),
        "root_rule": str(random.choice(["published", "free"])),
        "dram_rule": str(random.choice(["package", "maestro"])),
        **more,
    }
    mesh = package(2, int(random.integers(2, 4)), sides=("left",) if random.random() < 0.5 else ("left", "right"))
    built = tables(models, params, on=mesh, batch=int(random.integers(1, 4)))
    ranges, location = [], []
    for number, model in enumerate(built.models):
        first = int(random.integers(0, 2))
        ranges.append(LayerRange(number, first, int(random.integers(first + 1, model.layers + 1))))
        location.append(MEMORY if first == 0 else int(random.integers(0, built.chiplets)))
    return built, ranges, location, start_chiplets(built)


MODELS = {"a": [[3, 5, 2, 6, 2, 4], [6, 2, 4, 1, 3, 3]], "b": [[1, 4, 4, 2], [3, 2, 2, 5]]}
