"""Parameters of managers of many networks on one board."""

from __future__ import annotations

from typing import Literal

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, limit, number
from engines.cost.calibration_unmeasured import Unmeasured, unmeasured_field
from engines.cost.device_fields import clock_choices_field

ManagerName = Literal["ours", "random", "gpu", "genetic", "mosaic", "odmdef"]


class MapFormerParams(EngineParams):
    """Which manager, within which power, on what clocks."""

    manager: ManagerName = choice(
        "ours",
        "Manager",
        "Manager",
        {
            "ours": "Ours: search on the simulator",
            "random": "Random",
            "gpu": "Everything on the GPU",
            "genetic": "Genetic algorithm",
            "mosaic": "MOSAIC",
            "odmdef": "ODMDEF",
        },
        "Who maps the networks. All have the same board, the same simulator and the same limit of power.",
    )
    evaluations: int = number(
        100_000,
        (100, 10_000_000),
        "mappings",
        "Evaluations",
        "Manager",
        "Mappings that the search, the random manager or the genetic algorithm simulate, about. MOSAIC, ODMDEF and "
        "everything on the GPU end by themselves.",
    )
    segments: int = number(
        3,
        (1, 6),
        "segments",
        "Segments of a network, at most",
        "Mapping",
        "Into how many parts a network may be cut, each on a unit.",
    )
    power_limit_w: float | None = limit(
        "W", 1e4, "Power, at most", "Of units and memory; the published modes are 10, 15 and 30 W. Empty: no limit."
    )
    clock_choices: str = clock_choices_field("Device")
    unmeasured: Unmeasured = unmeasured_field("Device", "datasheet")
