from __future__ import annotations

import numpy as np

from engines.contract.designs import Designs
from engines.contract.quantities import Quantity
from engines.contract.stored_decisions import StoredDecisions

QUANTITIES = (
    Quantity("latency_s", "Latency", "s", "minimise", "objective"),
    Quantity("energy_j", "Energy", "J", "minimise", "objective"),
    Quantity("edp_js", "EDP", "J·s", "minimise", "metric"),
    Quantity("busy", "Chiplets busy", "", "maximise", "metric"),
    Quantity("windows", "Windows", "", "none", "metric"),
)


def table(
    latency: list[float], energy: list[float], origin: str = "search", label: str = "", **more: list[float]
) -> Designs:
    count = len(latency)
    columns = {
        "latency_s": np.array(latency),
        "energy_j": np.array(energy),
        "edp_js": np.array(latency) * np.array(energy),
        "busy": np.linspace(0.2, 0.8, count),
        "windows": np.full(count, 5.0),
    }
    columns |= {name: np.array(values) for name, values in more.items()}
    return Designs(columns, StoredDecisions(count), np.arange(count), [origin] * count, [label] * count)
