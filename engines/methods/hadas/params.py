"""Parameters of the search for backbones, exits and clocks."""

from __future__ import annotations

from typing import Literal

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, for_paper, limit, number, switch
from engines.cost.calibration.unmeasured import Unmeasured, unmeasured_field
from engines.cost.device_fields import BitsName, bits_field, power_mode_field, unit_field
from engines.cost.memory_capacity import ignore_memory_field
from engines.search.search_fields import evaluations_field, population_field

Inner = Literal["exact", "nsga2_published"]
Fitness = Literal["accuracy", "dissimilarity"]
Ends = Literal["nested", "correlated"]
Leaving = Literal["ideal", "rules"]


class HadasParams(EngineParams):
    """Parameters of the search: spaces, methods, and the source of accuracy."""

    inner: Inner = choice(
        "exact",
        "Exits and clocks of each backbone",
        "Inner search",
        {"exact": "Exact front", "nsga2_published": "NSGA-II, as published"},
        "Exact: every best choice of exits and clocks, proven if ends are nested. Published: 70 choices in "
        "each of 50 generations, mutation 0.3, crossover 0.8.",
    )
    inner_evaluations: int = for_paper(number(
        3500, (20, 1_000_000), "choices", "Choices per backbone", "Inner search",
        "Exits and clocks that the published search scores; the paper's 3,500.",
    ))  # fmt: skip
    inner_population: int = for_paper(
        number(
            70,
            (4, 2000),
            "choices",
            "Choices per generation",
            "Inner search",
            "Exits and clocks in each generation of the published search.",
        )
    )
    compare: bool = for_paper(
        switch(
            True,
            "Compare with the published search",
            "Inner search",
            "In addition to the exact front, run the published search with and without dissimilarity. A "
            "table shows its share of the hypervolume.",
        )
    )
    fitness: Fitness = for_paper(
        choice(
            "accuracy",
            "Ranking of exits",
            "Inner search",
            {"accuracy": "Accuracy, latency and energy", "dissimilarity": "The same, accuracy by dissimilarity"},
            "Published search: means over the exits. Dissimilarity (eqs. 2.6 and 2.7) weighs an exit's "
            "accuracy by its share of new correct inputs, to the power gamma.",
        )
    )
    gamma: float = for_paper(
        number(
            1.0,
            (0, 8),
            "",
            "Gamma",
            "Inner search",
            "Power of the dissimilarity in eq. 2.6; 0 leaves it out.",
        )
    )
    evaluations: int = evaluations_field(
        448,
        (4, 100_000),
        "backbones",
        "Backbones to evaluate when the space is searched; the published 450 are 7 generations of 64.",
        title="Backbones",
        group="Outer search",
    )
    population: int = for_paper(
        population_field(64, (4, 2000), "backbones", "Backbones of a generation.", group="Outer search")
    )
    baselines: bool = switch(
        True,
        "Baselines",
        "Outer search",
        "Also score networks without exits, and AttentiveNAS a0 to a6 with the same inner search.",
    )
    baselines_found: bool = for_experts(switch(
        True,
        "Baselines are results",
        "Outer search",
        "On: a space's baselines are also results of the search, which is then never worse than they are. Off: as published.",
    ))  # fmt: skip
    first_exit: int = for_experts(number(
        5, (1, 1000), "blocks", "Blocks before the first exit", "Exits",
        "Exits are allowed after this block and every later one but the last. 5 as published, counted in "
            "MBConv layers.",
    ))  # fmt: skip
    leaving: Leaving = choice(
        "ideal",
        "Where inputs leave",
        "Exits",
        {"ideal": "Ideal mapping", "rules": "Rules that can run"},
        "Ideal, as published: at the first correct end, which cannot be known at run time. Rules: at the "
        "first exit with enough confidence, by its largest probability or its entropy. The search selects "
        "rule and threshold. Only for measured exits.",
    )
    classes: int = for_experts(
        number(
            100,
            (2, 100_000),
            "classes",
            "Classes",
            "Exits",
            "Outputs of each exit; CIFAR-100 has 100. Subnets of a trained supernet: its number of classes.",
        )
    )
    ends: Ends = for_experts(
        choice(
            "nested",
            "Correct answers at exits",
            "Accuracy",
            {"nested": "Nested", "correlated": "Correlated, as Table 2.2 prints"},
            "Nested: right at an exit means right at later ones, so that the front is exact. Correlated: some are right early "
            "alone; the front then has a bound and a gap.",
        )
    )
    backbone_accuracy_percent: float = number(
        75.0, (1, 100), "%", "Accuracy of the network", "Accuracy",
        "Where one network is given and nothing measured: its share of right answers without exits. Backbones of the "
        "AttentiveNAS space have their own; subnets of a trained supernet are measured.",
    )  # fmt: skip
    validation_images: int = for_experts(number(
        500, (16, 1_000_000), "images", "Validation images, at most", "Accuracy",
        "Number of images that measure each subnet of a trained supernet, if one is given.",
    ))  # fmt: skip
    steepness: float = number(
        4.0, (0.1, 50), "", "Rise of accuracy with depth", "Accuracy",
        "k in N = accuracy (1 - exp(-k p)), p the share of the multiply-accumulates up to an exit. Assumed.", advanced=True,
    )  # fmt: skip
    unit: str = for_experts(unit_field("Units"))
    bits: BitsName = for_experts(bits_field())
    power_mode: str = for_experts(power_mode_field())
    clock_steps: int = for_experts(number(
        64, (1, 64), "steps", "Steps per clock", "Clocks",
        "Steps of the clocks of the unit, the launching CPU and the memory, evenly spaced; 1: the highest alone.",
    ))  # fmt: skip
    unmeasured: Unmeasured = for_experts(unmeasured_field())
    ignore_memory: bool = ignore_memory_field()
    latency_limit_s: float | None = limit("s", 1e6, "Mean latency, at most", "Largest mean over all inputs.")
    energy_limit_j: float | None = limit("J", 1e6, "Mean energy, at most", "Largest mean over all inputs.")
