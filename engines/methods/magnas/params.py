"""Parameters of the architecture search."""

from __future__ import annotations

from typing import Literal

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, for_paper, limit, number, switch, text
from engines.cost.calibration.unmeasured import Unmeasured, unmeasured_field
from engines.cost.device_fields import BitsName, bits_field, fallback_field, power_mode_field
from engines.cost.memory_capacity import ignore_memory_field
from engines.methods.magnas.architectures.surrogate import PublishedData
from engines.search.search_fields import evaluations_field, population_field

Fitness = Literal["pareto", "product"]
Inner = Literal["exact", "nsga2_published", "single_units"]
Clocks = Literal["fixed", "after_mapping", "joint"]


class MagnasParams(EngineParams):
    """How architectures, mappings and clocks are searched, and by what accuracy."""

    data_set: PublishedData = choice(
        "cifar-100",
        "Published accuracy of",
        "Accuracy",
        {
            "cifar-10": "CIFAR-10",
            "cifar-100": "CIFAR-100",
            "oxford-flowers": "Oxford-Flowers",
            "tiny-imagenet": "Tiny-ImageNet",
        },
        "Data set of the published accuracies. Without trained weights each design has the accuracy of the "
        "nearest published network. With weights the accuracy is measured.",
    )
    validation_images: int = for_experts(number(
        500, (16, 1_000_000), "images", "Validation images, at most", "Accuracy",
        "Number of images that measure each subnet, if weights are given.",
    ))  # fmt: skip
    evaluations: int = evaluations_field(
        2000,
        (4, 100_000),
        "architectures",
        "Number of different architectures to evaluate; 5,000 as published.",
        title="Architectures",
        group="Outer search",
    )
    population: int = for_paper(
        population_field(
            100, (4, 2000), "architectures", "Architectures per generation. Published: 100.", group="Outer search"
        )
    )
    kept_percent: float = for_paper(number(
        30.0, (0, 100), "%", "Kept of each generation", "Outer search",
        "Share of the population that survives and has children. Published: 30 %.", above=True,
    ))  # fmt: skip
    fitness: Fitness = choice(
        "pareto",
        "Fitness",
        "Outer search",
        {"pareto": "Pareto ranking", "product": "Weighted product, as published"},
        "Pareto: non-dominated sorting of all kept mappings of all architectures, then crowding. Product: error, energy and "
        "latency of the best mapping by eq. 13, each to a power.",
    )
    mutation: float = for_paper(
        number(
            0.4,
            (0, 1),
            "",
            "Mutation",
            "Outer search",
            "Probability that a superblock is drawn again; the paper's 0.4.",
        )
    )
    crossover: float = for_paper(
        number(
            0.5, (0, 1), "", "Crossover", "Outer search", "Probability that a superblock is swapped; 0.5 as published."
        )
    )
    error_exponent: float = for_paper(number(
        1.0, (0, 10), "", "Power of the error", "Outer search",
        "Exponent of the error in the product that ranks architectures.",
    ))  # fmt: skip
    inner: Inner = choice(
        "exact",
        "Mapping of each architecture",
        "Inner search",
        {
            "exact": "Exact front",
            "nsga2_published": "NSGA-II, as published",
            "single_units": "Each unit alone",
        },
        "Exact: every best mapping, proven. As published: mutation 0.4, crossover 0.8. Each unit alone: the "
        "published search without the inner engine.",
    )
    inner_evaluations: int = for_paper(number(
        2000, (10, 100_000), "mappings", "Mappings per architecture", "Inner search",
        "Evaluations of the published search, 200 in each of 10 generations.",
    ))  # fmt: skip
    energy_exponent: float = for_paper(
        number(1.0, (0, 10), "", "Power of the energy", "Inner search", "Exponent of the energy in eq. 13.")
    )
    latency_exponent: float = for_paper(
        number(1.0, (0, 10), "", "Power of the latency", "Inner search", "Exponent of the latency in eq. 13.")
    )
    kept_mappings: int = for_experts(number(
        4, (1, 64), "mappings", "Mappings kept per architecture", "Inner search",
        "The best by eq. 13, then others evenly along the front, its ends first.",
    ))  # fmt: skip
    clocks: Clocks = choice(
        "fixed",
        "Clocks",
        "Clocks",
        {
            "fixed": "Highest",
            "after_mapping": "For each mapping",
            "joint": "With the mapping",
        },
        "Highest: the clocks of the power mode. For each mapping, as published (section 4.3.5): the "
        "setting with the smallest eq. 13. With the mapping: the exact front over all settings, which "
        "takes longer.",
    )
    power_mode: str = for_experts(power_mode_field())
    clock_choices: str = text(
        "",
        "Clocks to choose from",
        "Clocks",
        'Clock frequencies in MHz, as in "cpu: 1728 2265; gpu: 520 900 1377; dla: 1050 1395; memory: 1065 '
        '2133". Empty: two evenly spaced steps of every relevant clock.',
        advanced=True,
    )
    latency_limit_s: float | None = limit(
        "s", 1e6, "Latency, at most",
        "Largest latency of a mapping (eq. 8). An architecture without such a mapping is infeasible.",
    )  # fmt: skip
    energy_limit_j: float | None = limit("J", 1e6, "Energy, at most", "Largest energy of a mapping (eq. 8).")
    fallback: bool = for_experts(fallback_field())
    unmeasured: Unmeasured = for_experts(unmeasured_field())
    bits: BitsName = for_experts(bits_field())
    ignore_memory: bool = ignore_memory_field()
    baselines: bool = for_experts(
        switch(
            True,
            "Baselines",
            "Outer search",
            "Also score the largest architecture of each graph operator on each unit alone, at the highest clocks.",
        )
    )
