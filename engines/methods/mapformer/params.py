"""Parameters of managers of many networks on one board."""

from __future__ import annotations

from typing import Literal

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, for_paper, limit, number, text
from engines.cost.calibration.unmeasured import Unmeasured, unmeasured_field
from engines.cost.device_fields import BitsName, bits_field, clock_choices_field
from engines.cost.memory_capacity import ignore_memory_field
from engines.methods.mapformer.changes import EXAMPLE
from engines.search.search_fields import evaluations_field

OperationMode = Literal["hp", "pb", "sm", "pr"]
ManagerName = Literal[
    "ours", "mapformer", "random", "gpu", "genetic", "mosaic", "odmdef", "omniboost", "omniboost-power"
]


class MapFormerParams(EngineParams):
    """Which manager, within which power, on what clocks."""

    manager: ManagerName = choice(
        "ours",
        "Manager",
        "Manager",
        {
            "ours": "Simulator: search on the simulator",
            "mapformer": "MapFormer: estimator and latent actions",
            "random": "Random",
            "gpu": "Everything on the GPU",
            "genetic": "Genetic algorithm",
            "mosaic": "MOSAIC",
            "odmdef": "ODMDEF",
            "omniboost": "OmniBoost: convolutional network and tree search",
            "omniboost-power": "OmniBoost*: the same, trained within each power mode",
        },
        "Manager that maps the networks. All managers use the same board, simulator and power limit.",
    )
    evaluations: int = evaluations_field(
        80_000,
        (100, 10_000_000),
        "mappings",
        "Mappings that the random manager simulates. The search may simulate a quarter more. Other managers end by "
        "themselves.",
        group="Manager",
    )
    iterations: int = for_paper(
        number(
            100,
            (1, 200),
            "iterations",
            "Iterations of MapFormer",
            "Manager",
            "Steps of the tree search, each with ten mappings for the estimator; 100 as published.",
        )
    )
    operation_mode: OperationMode = for_paper(
        choice(
            "pb",
            "Operation mode of MapFormer",
            "Manager",
            {
                "hp": "High performance: throughput alone",
                "pb": "Performance boost: 0.7 to 0.3",
                "sm": "Standard: 0.5 to 0.5",
                "pr": "Power reduce: 0.3 to 0.7",
            },
            "Weight of the throughput class against the power class in MapFormer's search.",
        )
    )
    segments: int = for_experts(number(
        3, (1, 6), "segments", "Segments of a network, at most", "Mapping",
        "Largest number of segments of a network, each on one unit.",
    ))  # fmt: skip
    power_limit_w: float | None = limit(
        "W", 1e4, "Power, at most", "Largest power of units and memory; the published modes are 10, 15 and 30 W."
    )
    fairness_limit_percent: float | None = limit(
        "%",
        100,
        "Fairness, at least",
        "Smallest share of any network: its rate over the rate that the scenario states, or over its highest rate alone.",
    )
    clock_choices: str = clock_choices_field("Device")
    unmeasured: Unmeasured = for_experts(unmeasured_field("Device", "datasheet"))
    bits: BitsName = for_experts(bits_field("Device"))
    ignore_memory: bool = ignore_memory_field("Device")
    changes: str = text(
        "",
        "Networks that come and go",
        "Arrivals",
        "Times at which networks of the mix, by number, come (+) or go (-), and power limits, as in "
        f"{EXAMPLE}. At the end of the run the manager maps again after every change. Empty: all networks "
        "run all the time.",
    )
    answer_s: float = for_experts(
        number(
            2.0,
            (0, 100_000),
            "s",
            "An answer takes",
            "Arrivals",
            "Time from a change until the manager's new mapping takes effect. The old mapping stays until "
            "then. Published: MOSAIC 1 s, ODMDEF 3 s, MapFormer 23 s, the genetic algorithm 2 h.",
        )
    )
    migration_s: float = for_experts(number(
        0.1, (0, 1000), "s", "Interruption of a moved network", "Arrivals",
        "Time for which a moved network stops, in addition to writing and reading its weights in memory. Assumed.",
    ))  # fmt: skip
    answer_evaluations: int = number(
        20_000, (100, 200_000), "mappings", "Evaluations of an answer", "Arrivals",
        "Approximate number of mappings that the manager simulates after each change.", advanced=True,
    )  # fmt: skip
