from __future__ import annotations

from dataclasses import replace

import numpy as np

from engines.contract.quantities import Quantity
from frontend.designs.run_designs import RunDesigns
from frontend.pages.run.front.choices import Choices
from frontend.pages.run.front.picture import FrontRequest

QUANTITIES = (
    Quantity("latency_s", "Latency", "s", "minimise", "objective"),
    Quantity("energy_j", "Energy", "J", "minimise", "objective"),
)


def designs(count: int, seed: int = 0) -> RunDesigns:
    random = np.random.default_rng(seed)
    columns = {"latency_s": random.uniform(1, 2, count), "energy_j": random.uniform(4, 5, count)}
    origin = np.array(["baseline" if i == 3 else "search" for i in range(count)], dtype=np.str_)
    label = np.array(["Simba NVDLA" if i == 3 else "" for i in range(count)], dtype=np.str_)
    return RunDesigns(QUANTITIES, "latency_s", columns, np.arange(count), origin, label)


def request(**changes: object) -> FrontRequest:
    chosen = Choices("2d", "latency_s", "energy_j", "latency_s", hidden=changes.pop("hidden", ()))  # type: ignore[arg-type]
    return replace(FrontRequest(chosen, "light", 560, 330), **changes)  # type: ignore[arg-type]
