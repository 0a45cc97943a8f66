"""Parameters of the network search (minakova-2022 Table 6 and section 6)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, for_paper, limit, number, switch, text
from engines.cost.device_fields import power_mode_field, precision_field, unit_field
from engines.search.search_fields import population_field

Space = Literal["small", "baseline", "voc", "cifar10", "pamap2"]
REQUIREMENTS = "r1: 1 0 0 0; r2: 0.25 0.25 0.25 0.25; r3: 0.5 0.25 0 0.25; r4: 0.5 0 0 0.5"


class SearchParams(EngineParams):
    """The space, the evolution, training, and what is made of the front."""

    space: Space = choice(
        "small",
        "Search space",
        "Space",
        {
            "small": "Small, for small images",
            "baseline": "From the baseline network",
            "voc": "Pascal VOC (Table 3)",
            "cifar10": "CIFAR-10 (Table 4)",
            "pamap2": "PAMAP2 (Table 5)",
        },
        "Clusters of layers with bounds. From the baseline: consecutive layers of one type and feature map "
        "size. Each may have one layer fewer or more, and half to twice the neurons.",
    )
    largest_kernel: int = for_experts(
        Field(
            5,
            ge=1,
            le=7,
            multiple_of=1,
            title="Largest kernel",
            description="Largest kernel of clusters from a baseline; odd.",
            json_schema_extra={"group": "Space", "unit": "pixels"},
        )
    )
    width_percent: float = for_experts(
        number(
            100.0,
            (1, 400),
            "%",
            "Width of the baseline",
            "Space",
            "Neurons of clusters from a baseline, as a share of its own: less for data that needs less.",
        )
    )
    generations: int = number(20, (1, 1000), "generations", "Generations", "Search", "Number of generations (N_g).")
    population: int = for_experts(
        population_field(20, (2, 500), "networks", "Networks per generation (N_p).", advanced=False)
    )
    replaced: float = for_paper(number(
        0.02, (0.0, 0.9), "", "Share replaced", "Search",
        "Share of the worst networks that random ones of the population replace (omega).",
    ))  # fmt: skip
    mutation: float = for_paper(
        number(0.3, (0.0, 1.0), "", "Mutation probability", "Search", "Probability that a network mutates (P_m).")
    )
    mutation_change: float = for_paper(number(
        0.12, (0.01, 1.0), "", "Mutation change", "Search",
        "Largest relative change of a number of neurons (Q_m).",
    ))  # fmt: skip
    crossover: float = for_paper(number(
        0.3, (0.0, 1.0), "", "Crossover probability", "Search",
        "Crossover probability at the start, P_r(0). It falls linearly to 0 at the end.",
    ))  # fmt: skip
    epochs_per_generation: float = for_experts(
        number(
            1.0,
            (0.01, 10.0),
            "epochs",
            "Partial training",
            "Training",
            "Epochs in each generation, on freshly drawn examples.",
        )
    )
    learning_rate: float = number(
        0.001, (1e-6, 1.0), "", "Learning rate", "Training", "Learning rate of Adam.", advanced=True
    )
    batch_size: int = number(
        32, (2, 4096), "examples", "Batch", "Training", "Examples per step of training.", advanced=True
    )
    requirements: str = text(
        REQUIREMENTS,
        "Requirement sets",
        "Scenarios",
        "A name and four weights for each: accuracy, throughput, memory, energy; they sum to 1. Each set is served by "
        "the network with the lowest weighted rank.",
    )
    finalists: int = for_experts(number(
        6, (1, 50), "networks", "Trained to the end", "Scenarios",
        "Number of networks of the front to train completely, in the order of their rank for the requirement sets.",
    ))  # fmt: skip
    final_epochs: float = number(
        15.0,
        (0.0, 1000.0),
        "epochs",
        "Final training",
        "Training",
        "Epochs of each finalist, with batch normalisation.",
    )
    adaptive: Literal["io_par", "io", "none"] = for_experts(
        choice(
            "io_par",
            "Adaptive attributes",
            "Scenarios",
            {"io_par": "Inputs, outputs, parameters", "io": "Inputs, outputs", "none": "None"},
            "Properties of shared layers in the derived application that may change at run time (set A).",
        )
    )
    export_onnx: bool = for_experts(
        switch(True, "ONNX files", "Scenarios", "Write every scenario as an ONNX file at the end; some seconds each.")
    )
    precision: Literal["fp32", "fp16"] = for_experts(precision_field("Device", whole=True))
    unit: str = unit_field("Device", advanced=True)
    power_mode: str = power_mode_field("Device", advanced=True)
    memory_limit_mb: float | None = limit("MB", 1e9, "Memory, at most", "Networks that need more count as infeasible.")
    throughput_demand_fps: float | None = limit(
        "fps", 1e9, "Throughput, at least", "Networks that are slower count as infeasible.", none="no demand"
    )
